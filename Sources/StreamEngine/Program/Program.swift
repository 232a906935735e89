import CEL
import StreamCore

/// The compiled expressions and steps of a sequence of operators. Created by a `ProgramBuilder`, executed by a `ProgramInstance`.
///
/// Immutable: any number of frames on any threads can run it concurrently.
@_spi(Engine) public struct Program: Sendable {
  let body: ProgramBody

  /// The instructions, one per line, first those of the typed half, then those of the generic half.
  public var listing: [String] {
    body.instructions.enumerated().map { index, instruction in
      let operands = "\(instruction.a) \(instruction.b) \(instruction.c) \(instruction.immediate)"
      return "\(index) \(instruction.opcode) \(operands)"
    }
  }

  /// Number of instructions in the typed half.
  public var typedCount: Int { body.genericStart }
}

/// The storage that a program's copies share. `@unchecked`: The code is written before it is shared, and never after.
@usableFromInline
final class ProgramBody: @unchecked Sendable {
  @usableFromInline let code: UnsafePointer<Operation>
  /// The source of the operations: the instructions of the two halves, then those for rows.
  let instructions: [Instruction]
  /// Number of instructions in the two halves.
  let count: Int
  /// Index of the first instruction of the generic half.
  let genericStart: Int
  let tables: ProgramTables
  let scalarCells: [ScalarCell]
  let initialCells: [InitialCell]
  /// The form in which the typed half takes its input.
  let entry: Entry
  /// The boxed register of the input, or -1.
  @usableFromInline let inputRegister: Int

  /// Whether the typed half may need boxed registers that no input creates: a boxed input creates them when it is
  /// stored.
  let needsValues: Bool

  var genericCode: UnsafePointer<Operation> { code + genericStart }

  /// Whether the typed half, or the code for rows, evaluates parts of expressions as their plans.
  let runsPlans: Bool

  /// The records that the typed half creates.
  let outputs: OutputTable

  /// The code for rows; nil if there is none. Its instructions follow the generic half.
  let rows: RowCode?

  /// - Parameters:
  ///   - halves: The instructions of the typed half, then those of the generic half.
  ///   - genericStart: The number of instructions in the typed half.
  init(
    _ halves: consuming [Instruction], genericStart: Int, _ tables: ProgramTables, _ outputs: OutputTable,
    rows: RowCode? = nil
  ) {
    self.outputs = outputs
    self.rows = rows
    count = halves.count
    self.genericStart = genericStart
    if let rows { halves += rows.code }
    instructions = halves
    self.tables = tables
    scalarCells = tables.cells.compactMap(ScalarCell.init)
    initialCells = (tables.firstReset..<tables.cells.count).map { InitialCell(tables.cells[$0], number: $0) }
    inputRegister = tables.input?.boxedRegister ?? -1
    entry = tables.input?.part.scalar.map(Entry.init) ?? .boxed
    needsValues =
      (entry != .boxed || inputRegister < 0)
      && instructions[..<genericStart].contains { !$0.opcode.access.isDisjoint(with: .values) }
    runsPlans =
      instructions[..<genericStart].contains { $0.opcode.access.contains(.writesC) }
      || instructions[count...].contains { $0.opcode.access.contains(.writesC) }
    code = Operation.all(instructions)
  }

  // NB: Operations are trivial, so nothing is deinitialized.
  deinit { code.deallocate() }
}

/// The tables that the instructions refer to, and the data that a frame needs.
struct ProgramTables: Sendable {
  var slotCount = 0
  var valueCount = 0
  var slotConstants: [(register: Int, bits: Int64)] = []
  var valueConstants: [(register: Int, value: Value)] = []
  /// The cells that a side exit restores.
  var undos: [Undo] = []
  var evaluations: [Evaluation] = []
  /// The variable bindings of all evaluations; each evaluation has a range of them.
  var bindings: [Evaluation.Binding] = []
  var nodes: [PlanNode] = []
  var functions: [PairFunction] = []
  /// The field name of each cache.
  var fields: [String] = []
  var records: [RecordParts] = []
  var input: Input?
  var cells: [Cell] = []
  /// The layout of the rows; nil if the program has no cells by key.
  var rows: KeyedRowLayout?
  /// Index of the first cell that `resetCells` resets.
  var firstReset = 0
  /// Indices of the first instruction of each entry except the first, in the two halves.
  var entries: [(typed: Int, generic: Int)] = []
  /// The operands, for reading their values from a frame.
  var operands: [OperandRecord] = []

  /// Returns the record of the builder's operand.
  func record(of operand: Operand) -> OperandRecord { operands[operand.index] }

  func bindings(of evaluation: Evaluation) -> ArraySlice<Evaluation.Binding> { bindings[evaluation.bindings] }
}

/// The form in which a run takes its input.
@usableFromInline
enum Entry: UInt8, Sendable {
  case int, uint, double, bool
  /// In its boxed register; the run begins in the typed half without preparation.
  case lent
  /// In its boxed register, or without an input; the run needs preparation.
  case boxed

  init(_ scalar: Scalar) {
    switch scalar {
    case .int: self = .int
    case .uint: self = .uint
    case .double: self = .double
    case .bool: self = .bool
    }
  }

  /// The scalar type of the input; nil for a boxed input or none.
  var scalar: Scalar? {
    switch self {
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .bool: .bool
    case .lent, .boxed: nil
    }
  }
}

/// An expression that runs as its plan, with the bindings of its variables.
struct Evaluation: Sendable {
  struct Binding: Sendable {
    /// The variable's slot in the activation.
    var slot: Int
    /// The scalar type of the slot; nil if `register` is a boxed register.
    var scalar: Scalar?
    var register: Int
    /// The position in the list if the variable is a list of consecutive bindings.
    var element = Element.none

    enum Element: UInt8, Sendable {
      case none, inner, last
    }
  }

  let body: PlanBody
  /// Range in the table of bindings.
  let bindings: Range<Int>
  let site: Int
}

struct Input: Sendable {
  var part: Part
  var boxedRegister: Int
}

struct Cell: Sendable {
  var part: Part
  var boxedRegister: Int
  var initial: Value
}

/// A cell that is a scalar in the typed half. Contains no references.
struct ScalarCell: Sendable {
  let scalar: Scalar
  /// Whether the initial value is of this scalar type, or vacant.
  let fits: Bool
  let slot: Int
  let boxedRegister: Int
  /// The initial content of the slot.
  let bits: Int64

  init?(_ cell: Cell) {
    guard case .scalar(let scalar, let slot) = cell.part.location else { return nil }
    self.scalar = scalar
    self.slot = slot
    boxedRegister = cell.boxedRegister
    fits = Scalar(cell.initial) == scalar || cell.initial.isVacant
    bits = fits ? cell.initial.scalarBits ?? 0 : 0
  }
}

extension Evaluation.Binding {
  init(slot: Int, _ part: Part, _ writer: CodeWriter, element: Element = .none) {
    switch part.location {
    case .constant(let value):
      self.init(slot: slot, scalar: nil, register: writer.constant(value), element: element)
    case .scalar(let scalar, let register):
      self.init(slot: slot, scalar: scalar, register: register, element: element)
    case .value(let register): self.init(slot: slot, scalar: nil, register: register, element: element)
    }
  }
}

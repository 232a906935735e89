import CEL
import StreamCore
internal import Synchronization

/// The expressions and steps of a run of operators, ready to run. Made by a `ProgramBuilder`, run by a `Frame`.
///
/// Immutable: any number of frames on any threads run it at once.
public struct Program: Sendable {
  let body: ProgramBody

  /// Its instructions, one a line, those of the typed half before those of the generic one.
  public var listing: [String] {
    body.instructions.enumerated().map { index, instruction in
      let operands = "\(instruction.a) \(instruction.b) \(instruction.c) \(instruction.immediate)"
      return "\(index) \(instruction.opcode) \(operands)"
    }
  }

  /// How many instructions the typed half has.
  public var typedCount: Int { body.genericStart }

  /// How many inputs its frames have taken by columns, for tests that must reach these.
  package var columnInputCount: Int { body.columnInputCount.load(ordering: .relaxed) }
}

/// What a program's copies share. `@unchecked`: the code is written before anybody else sees it, and never after.
@usableFromInline
final class ProgramBody: @unchecked Sendable {
  @usableFromInline let code: UnsafePointer<Operation>
  /// What the operations are made of: those of the two halves, then those that take rows.
  let instructions: [Instruction]
  /// How many instructions the two halves have.
  let count: Int
  /// Where the generic half begins.
  let genericStart: Int
  /// The exit of each instruction of the typed half.
  let exitPlaces: [Int32]
  let tables: ProgramTables
  let scalarCells: [ScalarCell]
  let initialCells: [InitialCell]
  /// How the typed half takes its input.
  let entry: Entry
  /// The boxed register of the input, or -1.
  @usableFromInline let inputHome: Int

  /// Whether a run that has come no further than the typed half may need boxed registers, other than for its input: for
  /// that they are made when it comes.
  let needsValues: Bool

  var genericCode: UnsafePointer<Operation> { code + genericStart }

  private let foundColumns = Lazily<ColumnCode?>()

  /// What is done of many runs at once, if something is.
  var columnCode: ColumnCode? { emits ? nil : foundColumns.content { ColumnReader.columnCode(of: self) } }

  /// Whether the typed half, or what takes rows, evaluates parts as their plans.
  let runsPlans: Bool

  /// How many inputs have been taken by columns. Added to once for each batch.
  let columnInputCount = Atomic(0)

  /// Whether runs may give a value with others to follow.
  private let emits: Bool

  /// The records that the typed half may give.
  let outputs: OutputTable

  /// What takes rows, if something does. Its instructions stand behind the generic half.
  let rows: RowCode?

  /// - Parameters:
  ///   - halves: the instructions of the typed half, then those of the generic one.
  ///   - genericStart: how many of them are of the typed half.
  init(
    _ halves: consuming [Instruction], genericStart: Int, exitPlaces: [Int32], _ tables: ProgramTables,
    _ outputs: OutputTable, rows: RowCode? = nil
  ) {
    self.outputs = outputs
    self.rows = rows
    count = halves.count
    self.genericStart = genericStart
    if let rows { halves += rows.code }
    instructions = halves
    self.exitPlaces = exitPlaces
    self.tables = tables
    scalarCells = tables.cells.compactMap(ScalarCell.init)
    initialCells = (tables.firstReset..<tables.cells.count).map { InitialCell(tables.cells[$0], number: $0) }
    inputHome = tables.input?.home ?? -1
    entry = tables.input?.part.scalar.map(Entry.init) ?? .boxed
    needsValues =
      (entry != .boxed || inputHome < 0)
      && instructions[..<genericStart].contains { !$0.opcode.access.isDisjoint(with: .values) }
    emits = instructions[..<genericStart].contains { $0.emitsOnTheWay }
    runsPlans =
      instructions[..<genericStart].contains { $0.opcode.access.contains(.writesC) }
      || instructions[count...].contains { $0.opcode.access.contains(.writesC) }
    code = Operation.all(instructions)
  }

  // Operations are trivial: nothing to deinitialize.
  deinit { code.deallocate() }
}

/// What the instructions refer to, and what a frame needs.
struct ProgramTables: Sendable {
  var slotCount = 0
  var valueCount = 0
  var slotConstants: [(register: Int, bits: Int64)] = []
  var valueConstants: [(register: Int, value: Value)] = []
  var exits: [Exit] = []
  /// What is copied at exits; each of them names its own.
  var moves: [Exit.Move] = []
  var evaluations: [Evaluation] = []
  /// Where the variables of evaluations are; each of those names its own.
  var bindings: [Evaluation.Binding] = []
  var nodes: [PlanNode] = []
  var functions: [PairFunction] = []
  /// The field of each cache.
  var fields: [String] = []
  var records: [RecordParts] = []
  var input: Input?
  var cells: [Cell] = []
  /// The cells of rows, where the program keeps cells by key.
  var rows: RowLayout?
  /// The first cell that `resetCells` resets.
  var firstReset = 0
  /// The first instructions of the entries apart from the first, in the two halves.
  var entries: [(typed: Int, generic: Int)] = []
  /// The operands, for those who ask a frame for their values.
  var operands: [OperandRecord] = []
  /// Which operand of the builder is the first of those; the ones before it come last.
  var firstOperand = 0

  /// An operand of the builder.
  func record(of operand: Operand) -> OperandRecord {
    let place = operand.index - firstOperand
    return operands[place < 0 ? place + operands.count : place]
  }

  func moves(of exit: Exit) -> ArraySlice<Exit.Move> { moves[exit.moves] }

  func bindings(of evaluation: Evaluation) -> ArraySlice<Evaluation.Binding> { bindings[evaluation.bindings] }
}

/// How a run takes its input.
@usableFromInline
enum Entry: UInt8, Sendable {
  case int, uint, double, bool
  /// In its boxed register, where the typed half begins.
  case lent
  /// In its boxed register, or not at all, with something to be done before.
  case boxed

  init(_ scalar: Scalar) {
    switch scalar {
    case .int: self = .int
    case .uint: self = .uint
    case .double: self = .double
    case .bool: self = .bool
    }
  }

  /// The scalar that comes in, if one does.
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

/// Where a run goes on that leaves the typed half.
struct Exit: Sendable {
  /// The instruction of the generic half.
  var target: Int
  /// The step of the builder.
  let step: Int
  /// An operand that is still in this boxed register.
  var unboxed: (operand: Int, register: Int)?
  /// What is copied to where the generic half looks for it, apart from cells: places in the table of moves.
  var moves = 0..<0

  struct Move: Sendable {
    /// Nil where `register` is a boxed one.
    var scalar: Scalar?
    var register: Int
    var home: Int
  }

  init(target: Int, step: Int) {
    self.target = target
    self.step = step
  }
}

/// An expression that runs as its plan, and where its variables are.
struct Evaluation: Sendable {
  struct Binding: Sendable {
    /// The variable's slot in the activation.
    var slot: Int
    /// Nil where `register` is a boxed one.
    var scalar: Scalar?
    var register: Int
    /// Whether it is an element of a list that the variable is; the elements follow each other.
    var element = Element.none

    enum Element: UInt8, Sendable {
      case none, inner, last
    }
  }

  let body: PlanBody
  /// Places in the table of bindings.
  let bindings: Range<Int>
  let site: Int
}

struct Input: Sendable {
  var part: Part
  var home: Int
}

struct Cell: Sendable {
  var part: Part
  var home: Int
  var initial: Value
}

/// A cell that is a scalar in the typed half, without references.
struct ScalarCell: Sendable {
  let scalar: Scalar
  /// Whether what it holds at first is that scalar, or nothing.
  let fits: Bool
  let slot: Int
  let home: Int
  /// What the slot holds at first.
  let bits: Int64

  init?(_ cell: Cell) {
    guard case .scalar(let scalar, let slot) = cell.part.location else { return nil }
    self.scalar = scalar
    self.slot = slot
    home = cell.home
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

import StreamCore

/// The beginning of a program's typed half, for many runs at once: each step is done for a whole column of numbers before
/// the next step begins.
///
/// It goes as far as the steps compute with numbers, choose between them, leave runs out, count, add up, or keep the
/// newest. Where another step comes, the runs that are left go on from there one by one.
///
/// - SeeAlso: Boncz, Zukowski, Nes, "MonetDB/X100: Hyper-Pipelining Query Execution", 2005.
final class ColumnCode: Sendable {
  /// A field of the inputs, and the column that it comes into.
  struct Field: Sendable {
    let name: String
    /// Whether ints are taken too, as doubles.
    let takesInts: Bool
    let scalar: Scalar
    var column: Int
  }

  let steps: [Step]
  /// The columns that tests keep; each test names its own.
  let kept: [Int]
  let columnCount: Int
  /// What the inputs are, where they are records; else they are numbers, and in the first column.
  let fields: [Field]
  /// The slots that hold the same for all runs, and their columns, which stand behind those of the inputs.
  let scalars: [(slot: Int, column: Int)]
  private let constants: Range<Int>
  /// Those of them that are filled from the first row to the last; of the others only the first row is looked at.
  let filled: Set<Int>
  /// The cells that steps write.
  let cells: [ScalarCell]
  /// Where the runs that are left go on; nil where nothing is left to do.
  let rest: Int?
  /// The slots that are looked at there, and the columns of what they hold.
  let restSlots: [(slot: Int, column: Int)]

  /// With fewer inputs than these, single runs take less.
  static let least = 32

  init(
    _ packing: ColumnPacking, fields: [Field], scalars: [(slot: Int, column: Int)], cells: [ScalarCell], rest: Int?,
    restSlots: [(slot: Int, column: Int)]
  ) {
    steps = packing.steps
    kept = packing.kept
    columnCount = packing.count
    self.fields = fields.map { field in
      var field = field
      field.column = packing.number(of: field.column)
      return field
    }
    self.scalars = scalars.map { ($0.slot, packing.number(of: $0.column)) }
    constants = packing.lasting
    self.restSlots = restSlots.map { ($0.slot, packing.number(of: $0.column)) }
    let inRows = steps.flatMap { step -> [Int] in
      switch step.action {
      case .compute, .test, .mark, .sum: return Array(step.operands)
      case .distinct: return [step.b]
      case .choose, .keep, .count: return []
      }
    }
    filled = Set(inRows + self.restSlots.map(\.column))
    self.cells = cells
    self.rest = rest
  }

  /// Whether a column is the same for all runs.
  func isConstant(_ column: Int) -> Bool { constants.contains(column) }

  /// A step, with the numbers of the columns that it works on.
  struct Step: Sendable {
    enum Action: UInt8, Sendable {
      /// Computes column `a` from `b`, or from `b` and `c`.
      case compute
      /// Leaves out the runs whose number in `b`, compared with the constant or that in `c`, does not pass.
      case test
      /// Sets all bits of column `a` where the number would pass, and none where it would not.
      case mark
      /// Puts into column `a` what is in `b` where all bits of `mask` are set, and what is in `c` where none is.
      case choose
      /// Leaves out the runs whose number in `b` is that of the run before; the cells keep it, and that there is one.
      case distinct
      /// Adds the number of runs to the cell.
      case count
      /// Keeps the last number of column `b` in the cell.
      case keep
      /// Adds column `b` to the cell, number by number; `a` becomes what the cell held after each.
      case sum
    }

    let action: Action
    /// What carries it out.
    let loop: Columns.Loop
    var a = 0
    var b = 0
    var c = 0
    var mask = 0
    /// How many columns it looks at: `b`, then `c`, then `mask`.
    let operandCount: Int
    let constant: Constant
    /// The places in the table of cells.
    var cell = 0
    var flag = 0
    /// Places in the table of columns that are kept.
    var kept = 0..<0
    /// Whether a test keeps the column that it looks at, and no other.
    var keepsItself = false

    init(_ action: Action, _ instruction: Instruction, operands: Int, _ loop: @escaping Columns.Loop) {
      self.action = action
      self.loop = loop
      operandCount = operands
      constant = Constant(of: instruction)
    }

    /// The columns that it looks at.
    var operands: ArraySlice<Int> { [b, c, mask].prefix(operandCount) }

    /// Whether it writes column `a`.
    var writes: Bool {
      switch action {
      case .compute, .mark, .choose, .sum: true
      case .test, .distinct, .count, .keep: false
      }
    }

    /// Whether runs may be left out.
    var isTest: Bool { action == .test || action == .distinct }

    /// Whether nobody misses it who does not look at what it writes.
    var isPure: Bool { action == .mark || action == .choose }
  }
}

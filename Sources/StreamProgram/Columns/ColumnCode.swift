import StreamCore

/// The beginning of a program's typed half as column kernels: each step processes a whole column of numbers, one for
/// each run, before the next step begins.
///
/// Steps compute numbers, choose between them, drop runs, count, sum, or keep the newest number. At the first
/// instruction of another kind, the remaining runs continue one by one.
///
/// - SeeAlso: Boncz, Zukowski, Nes, "MonetDB/X100: Hyper-Pipelining Query Execution", 2005.
final class ColumnCode: Sendable {
  let steps: [Step]
  /// The columns that tests compact; each test refers to a range of them.
  let kept: [Int]
  let columnCount: Int
  /// The slots whose contents are constant for all runs, and their columns, which follow those of the inputs.
  let scalars: [(slot: Int, column: Int)]
  private let constants: Range<Int>
  /// The columns that are filled in all rows if they are constant; only the first row of other constants is read.
  let filled: Set<Int>
  /// The cells that steps write.
  let cells: [ScalarCell]
  /// Index of the instruction at which the remaining runs continue; nil if the steps complete all runs.
  let rest: Int?
  /// The slots that the remaining instructions read, and the columns of their contents.
  let restSlots: [(slot: Int, column: Int)]

  /// The minimum number of inputs; fewer are cheaper to run one by one.
  static let least = 32

  init(
    _ packing: ColumnPacking, scalars: [(slot: Int, column: Int)], cells: [ScalarCell], rest: Int?,
    restSlots: [(slot: Int, column: Int)]
  ) {
    steps = packing.steps
    kept = packing.kept
    columnCount = packing.count
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

  /// Whether a column is constant for all runs.
  func isConstant(_ column: Int) -> Bool { constants.contains(column) }

  /// A step, with the numbers of its columns.
  struct Step: Sendable {
    enum Action: UInt8, Sendable {
      /// Computes column `a` from `b`, or from `b` and `c`.
      case compute
      /// Drops the runs whose number in `b` fails the test against the constant or the number in `c`.
      case test
      /// Sets all bits of column `a` if the number passes the test, and none if it fails.
      case mark
      /// Copies the number in `b` to column `a` if all bits of `mask` are set, and the number in `c` if none is.
      case choose
      /// Drops the runs whose number in `b` equals the previous run's; the cells hold it, and whether there is one.
      case distinct
      /// Adds the number of runs to the cell.
      case count
      /// Stores the last number of column `b` in the cell.
      case keep
      /// Adds column `b` to the cell, number by number; `a` receives the running totals.
      case sum
    }

    let action: Action
    /// The function that runs the step.
    let loop: Columns.Loop
    var a = 0
    var b = 0
    var c = 0
    var mask = 0
    /// Number of columns that the step reads: `b`, then `c`, then `mask`.
    let operandCount: Int
    let constant: Constant
    /// Indices in the table of cells.
    var cell = 0
    var flag = 0
    /// Indices in the table of kept columns.
    var kept = 0..<0
    /// Whether a test keeps only the column that it tests.
    var keepsItself = false

    init(_ action: Action, _ instruction: Instruction, operands: Int, _ loop: @escaping Columns.Loop) {
      self.action = action
      self.loop = loop
      operandCount = operands
      constant = Constant(of: instruction)
    }

    /// The columns that the step reads.
    var operands: ArraySlice<Int> { [b, c, mask].prefix(operandCount) }

    /// Whether the step writes column `a`.
    var writes: Bool {
      switch action {
      case .compute, .mark, .choose, .sum: true
      case .test, .distinct, .count, .keep: false
      }
    }

    /// Whether the step may drop runs.
    var isTest: Bool { action == .test || action == .distinct }

    /// Whether the step has no effect but its column, so that it is dead if the column is not read.
    var isPure: Bool { action == .mark || action == .choose }
  }
}

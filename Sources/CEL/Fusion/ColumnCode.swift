import StreamCore

/// The beginning of a program's typed half, for many runs at once: each step is done for a whole column of numbers before
/// the next step begins.
///
/// It goes as far as the steps compute with numbers, leave runs out, count, add up, or keep the newest. Where another
/// step comes, the runs that are left go on from there one by one.
///
/// - SeeAlso: Boncz, Zukowski, Nes, "MonetDB/X100: Hyper-Pipelining Query Execution", 2005.
final class ColumnCode: Sendable {
  let steps: [Step]
  /// The columns that tests keep; each test names its own.
  let kept: [Int]
  /// The first column is that of the inputs.
  let columnCount: Int
  /// The slots that hold the same for all runs, and their columns.
  let scalars: [(slot: Int, column: Int)]
  /// The cells that steps write.
  let cells: [ScalarCell]
  /// Where the runs that are left go on; nil where nothing is left to do.
  let rest: Int?
  /// The slots that are looked at there, and the columns of what they hold.
  let restSlots: [(slot: Int, column: Int)]

  /// With fewer inputs than these, single runs take less.
  static let least = 32

  init(
    steps: [Step], kept: [Int], columnCount: Int, scalars: [(slot: Int, column: Int)], cells: [ScalarCell],
    rest: Int?, restSlots: [(slot: Int, column: Int)]
  ) {
    self.steps = steps
    self.kept = kept
    self.columnCount = columnCount
    self.scalars = scalars
    self.cells = cells
    self.rest = rest
    self.restSlots = restSlots
  }

  /// A step, with the numbers of the columns that it works on.
  struct Step: Sendable {
    enum Action: UInt8, Sendable {
      /// Computes column `a` from `b`, or from `b` and `c`.
      case compute
      /// Leaves out the runs whose number in `a`, compared with the constant or that in `b`, does not pass.
      case test
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
    let access: Opcode.Access
    var a = 0
    var b = 0
    var c = 0
    /// Constants, as operations have them.
    let immediate: Int64
    let detail: Int64
    let shift: UInt8
    /// The place in the table of cells.
    var cell = 0
    /// Places in the table of columns that are kept.
    var kept = 0..<0
    /// Whether a test keeps the column that it looks at, and no other.
    var keepsItself = false
    /// Whether it is a copy, which nobody misses who does not look at it.
    let isCopy: Bool

    init(_ action: Action, _ instruction: Instruction, _ loop: @escaping Columns.Loop) {
      let operation = Operation(instruction, at: 0)
      self.action = action
      self.loop = loop
      access = instruction.opcode.access
      immediate = operation.immediate
      detail = operation.detail
      shift = operation.shift
      isCopy = action == .compute && instruction.opcode == .move
    }
  }
}

/// Allocates the columns of steps: a column is free for reuse after its last read.
struct ColumnPacking {
  private(set) var steps: [ColumnCode.Step] = []
  private(set) var kept: [Int] = []
  private(set) var count = 0
  /// The numbers of the columns that are constant for all runs.
  let lasting: Range<Int>
  private var numbers: [Int: Int] = [:]
  private var free: [Int] = []

  /// - Parameters:
  ///   - steps: The steps; each writes a column of its own.
  ///   - inputs: The columns that exist before the first step; they come first.
  ///   - lasting: The columns that are constant for all runs; they are never free.
  ///   - needed: The columns that are read after the last step.
  init(_ steps: [ColumnCode.Step], inputs: [Int], lasting: Set<Int>, needed: Set<Int>) {
    self.lasting = inputs.count..<inputs.count + lasting.count
    for column in inputs + lasting.sorted() { take(column) }
    let (alive, needs) = Self.needs(steps, lasting: lasting, needed: needed)
    for (var step, needed) in zip(alive, needs) {
      let operands = step.operands
      step.b = numbers[step.b] ?? 0
      step.c = numbers[step.c] ?? 0
      step.mask = numbers[step.mask] ?? 0
      let column = step.a
      // Pure steps have no loop that works in place, so they never reuse the column of an operand.
      if step.isPure { take(column) }
      for operand in Set(operands) where !needed.contains(operand) && !lasting.contains(operand) { recycle(operand) }
      if step.writes {
        if !step.isPure { take(column) }
        step.a = number(of: column)
        if !needed.contains(column) { recycle(column) }
      }
      if step.isTest {
        let columns = needed.map(number).sorted()
        step.kept = kept.count..<kept.count + columns.count
        step.keepsItself = columns == [step.b]
        kept += columns
      }
      self.steps.append(step)
    }
  }

  /// Returns the number of a column that has been read or written.
  func number(of column: Int) -> Int { numbers[column] ?? 0 }

  private mutating func take(_ column: Int) {
    if let number = free.popLast() {
      numbers[column] = number
    } else {
      numbers[column] = count
      count += 1
    }
  }

  private mutating func recycle(_ column: Int) {
    if let number = numbers[column] { free.append(number) }
  }

  /// Returns the steps without dead ones, and for each step the columns that are live after it, except lasting ones.
  private static func needs(
    _ steps: [ColumnCode.Step], lasting: Set<Int>, needed: Set<Int>
  ) -> (alive: [ColumnCode.Step], needs: [Set<Int>]) {
    var alive: [ColumnCode.Step] = []
    var needs: [Set<Int>] = []
    var needed = needed.subtracting(lasting)
    for step in steps.reversed() where !step.isPure || needed.contains(step.a) {
      alive.append(step)
      needs.append(needed)
      if step.writes { needed.remove(step.a) }
      needed.formUnion(Set(step.operands).subtracting(lasting))
    }
    return (alive.reversed(), needs.reversed())
  }
}

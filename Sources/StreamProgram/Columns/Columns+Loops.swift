// Loops over columns, with the kernel as an argument.

extension Columns {
  typealias Step = UnsafePointer<ColumnCode.Step>

  /// Computes a column from another.
  @inline(__always)
  func compute(_ step: Step, _ kernel: (Int64) -> Int64) {
    setMagnitude(.max, of: step.pointee.a)
    fill(step, kernel)
  }

  /// Computes a column from two others.
  @inline(__always)
  func compute(_ step: Step, _ kernel: (Int64, Int64) -> Int64) {
    setMagnitude(.max, of: step.pointee.a)
    fill(step, kernel)
  }

  @inline(__always)
  func compute(_ step: Step, _ kernel: (Int64, Int64) -> Bool) { compute(step) { kernel($0, $1) ? 1 : 0 } }

  /// Computes a column from another and the constant.
  @inline(__always)
  func computeK(_ step: Step, _ kernel: (Int64, Int64) -> Int64) {
    let constant = step.pointee.constant.immediate
    compute(step) { kernel($0, constant) }
  }

  @inline(__always)
  func computeK(_ step: Step, _ kernel: (Int64, Int64) -> Bool) { computeK(step) { kernel($0, $1) ? 1 : 0 } }

  /// - Parameter bound: Returns the largest magnitude of the results for those of the column and the constant.
  @inline(__always)
  func computeK(_ step: Step, _ kernel: (Int64, Constant) -> Int64, upTo bound: (UInt64, UInt64) -> UInt64) {
    let constant = step.pointee.constant
    setMagnitude(bound(magnitude(step.pointee.b), constant.immediate.magnitude), of: step.pointee.a)
    fill(step) { kernel($0, constant) }
  }

  // MARK: Ints that may overflow

  /// Computes a column from two others. The results are checked only if their `bound` is too large for an int.
  @inline(__always)
  mutating func compute(
    _ step: Step, _ kernel: (Int64, Int64) -> Kernel.Checked, upTo bound: (UInt64, UInt64) -> UInt64
  ) {
    let mayOverflow = mayOverflow(step, bound(magnitude(step.pointee.b), magnitude(step.pointee.c)))
    if !mayOverflow { return fill(step) { kernel($0, $1).partialValue } }
    var flaws: Int64 = 0
    fill(step) { Self.checked(kernel($0, $1), &flaws) }
    hasOverflowed = flaws != 0
  }

  @inline(__always)
  mutating func computeK(
    _ step: Step, _ kernel: (Int64, Int64) -> Kernel.Checked, upTo bound: (UInt64, UInt64) -> UInt64
  ) {
    let constant = step.pointee.constant.immediate
    compute(step, upTo: bound(magnitude(step.pointee.b), constant.magnitude)) { kernel($0, constant) }
  }

  @inline(__always)
  mutating func compute(_ step: Step, _ kernel: (Int64) -> Kernel.Checked) {
    compute(step, upTo: magnitude(step.pointee.b), kernel)
  }

  @inline(__always)
  private mutating func compute(_ step: Step, upTo magnitude: UInt64, _ kernel: (Int64) -> Kernel.Checked) {
    if !mayOverflow(step, magnitude) { return fill(step) { kernel($0).partialValue } }
    var flaws: Int64 = 0
    fill(step) { Self.checked(kernel($0), &flaws) }
    hasOverflowed = flaws != 0
  }

  @inline(__always)
  private func mayOverflow(_ step: Step, _ magnitude: UInt64) -> Bool {
    setMagnitude(magnitude, of: step.pointee.a)
    return magnitude > Int64.max.magnitude
  }

  @inline(__always)
  private static func checked(_ result: Kernel.Checked, _ flaws: inout Int64) -> Int64 {
    flaws |= result.overflow ? 1 : 0
    return result.partialValue
  }

  // MARK: Filling

  /// NB: A column that is computed in place has a loop of its own, so that the compiler can vectorize it.
  @inline(__always)
  private func fill(_ step: Step, _ body: (Int64) -> Int64) {
    let (target, source) = (column(step.pointee.a), column(step.pointee.b))
    if target == source {
      for row in 0..<count { target[row] = body(target[row]) }
    } else {
      for row in 0..<count { target[row] = body(source[row]) }
    }
  }

  @inline(__always)
  private func fill(_ step: Step, _ body: (Int64, Int64) -> Int64) {
    let (target, left, right) = (column(step.pointee.a), column(step.pointee.b), column(step.pointee.c))
    if target == left {
      for row in 0..<count { target[row] = body(target[row], right[row]) }
    } else {
      for row in 0..<count { target[row] = body(left[row], right[row]) }
    }
  }

  // MARK: Tests

  /// Drops the runs whose number fails the test, or marks those whose number passes it.
  @inline(__always)
  mutating func keep(_ step: Step, _ passes: (Int64) -> Bool) {
    let tested = column(step.pointee.b)
    if step.pointee.action == .mark { return mark(step) { passes(tested[$0]) } }
    if !step.pointee.keepsItself { return keepPlaces(step) { passes(tested[$0]) } }
    var (row, left) = (0, 0)
    // Unrolled by four, since the loop overhead equals the cost of a test. NB: The write index never passes the read
    // index.
    while row &+ 4 <= count {
      for _ in 0..<4 {
        let number = tested[row]
        tested[left] = number
        left &+= passes(number) ? 1 : 0
        row &+= 1
      }
    }
    while row < count {
      let number = tested[row]
      tested[left] = number
      left &+= passes(number) ? 1 : 0
      row &+= 1
    }
    count = left
  }

  /// Drops or marks runs by the numbers of two columns.
  @inline(__always)
  mutating func keep(_ step: Step, _ passes: (_ first: Int64, _ second: Int64) -> Bool) {
    let (first, second) = (column(step.pointee.b), column(step.pointee.c))
    if step.pointee.action == .mark { return mark(step) { passes(first[$0], second[$0]) } }
    keepPlaces(step) { passes(first[$0], second[$0]) }
  }

  /// Drops or marks runs by the numbers of a column and the constant.
  @inline(__always)
  mutating func keepK(_ step: Step, _ passes: (Int64, Int64) -> Bool) {
    let constant = step.pointee.constant.immediate
    keep(step) { passes($0, constant) }
  }

  @inline(__always)
  mutating func keepK(_ step: Step, _ passes: (Int64, Constant) -> Bool) {
    let constant = step.pointee.constant
    // NB: Two loops, so that the shift is not tested for each number.
    if constant.shift == 0 {
      let unshifted = Constant(immediate: constant.immediate, detail: constant.detail)
      keep(step) { passes($0, unshifted) }
    } else {
      keep(step) { passes($0, constant) }
    }
  }

  @inline(__always)
  private func mark(_ step: Step, where passes: (Int) -> Bool) {
    let marks = column(step.pointee.a)
    for row in 0..<count { marks[row] = passes(row) ? -1 : 0 }
  }

  @inline(__always)
  private mutating func keepPlaces(_ step: Step, where passes: (Int) -> Bool) {
    if count > 0 { keepPlaces(step, first: passes(0), where: passes) }
  }

  /// - Parameter first: Whether the first run stays; `passes` decides on the others.
  @inline(__always)
  private mutating func keepPlaces(_ step: Step, first: Bool, where passes: (Int) -> Bool) {
    var left = first ? 1 : 0
    if step.pointee.kept.isEmpty {
      for row in 1..<count { left &+= passes(row) ? 1 : 0 }
    } else {
      let places = places
      places[0] = 0
      for row in 1..<count {
        places[left] = Int64(row)
        left &+= passes(row) ? 1 : 0
      }
      if left < count { moveUp(step, left) }
    }
    count = left
  }

  /// Moves the remaining numbers to the front of the columns that are read later.
  @inline(never)
  private func moveUp(_ step: Step, _ left: Int) {
    let places = places
    for place in step.pointee.kept {
      let column = column(code.kept[place])
      for row in 0..<left { column[row] = column[Int(places[row])] }
    }
  }

  static let choosing: Loop = { columns, step in
    let (passing, other) = (columns.column(step.pointee.b), columns.column(step.pointee.c))
    let most = max(columns.magnitude(step.pointee.b), columns.magnitude(step.pointee.c))
    columns.setMagnitude(most, of: step.pointee.a)
    switch (columns.code.isConstant(step.pointee.b), columns.code.isConstant(step.pointee.c)) {
    case (true, true):
      let (all, none) = (passing[0], other[0])
      columns.choose(step) { _ in (all, none) }
    case (true, false):
      let all = passing[0]
      columns.choose(step) { (all, other[$0]) }
    case (false, true):
      let none = other[0]
      columns.choose(step) { (passing[$0], none) }
    case (false, false): columns.choose(step) { (passing[$0], other[$0]) }
    }
  }

  @inline(__always)
  private func choose(_ step: Step, _ body: (Int) -> (passing: Int64, other: Int64)) {
    let (target, marks) = (column(step.pointee.a), column(step.pointee.mask))
    for row in 0..<count {
      let (passing, other) = body(row)
      target[row] = (passing ^ other) & marks[row] ^ other
    }
  }

  static let distinctInts: Loop = { columns, step in columns.keepDistinct(step, Kernel.equalInt) }

  static let distinctDoubles: Loop = { columns, step in columns.keepDistinct(step, Kernel.equalDouble) }

  /// Drops the runs whose number equals that of the previous run.
  @inline(__always)
  private mutating func keepDistinct(
    _ step: Step, _ isSame: (_ number: Int64, _ previous: Int64) -> Bool
  ) {
    guard count > 0 else { return }
    let tested = column(step.pointee.b)
    // The first run can be dropped only if there was one before the batch.
    let isNew = cells[step.pointee.flag] == 0 || !isSame(tested[0], cells[step.pointee.cell])
    cells[step.pointee.cell] = tested[count - 1]
    cells[step.pointee.flag] = column(step.pointee.c)[0]
    keepPlaces(step, first: isNew) { !isSame(tested[$0], tested[$0 &- 1]) }
  }

  // MARK: Cells

  static let counting: Loop = { columns, step in columns.cells[step.pointee.cell] &+= Int64(columns.count) }

  static let keeping: Loop = { columns, step in
    guard columns.count > 0 else { return }
    let last = columns.code.isConstant(step.pointee.b) ? 0 : columns.count - 1
    columns.cells[step.pointee.cell] = columns.column(step.pointee.b)[last]
  }

  static let addingInts: Loop = { columns, step in
    let most = product(columns.magnitude(step.pointee.b), UInt64(columns.count))
    if !columns.mayOverflow(step, sum(most, columns.cells[step.pointee.cell].magnitude)) {
      return columns.accumulate(step) { Kernel.addInt($0, $1).partialValue }
    }
    var flaws: Int64 = 0
    columns.accumulate(step) { checked(Kernel.addInt($0, $1), &flaws) }
    columns.hasOverflowed = flaws != 0
  }

  static let addingDoubles: Loop = { columns, step in
    columns.setMagnitude(.max, of: step.pointee.a)
    columns.accumulate(step, Kernel.addDouble)
  }

  /// Adds the numbers in order; another order could give another sum.
  @inline(__always)
  private func accumulate(_ step: Step, _ kernel: (Int64, Int64) -> Int64) {
    let (sums, source) = (column(step.pointee.a), column(step.pointee.b))
    var sum = cells[step.pointee.cell]
    for row in 0..<count {
      sum = kernel(sum, source[row])
      sums[row] = sum
    }
    cells[step.pointee.cell] = sum
  }

  // MARK: Magnitudes

  /// Returns the sum, saturated at the maximum.
  @inline(__always)
  static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (sum, overflows) = left.addingReportingOverflow(right)
    return overflows ? .max : sum
  }

  /// Returns the product, saturated at the maximum.
  @inline(__always)
  static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (product, overflows) = left.multipliedReportingOverflow(by: right)
    return overflows ? .max : product
  }
}

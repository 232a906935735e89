// Loops over columns: what comes of a number is told by whoever asks for them.

extension Columns {
  /// Computes a column from another.
  @inline(__always)
  func compute(_ step: UnsafePointer<ColumnCode.Step>, _ body: (Int64) -> Int64) {
    setMagnitude(.max, of: step.pointee.a)
    fill(step, body)
  }

  /// The same from two columns.
  @inline(__always)
  func compute(_ step: UnsafePointer<ColumnCode.Step>, _ body: (_ left: Int64, _ right: Int64) -> Int64) {
    setMagnitude(.max, of: step.pointee.a)
    fill(step, body)
  }

  /// The same for ints, of which none exceeds `magnitude`: only where that may be too large they are looked at.
  ///
  /// - Parameter checked: makes `flaws` negative for what has no answer.
  @inline(__always)
  mutating func compute(
    _ step: UnsafePointer<ColumnCode.Step>, upTo magnitude: UInt64, _ body: (Int64) -> Int64,
    checked: (_ number: Int64, _ flaws: inout Int64) -> Int64
  ) {
    setMagnitude(magnitude, of: step.pointee.a)
    if magnitude <= Int64.max.magnitude { return fill(step, body) }
    var flaws: Int64 = 0
    fill(step) { checked($0, &flaws) }
    hasOverflowed = flaws < 0
  }

  /// The same from two columns.
  @inline(__always)
  mutating func compute(
    _ step: UnsafePointer<ColumnCode.Step>, upTo magnitude: UInt64, _ body: (_ left: Int64, _ right: Int64) -> Int64,
    checked: (_ left: Int64, _ right: Int64, _ flaws: inout Int64) -> Int64
  ) {
    setMagnitude(magnitude, of: step.pointee.a)
    if magnitude <= Int64.max.magnitude { return fill(step, body) }
    var flaws: Int64 = 0
    fill(step) { checked($0, $1, &flaws) }
    hasOverflowed = flaws < 0
  }

  /// NB: a loop of its own where a column is replaced, so that the compiler sees that several numbers can be computed at
  /// once.
  @inline(__always)
  private func fill(_ step: UnsafePointer<ColumnCode.Step>, _ body: (Int64) -> Int64) {
    let (target, source) = (column(step.pointee.a), column(step.pointee.b))
    if target == source {
      for row in 0..<count { target[row] = body(target[row]) }
    } else {
      for row in 0..<count { target[row] = body(source[row]) }
    }
  }

  @inline(__always)
  private func fill(_ step: UnsafePointer<ColumnCode.Step>, _ body: (Int64, Int64) -> Int64) {
    let (target, left, right) = (column(step.pointee.a), column(step.pointee.b), column(step.pointee.c))
    if target == left {
      for row in 0..<count { target[row] = body(target[row], right[row]) }
    } else {
      for row in 0..<count { target[row] = body(left[row], right[row]) }
    }
  }

  // MARK: Tests

  /// Leaves out the runs whose number does not pass, or marks those whose number does.
  @inline(__always)
  mutating func keep(_ step: UnsafePointer<ColumnCode.Step>, where passes: (Int64) -> Bool) {
    let tested = column(step.pointee.b)
    if step.pointee.action == .mark { return mark(step) { passes(tested[$0]) } }
    if !step.pointee.keepsItself { return keepPlaces(step) { passes(tested[$0]) } }
    var (row, left) = (0, 0)
    // Four in a turn, for the turn takes as long as a test. NB: nobody is ahead of the one that reads.
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

  /// The same for the numbers of two columns.
  @inline(__always)
  mutating func keep(_ step: UnsafePointer<ColumnCode.Step>, where passes: (_ first: Int64, _ second: Int64) -> Bool) {
    let (first, second) = (column(step.pointee.b), column(step.pointee.c))
    if step.pointee.action == .mark { return mark(step) { passes(first[$0], second[$0]) } }
    keepPlaces(step) { passes(first[$0], second[$0]) }
  }

  @inline(__always)
  private func mark(_ step: UnsafePointer<ColumnCode.Step>, where passes: (Int) -> Bool) {
    let marks = column(step.pointee.a)
    for row in 0..<count { marks[row] = passes(row) ? -1 : 0 }
  }

  @inline(__always)
  private mutating func keepPlaces(_ step: UnsafePointer<ColumnCode.Step>, where passes: (Int) -> Bool) {
    if count > 0 { keepPlaces(step, first: passes(0), where: passes) }
  }

  /// - Parameter first: whether the first run stays; `passes` is asked for those behind it.
  @inline(__always)
  private mutating func keepPlaces(_ step: UnsafePointer<ColumnCode.Step>, first: Bool, where passes: (Int) -> Bool) {
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

  /// Moves what is left to the front of the columns that are looked at later.
  @inline(never)
  private func moveUp(_ step: UnsafePointer<ColumnCode.Step>, _ left: Int) {
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
  private func choose(_ step: UnsafePointer<ColumnCode.Step>, _ body: (Int) -> (passing: Int64, other: Int64)) {
    let (target, marks) = (column(step.pointee.a), column(step.pointee.mask))
    for row in 0..<count {
      let (passing, other) = body(row)
      target[row] = (passing ^ other) & marks[row] ^ other
    }
  }

  static let distinctInts: Loop = { columns, step in columns.keepDistinct(step) { $0 == $1 } }

  static let distinctDoubles: Loop = { columns, step in columns.keepDistinct(step) { double($0) == double($1) } }

  /// Leaves out the runs whose number is that of the run before.
  @inline(__always)
  private mutating func keepDistinct(
    _ step: UnsafePointer<ColumnCode.Step>, _ isSame: (_ number: Int64, _ previous: Int64) -> Bool
  ) {
    guard count > 0 else { return }
    let tested = column(step.pointee.b)
    // The first is left out only if there was one before.
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
    let (sums, source) = (columns.column(step.pointee.a), columns.column(step.pointee.b))
    var sum = columns.cells[step.pointee.cell]
    let most = product(columns.magnitude(step.pointee.b), UInt64(columns.count))
    let magnitude = Columns.sum(most, sum.magnitude)
    columns.setMagnitude(magnitude, of: step.pointee.a)
    if magnitude <= Int64.max.magnitude {
      for row in 0..<columns.count {
        sum &+= source[row]
        sums[row] = sum
      }
    } else {
      var hasOverflowed = false
      for row in 0..<columns.count {
        let next = sum.addingReportingOverflow(source[row])
        hasOverflowed = next.overflow || hasOverflowed
        sum = next.partialValue
        sums[row] = sum
      }
      columns.hasOverflowed = hasOverflowed
    }
    columns.cells[step.pointee.cell] = sum
  }

  /// One after the other, for another order would give another sum.
  static let addingDoubles: Loop = { columns, step in
    let (sums, source) = (columns.column(step.pointee.a), columns.column(step.pointee.b))
    var sum = Double(bitPattern: UInt64(bitPattern: columns.cells[step.pointee.cell]))
    for row in 0..<columns.count {
      sum += Double(bitPattern: UInt64(bitPattern: source[row]))
      sums[row] = sum.bits
    }
    columns.cells[step.pointee.cell] = sum.bits
    columns.setMagnitude(.max, of: step.pointee.a)
  }

  // MARK: Magnitudes

  /// The sum, or the greatest number.
  @inline(__always)
  static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (sum, overflows) = left.addingReportingOverflow(right)
    return overflows ? .max : sum
  }

  /// The product, or the greatest number.
  @inline(__always)
  static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (product, overflows) = left.multipliedReportingOverflow(by: right)
    return overflows ? .max : product
  }
}

// What is done with unboxed slots. `then` goes on at the next operation, with the result at hand.

extension Cursor {
  @inline(__always)
  func double(_ slot: Int) -> Double { Double(bitPattern: UInt64(bitPattern: slots[slot])) }

  @inline(__always)
  func uint(_ slot: Int) -> UInt64 { UInt64(bitPattern: slots[slot]) }

  @inline(__always) var leftDouble: Double { double(b) }
  @inline(__always) var rightDouble: Double { double(c) }
  @inline(__always) var leftUInt: UInt64 { uint(b) }
  @inline(__always) var rightUInt: UInt64 { uint(c) }

  /// A result that may have overflowed.
  @inline(__always)
  func write(
    _ result: (partialValue: Int64, overflow: Bool), then: (Cursor, Int64) -> Int = { next, _ in next.run() }
  ) -> Int {
    if result.overflow { return leave() }
    slots[a] = result.partialValue
    return then(next, result.partialValue)
  }

  @inline(__always)
  func write(_ result: (partialValue: UInt64, overflow: Bool)) -> Int {
    result.overflow ? leave() : write(Int64(bitPattern: result.partialValue))
  }

  // MARK: Ints

  @inline(__always)
  func addIntK(then: (Cursor, Int64) -> Int) -> Int { write(left.addingReportingOverflow(immediate), then: then) }

  @inline(__always)
  func multiplyIntK(then: (Cursor, Int64) -> Int) -> Int {
    write(left.multipliedReportingOverflow(by: immediate), then: then)
  }

  @inline(__always)
  func addInt(then: (Cursor, Int64) -> Int) -> Int { write(left.addingReportingOverflow(right), then: then) }

  @inline(__always)
  func count(then: (Cursor) -> Int) -> Int {
    slots[a] &+= 1
    return then(next)
  }

  /// Counts, where that comes next, and goes on.
  @inline(__always)
  func counting() -> Int { operation.pointee.opcode == .count ? count { $0.run() } : run() }

  @inline(__always)
  func move(then: (Cursor) -> Int) -> Int {
    slots[a] = left
    return then(next)
  }

  /// A move of what is at hand.
  @inline(__always)
  func copy(_ bits: Int64) -> Int {
    slots[a] = bits
    return next.runOrEnd()
  }

  @inline(__always)
  func divideInt() -> Int {
    let (dividend, divisor) = (left, right)
    return divisor == 0 || divisor == -1 && dividend == .min ? leave() : write(dividend / divisor)
  }

  @inline(__always)
  func remainderInt() -> Int {
    let divisor = right
    if divisor == 0 { return leave() }
    return write(divisor == -1 ? 0 : left % divisor)
  }

  /// The quotient by the constant's magnitude.
  @inline(__always)
  private var quotient: Int64 {
    Reciprocal.quotient(left, factor: operation.pointee.detail, shift: operation.pointee.shift)
  }

  static let dividing: Handler = {
    Cursor.at($0, $1, $2) { cursor in
      let sign = cursor.immediate &>> 63
      return cursor.write((cursor.quotient ^ sign) &- sign)
    }
  }

  static let takingRemainder: Handler = {
    // The rest has the sign of what is divided, whatever the divisor's is.
    Cursor.at($0, $1, $2) { $0.write($0.left &- $0.quotient &* Int64(bitPattern: UInt64($0.immediate.magnitude))) }
  }

  /// Whether an int lies in the range that a comparison comes to.
  @inline(__always)
  func isWithin(_ number: Int64) -> Bool {
    UInt64(bitPattern: number &- immediate) <= UInt64(bitPattern: operation.pointee.detail)
  }

  /// Whether an int is a multiple of the constant.
  @inline(__always)
  func isMultiple(_ number: Int64) -> Bool {
    DivisibilityTest.isMultiple(
      number, inverse: immediate, bound: operation.pointee.detail, shift: operation.pointee.shift)
  }

  /// Whether the rest of a division is as the constant's lower half has it.
  @inline(__always)
  func hasRemainder(_ number: Int64) -> Bool {
    number % (immediate >> 32) == Int64(Int32(truncatingIfNeeded: immediate))
  }

  // MARK: Doubles

  @inline(__always)
  func doubleToInt() -> Int {
    let number = leftDouble
    guard number > -0x1p63, number < 0x1p63 else { return leave() }
    return write(Int64(number))
  }

  @inline(__always)
  func addDouble(then: (Cursor, Int64) -> Int) -> Int {
    let sum = (leftDouble + rightDouble).bits
    slots[a] = sum
    return then(next, sum)
  }

  // MARK: Branches

  /// Goes on at the next operation where this is true, and jumps where it is not.
  @inline(__always)
  func branch(unless isTrue: Bool, then: (Cursor) -> Int = { $0.run() }) -> Int {
    isTrue ? then(next) : jump()
  }
}

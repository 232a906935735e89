extension Opcode {
  /// What a branch tests a slot for, with a constant.
  enum Test {
    /// Whether it has none of the constant's bits, or any.
    case mask, noMask
    case divisible, indivisible
    /// Whether it is in a range of ints, or outside of it.
    case within, without
    /// How a double compares to the constant. What is not less need not be more.
    case less, notMore, more, notLess
  }

  /// Nil for what is no branch of this kind.
  var test: Test? {
    switch self {
    case .branchUnlessMultiple: .mask
    case .branchIfMultiple: .noMask
    case .branchUnlessDivisible: .divisible
    case .branchIfDivisible: .indivisible
    case .branchUnlessLessIntK, .branchUnlessLessOrEqualIntK, .branchUnlessGreaterIntK,
      .branchUnlessGreaterOrEqualIntK, .branchUnlessEqualIntK:
      .within
    case .branchUnlessUnequalIntK: .without
    case .branchUnlessLessDoubleK: .less
    case .branchUnlessLessOrEqualDoubleK: .notMore
    case .branchUnlessGreaterDoubleK: .more
    case .branchUnlessGreaterOrEqualDoubleK: .notLess
    default: nil
    }
  }

  /// The ints of which a comparison with a constant is true, or false where it is for being unequal; nil for none.
  func range(of constant: Int64) -> ClosedRange<Int64>? {
    switch self {
    case .branchUnlessLessIntK: constant == .min ? nil : .min...constant - 1
    case .branchUnlessLessOrEqualIntK: .min...constant
    case .branchUnlessGreaterIntK: constant == .max ? nil : constant + 1 ... .max
    case .branchUnlessGreaterOrEqualIntK: constant ... .max
    default: constant...constant
    }
  }
}

// Branches on a result that is at hand. Where they do not jump, a count often follows.

extension Cursor {
  @inline(__always)
  func testMask(_ number: Int64) -> Int { branch(unless: number & immediate == 0) { $0.counting() } }

  @inline(__always)
  func testNoMask(_ number: Int64) -> Int { branch(unless: number & immediate != 0) { $0.counting() } }

  @inline(__always)
  func testDivisible(_ number: Int64) -> Int { branch(unless: isMultiple(number)) { $0.counting() } }

  @inline(__always)
  func testIndivisible(_ number: Int64) -> Int { branch(unless: !isMultiple(number)) { $0.counting() } }

  @inline(__always)
  func testWithin(_ number: Int64) -> Int { branch(unless: isWithin(number)) { $0.counting() } }

  @inline(__always)
  func testWithout(_ number: Int64) -> Int { branch(unless: !isWithin(number)) { $0.counting() } }

  @inline(__always)
  func testLess(_ bits: Int64) -> Int { branch(unless: Self.double(bits) < number) { $0.counting() } }

  @inline(__always)
  func testNotMore(_ bits: Int64) -> Int { branch(unless: Self.double(bits) <= number) { $0.counting() } }

  @inline(__always)
  func testMore(_ bits: Int64) -> Int { branch(unless: Self.double(bits) > number) { $0.counting() } }

  @inline(__always)
  func testNotLess(_ bits: Int64) -> Int { branch(unless: Self.double(bits) >= number) { $0.counting() } }

  @inline(__always)
  private static func double(_ bits: Int64) -> Double { Double(bitPattern: UInt64(bitPattern: bits)) }
}

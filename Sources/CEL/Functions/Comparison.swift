public import StreamCore

package enum Comparison: Sendable {
  case less, lessOrEqual, greater, greaterOrEqual

  package var sign: String {
    switch self {
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }

  var function: String { "_\(sign)_" }

  @inline(__always)
  func apply<Operand: Comparable>(_ a: Operand, _ b: Operand) -> Bool {
    switch self {
    case .less: a < b
    case .lessOrEqual: a <= b
    case .greater: a > b
    case .greaterOrEqual: a >= b
    }
  }

  /// Returns the result of the comparison of values of any types; false for NaN.
  package func apply(_ left: Value, _ right: Value, _ activation: Activation) throws(EvaluationError) -> Bool {
    switch (left, right) {
    case (.double(let a), .double(let b)): return apply(a, b)
    case (.int(let a), .int(let b)): return apply(a, b)
    default: break
    }
    if let order = try left.order(right, activation) { return apply(order, 0) }
    if left.asDouble != nil && right.asDouble != nil { return false }
    throw .noOverload(sign, left, right)
  }
}

extension Value {
  /// Returns whether both values are equal in CEL: numbers by value across types, without rounding, NaN unequal to
  /// itself, lists and maps by their contents.
  public func isEqual(to other: Value) -> Bool {
    switch (self, other) {
    case (.list, .list), (.map, .map), (.opaque, .opaque):
      return PartwiseComparison.areEqual(self, other, by: CELEquality.rule)
    default: return CELEquality.areLeavesEqual(self, other)
    }
  }

  /// Returns -1, 0 or 1 for the order of both values by the operators `<` and `>`; nil if they cannot be compared.
  public func order(_ other: Value) -> Int? {
    switch (self, other) {
    case (.bool(let a), .bool(let b)): (a ? 1 : 0) - (b ? 1 : 0)
    case (.int(let a), .int(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.uint(let a), .uint(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.double(let a), .double(let b)): Value.order(a, b)
    case (.int(let a), .uint(let b)): a < 0 ? -1 : Value.order(UInt64(a), b)
    case (.uint(let a), .int(let b)): b < 0 ? 1 : Value.order(a, UInt64(b))
    // NB: An integer and a double are compared as doubles, as CEL's conformance tests demand.
    case (.int(let a), .double(let b)): Value.order(Double(a), b)
    case (.double(let a), .int(let b)): Value.order(a, Double(b))
    case (.uint(let a), .double(let b)): Value.order(Double(a), b)
    case (.double(let a), .uint(let b)): Value.order(a, Double(b))
    case (.string(let a), .string(let b)): Value.order(a, b)
    case (.bytes(let a), .bytes(let b)): Value.order(a, b)
    case (.timestamp(let a), .timestamp(let b)): a < b ? -1 : a == b ? 0 : 1
    case (.duration(let a), .duration(let b)): a < b ? -1 : a == b ? 0 : 1
    default: nil
    }
  }

  /// Returns the same order as `order`, but compares numbers of two types exactly, as `==` does: sorting and the
  /// greatest value need a consistent order beyond 2^53 too, where several ints round to one double.
  package func exactOrder(_ other: Value) -> Int? {
    switch (self, other) {
    case (.int(let a), .double(let b)): Value.exactOrder(a, b)
    case (.double(let a), .int(let b)): Value.exactOrder(b, a).map { -$0 }
    case (.uint(let a), .double(let b)): Value.exactOrder(a, b)
    case (.double(let a), .uint(let b)): Value.exactOrder(b, a).map { -$0 }
    default: order(other)
    }
  }

  private static func exactOrder<Integer: FixedWidthInteger>(_ a: Integer, _ b: Double) -> Int? {
    if b.isNaN { return nil }
    let floor = b.rounded(.down)
    guard let whole = Integer(exactly: floor) else { return b < 0 ? 1 : -1 }
    if a != whole { return a < whole ? -1 : 1 }
    return floor < b ? -1 : 0
  }

  private static func order(_ a: UInt64, _ b: UInt64) -> Int { a < b ? -1 : a > b ? 1 : 0 }

  private static func order(_ a: Double, _ b: Double) -> Int? { a < b ? -1 : a > b ? 1 : a == b ? 0 : nil }

  /// Returns the order by Unicode scalars, which is the order of the UTF-8 bytes.
  private static func order(_ a: String, _ b: String) -> Int {
    a.utf8.withContiguousStorageIfAvailable { a in
      b.utf8.withContiguousStorageIfAvailable { b in order(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b)) }
        ?? order(Array(a), Array(b.utf8))
    } ?? order(Array(a.utf8), Array(b.utf8))
  }

  private static func order(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.withUnsafeBytes { a in b.withUnsafeBytes { b in order(a, b) } }
  }

  /// Returns the order by bytes; a prefix precedes a longer sequence.
  private static func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let count = min(a.count, b.count)
    var offset = 0
    // Skip equal words.
    while offset + 8 <= count,
      a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        == b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    { offset += 8 }
    while offset < count {
      if a[offset] != b[offset] { return a[offset] < b[offset] ? -1 : 1 }
      offset += 1
    }
    return a.count < b.count ? -1 : a.count == b.count ? 0 : 1
  }
}

/// CEL's equality.
private final class CELEquality: PartEquality, Sendable {
  static let rule = CELEquality()

  let isReflexive = false  // NaN is not

  func areEqual(_ first: Value, _ second: Value) -> Bool { Self.areLeavesEqual(first, second) }

  static func areLeavesEqual(_ first: Value, _ second: Value) -> Bool {
    switch (first, second) {
    case (.int(let a), .int(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    default: first == second || first.equalsOtherNumber(second)
    }
  }
}

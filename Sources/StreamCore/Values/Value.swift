/// A value in a stream or the result of an expression: JSON's types and the types CEL adds.
///
/// ```swift
/// let order: Value = ["id": 7, "items": ["tea", "milk"], "paid": true]
/// let first = order["items"]?[0]?.string
/// ```
///
/// `==` compares representations: `int(1)` and `double(1)` differ, `NaN` equals itself, and maps compare without regard
/// to order. The CEL library implements the `==` of expressions, and `MapKey` that of keys. Equal keys have equal hashes.
public enum Value: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case double(Double)
  case string(String)
  case bytes([UInt8])
  case list(ValueList)
  case map(ValueMap)
  case timestamp(Timestamp)
  case duration(Duration)
  /// A value that exists only in expressions (a type, an optional); never read from JSON.
  case opaque(any OpaqueValue)
}

/// A value of a type unknown to the core: CEL's types and optionals.
///
/// ```swift
/// if case .opaque(let object) = value { problems.append("a stream cannot store a value of type \(object.typeName)") }
/// ```
public protocol OpaqueValue: AnyObject, Sendable, CustomStringConvertible {
  /// The name that `type(value)` shows.
  var typeName: String { get }
  /// Returns whether both represent the same value.
  func isEqual(to other: any OpaqueValue) -> Bool
  /// Feeds the properties compared by `isEqual` to the hasher.
  func hash(into hasher: inout Hasher)
}

/// A value that wraps another one: CEL's optionals.
package protocol WrappingValue: OpaqueValue {
  var wrapped: Value? { get }
}

extension Value: Hashable {
  public static func == (lhs: Value, rhs: Value) -> Bool {
    switch (lhs, rhs) {
    case (.list, .list), (.map, .map), (.opaque, .opaque):
      return PartwiseComparison.areEqual(lhs, rhs, by: Representation.rule)
    default: return Representation.areLeavesEqual(lhs, rhs)
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .list, .map, .opaque:
      let start = hasher
      hasher = DeepStack.run { levels in
        var hasher = start
        var parts = Self.hashedParts
        return hash(into: &hasher, parts: &parts, levels: levels) ? hasher : nil
      }
    default:
      // Most keys are scalars, which have no levels.
      var parts = 1
      _ = hash(into: &hasher, parts: &parts, levels: 0)
    }
  }

  /// Maximum number of parts of a value that are hashed. Shared parts count at each occurrence, since a value may have
  /// too many of them to walk.
  private static let hashedParts = 1_000_000

  /// Feeds at most `parts` parts to the hasher, and subtracts their number.
  ///
  /// - Returns: Whether the value has at most `levels` levels; otherwise the hash is invalid.
  private func hash(into hasher: inout Hasher, parts: inout Int, levels: Int) -> Bool {
    parts -= 1
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value):
      hasher.combine(1 as UInt8)
      hasher.combine(value)
    // Equal numbers of different types have one hash.
    case .int(let value): hasher.combine(int: value)
    case .uint(let value): hasher.combine(uint: value)
    case .double(let value):
      if let int = Int64(exactly: value) {
        hasher.combine(int: int)
      } else if let uint = UInt64(exactly: value) {
        hasher.combine(uint: uint)
      } else {
        hasher.combine(4 as UInt8)
        hasher.combine(value.isNaN ? .nan : value)
      }
    case .string(let value):
      hasher.combine(5 as UInt8)
      hasher.combineText(of: value)
    case .bytes(let value):
      hasher.combine(6 as UInt8)
      hasher.combine(value)
    case .list(let items):
      hasher.combine(7 as UInt8)
      hasher.combine(items.count)
      if levels == 0 { return items.isEmpty }
      for item in items {
        if parts <= 0 { break }
        guard item.hash(into: &hasher, parts: &parts, levels: levels - 1) else { return false }
      }
    case .map(let map):
      hasher.combine(8 as UInt8)
      hasher.combine(map.count)
      // Maps are equal in any order, so the hash must not depend on the order.
      let share = map.isEmpty ? 0 : max(0, parts) / map.count
      var (sum, fed) = (0, 0)
      if levels == 0 { return map.isEmpty }
      for (key, value) in map.pairs {
        var inner = Hasher()
        inner.combine(key)
        var rest = share
        guard rest == 0 || value.hash(into: &inner, parts: &rest, levels: levels - 1) else { return false }
        fed += share - rest
        sum = sum &+ inner.finalize()
      }
      hasher.combine(sum)
      parts -= fed
    case .timestamp(let value):
      hasher.combine(9 as UInt8)
      hasher.combine(value)
    case .duration(let value):
      hasher.combine(10 as UInt8)
      hasher.combine(value)
    case .opaque(let value as any WrappingValue):
      hasher.combine(12 as UInt8)
      guard let wrapped = value.wrapped, parts > 0 else { break }
      return levels > 0 && wrapped.hash(into: &hasher, parts: &parts, levels: levels - 1)
    case .opaque(let value):
      hasher.combine(11 as UInt8)
      value.hash(into: &hasher)
    }
    return true
  }
}

/// Equality by representation, the rule of `Value`'s `==`.
private final class Representation: PartEquality, Sendable {
  static let rule = Representation()

  let isReflexive = true

  func areEqual(_ first: Value, _ second: Value) -> Bool { Self.areLeavesEqual(first, second) }

  static func areLeavesEqual(_ first: Value, _ second: Value) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.double(let a), .double(let b)): a == b || (a.isNaN && b.isNaN)
    case (.string(let a), .string(let b)): a.isSameText(as: b)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.timestamp(let a), .timestamp(let b)): a == b
    case (.duration(let a), .duration(let b)): a == b
    case (.opaque(let a), .opaque(let b)): a === b || a.isEqual(to: b)
    default: false
    }
  }

  func value(for key: Value, in map: ValueMap) -> Value? {
    // Numbers of two types may be the same key; here they differ.
    map.shape.index(of: key).flatMap { map.shape.keys[$0] == key ? map.slots[$0] : nil }
  }
}

extension String {
  /// Returns whether both strings have the same Unicode scalars: the equality of JSON and CEL, without canonical
  /// equivalence.
  public func isSameText(as other: String) -> Bool {
    if hasSameBits(as: other) { return true }
    guard utf8.count == other.utf8.count else { return false }
    return utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) } ?? bytes.elementsEqual(other.utf8)
    } ?? utf8.elementsEqual(other.utf8)
  }
}

extension String {
  /// Returns whether both strings have the same bits: equal short strings, and copies of one long string. False for all
  /// where a string is not two words of 64 bits.
  package func hasSameBits(as other: String) -> Bool {
    typealias Bits = (UInt64, UInt64)
    guard MemoryLayout<String>.size == MemoryLayout<Bits>.size else { return false }
    return unsafeBitCast(self, to: Bits.self) == unsafeBitCast(other, to: Bits.self)
  }
}

extension Hasher {
  fileprivate mutating func combine(int: Int64) {
    combine(2 as UInt8)
    combine(int)
  }

  fileprivate mutating func combine(uint: UInt64) {
    if let int = Int64(exactly: uint) { return combine(int: int) }
    combine(3 as UInt8)
    combine(uint)
  }

  /// Feeds the scalars compared by `isSameText(as:)` to the hasher.
  ///
  /// NB: `String`'s own hash normalizes the text. Normalization is slow. It also lets an attacker create any number of
  /// strings with the same hash: all forms of a text with accented letters.
  fileprivate mutating func combineText(of text: String) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { combine(bytes: UnsafeRawBufferPointer($0)) }
    if isDone == nil { for byte in text.utf8 { combine(byte) } }
    combine(0xFF as UInt8)
  }
}

extension Value {
  /// The name of the value's type in CEL.
  public var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .list: "list"
    case .map: "map"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .opaque(let value): value.typeName
    }
  }
}

// NB: No `nil` literal: `condition ? value : nil` would then be `.null` where `Optional.none` is meant.
extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
  public init(dictionaryLiteral elements: (Value, Value)...) { self = .map(ValueMap(elements)) }
}

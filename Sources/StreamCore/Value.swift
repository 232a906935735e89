/// A value that travels in a stream or comes out of an expression: JSON's types and those that CEL adds.
///
/// `==` and `hash(into:)` are by representation: `int(1)` and `double(1)` differ, `NaN` equals itself, and maps compare
/// without regard to order. What an expression means by `==` is the CEL library's affair.
public enum Value: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case double(Double)
  case string(String)
  case bytes([UInt8])
  case list([Value])
  case map(ValueMap)
  case timestamp(Timestamp)
  case duration(Duration)
  /// What only expressions know (a type, an optional): never read from JSON.
  case opaque(any OpaqueValue)
}

/// A value of a kind that the core does not know: CEL's types and optionals.
public protocol OpaqueValue: AnyObject, Sendable, CustomStringConvertible {
  /// The name that `type(value)` shows.
  var typeName: String { get }
  /// Whether both stand for the same value.
  func isEqual(to other: any OpaqueValue) -> Bool
  /// Feeds what `isEqual` compares.
  func hash(into hasher: inout Hasher)
}

extension Value: Hashable {
  public static func == (lhs: Value, rhs: Value) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.double(let a), .double(let b)): a == b || (a.isNaN && b.isNaN)
    case (.string(let a), .string(let b)): a.isSameText(as: b)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.list(let a), .list(let b)): DeepStack.run(needing: DeepStack.partBytes) { a == b }
    case (.map(let a), .map(let b)): DeepStack.run(needing: DeepStack.partBytes) { a == b }
    case (.timestamp(let a), .timestamp(let b)): a == b
    case (.duration(let a), .duration(let b)): a == b
    case (.opaque(let a), .opaque(let b)): a === b || a.isEqual(to: b)
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value):
      hasher.combine(1 as UInt8)
      hasher.combine(value)
    case .int(let value):
      hasher.combine(2 as UInt8)
      hasher.combine(value)
    case .uint(let value):
      hasher.combine(3 as UInt8)
      hasher.combine(value)
    case .double(let value):
      hasher.combine(4 as UInt8)
      hasher.combine(value.isNaN ? .nan : value)
    case .string(let value):
      hasher.combine(5 as UInt8)
      hasher.combineText(of: value)
    case .bytes(let value):
      hasher.combine(6 as UInt8)
      hasher.combine(value)
    case .list(let value):
      hasher.combine(7 as UInt8)
      DeepStack.run(needing: DeepStack.partBytes) { hasher.combine(value) }
    case .map(let value):
      hasher.combine(8 as UInt8)
      DeepStack.run(needing: DeepStack.partBytes) { hasher.combine(value) }
    case .timestamp(let value):
      hasher.combine(9 as UInt8)
      hasher.combine(value)
    case .duration(let value):
      hasher.combine(10 as UInt8)
      hasher.combine(value)
    case .opaque(let value):
      hasher.combine(11 as UInt8)
      value.hash(into: &hasher)
    }
  }
}

extension String {
  /// Whether both hold the same Unicode scalars: JSON's and CEL's equality, which knows no canonical equivalence.
  public func isSameText(as other: String) -> Bool {
    if hasSameBits(as: other) { return true }
    guard utf8.count == other.utf8.count else { return false }
    return utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) } ?? bytes.elementsEqual(other.utf8)
    } ?? utf8.elementsEqual(other.utf8)
  }
}

extension String {
  /// Whether both are written with the same bits: short texts that are equal, and copies of one long text.
  package func hasSameBits(as other: String) -> Bool {
    typealias Bits = (UInt64, UInt64)
    return unsafeBitCast(self, to: Bits.self) == unsafeBitCast(other, to: Bits.self)
  }
}

extension Hasher {
  /// Feeds what `isSameText(as:)` compares.
  ///
  /// NB: `String`'s own hash is of the normalized text. That takes long, and gives as many different texts as one likes
  /// one hash: all forms of a text in which letters have accents.
  fileprivate mutating func combineText(of text: String) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { combine(bytes: UnsafeRawBufferPointer($0)) }
    if isDone == nil { for byte in text.utf8 { combine(byte) } }
    combine(0xFF as UInt8)
  }
}

extension Value {
  /// The name of the value's type, in CEL's words.
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

// NB: no `nil` literal: `condition ? value : nil` would then be `.null` where `Optional.none` is meant.
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

import CEL
import StreamCore

/// Where the result of a part of a program is, and what is known of it.
struct Part {
  enum Location {
    /// The same in every run.
    case constant(Value)
    /// In this slot. The values are of exactly this type: an int that stands for a double is none.
    case scalar(Scalar, Int)
    /// In this boxed register.
    case value(Int)
  }

  var location: Location
  /// What is known or likely of a boxed value's type. It decides which instructions are tried, never what comes out.
  var type: CELType

  init(_ location: Location, _ type: CELType = .dyn) {
    self.location = location
    self.type = type
  }

  static func scalar(_ scalar: Scalar, _ slot: Int) -> Part { Part(.scalar(scalar, slot), scalar.type) }

  static func constant(_ value: Value) -> Part { Part(.constant(value), CELType.of(value)) }

  /// The scalar that the result is, whether it is known beforehand or not.
  var scalar: Scalar? {
    switch location {
    case .constant(let value): Scalar(value)
    case .scalar(let scalar, _): scalar
    case .value: nil
    }
  }

  var constant: Value? {
    if case .constant(let value) = location { return value }
    return nil
  }

  /// Whether it certainly, or likely, has no parts.
  var isPlain: Bool {
    switch constant.map(CELType.of) ?? type {
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration: true
    default: scalar != nil
    }
  }

  /// Whether a constant is worth knowing where it is used.
  var isFoldable: Bool { constant.map { $0 == .null || Scalar($0) != nil } ?? false }

  /// The result's bits, where it is a scalar known beforehand.
  var bits: Int64? { constant?.scalarBits }
}

extension Scalar {
  /// The scalar of values of this type.
  init?(_ type: CELType) {
    switch type {
    case .int: self = .int
    case .uint: self = .uint
    case .double: self = .double
    case .bool: self = .bool
    default: return nil
    }
  }

  init?(_ value: Value) {
    switch value {
    case .int: self = .int
    case .uint: self = .uint
    case .double: self = .double
    case .bool: self = .bool
    default: return nil
    }
  }

  var type: CELType {
    switch self {
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .bool: .bool
    }
  }

  var isNumber: Bool { self != .bool }

  /// The value that a slot's bits stand for.
  @inline(__always)
  func value(_ bits: Int64) -> Value {
    switch self {
    case .int: .int(bits)
    case .uint: .uint(UInt64(bitPattern: bits))
    case .double: .double(Double(bitPattern: UInt64(bitPattern: bits)))
    case .bool: .bool(bits != 0)
    }
  }

  /// The instruction that takes a scalar out of its box.
  var unboxing: Opcode {
    switch self {
    case .int: .unboxInt
    case .uint: .unboxUInt
    case .double: .unboxDouble
    case .bool: .unboxBool
    }
  }
}

extension Value {
  /// What a slot holds for this value.
  @inline(__always)
  var scalarBits: Int64? {
    switch self {
    case .int(let number): number
    case .uint(let number): Int64(bitPattern: number)
    case .double(let number): Int64(bitPattern: number.bitPattern)
    case .bool(let flag): flag ? 1 : 0
    default: nil
    }
  }
}

import CEL
import StreamCore

/// The location and the known or likely type of an intermediate result of a program.
struct Part {
  enum Location {
    /// A value that is the same in every run.
    case constant(Value)
    /// A slot. Its values have exactly this type: an int never represents a double.
    case scalar(Scalar, Int)
    /// A boxed register.
    case value(Int)
  }

  var location: Location
  /// The known or likely type of a boxed value. It decides which instructions are tried, never the result.
  var type: CELType

  init(_ location: Location, _ type: CELType = .dyn) {
    self.location = location
    self.type = type
  }

  static func scalar(_ scalar: Scalar, _ slot: Int) -> Part { Part(.scalar(scalar, slot), scalar.type) }

  static func constant(_ value: Value) -> Part { Part(.constant(value), CELType.of(value)) }

  /// The scalar type of the result, constant or not; nil for other constants and boxed values.
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

  var isDouble: Bool { scalar == .double }

  /// Whether the part is in a boxed register.
  var isBoxed: Bool {
    if case .value = location { return true }
    return false
  }

  /// Whether the value certainly or probably has no elements or fields.
  var isPlain: Bool {
    switch constant.map(CELType.of) ?? type {
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration: true
    default: scalar != nil
    }
  }

  /// Whether the part is a constant that is worth folding into its uses.
  var isFoldable: Bool { constant.map { $0 == .null || Scalar($0) != nil } ?? false }

  /// The bits of a constant scalar; nil for other parts.
  var bits: Int64? { constant?.scalarBits }
}

extension Scalar {
  /// Creates the scalar for values of this type; nil if they are not scalars.
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

  /// Returns the value that the bits of a slot represent.
  @inline(__always)
  func value(_ bits: Int64) -> Value {
    switch self {
    case .int: .int(bits)
    case .uint: .uint(UInt64(bitPattern: bits))
    case .double: .double(Double(bitPattern: UInt64(bitPattern: bits)))
    case .bool: .bool(bits != 0)
    }
  }

  /// The instruction that unboxes a scalar of this type.
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
  /// The bits that represent this value in a slot; nil if it is not a scalar.
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

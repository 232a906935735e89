/// A set of kinds of types. A kind does not include element types and other type arguments.
struct TypeKinds: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  static let all = TypeKinds(rawValue: .max)
  /// A type that may be any type.
  static let open = TypeKinds(rawValue: 1)
  static let null = TypeKinds(rawValue: 1 << 1)
  static let bool = TypeKinds(rawValue: 1 << 2)
  static let int = TypeKinds(rawValue: 1 << 3)
  static let uint = TypeKinds(rawValue: 1 << 4)
  static let double = TypeKinds(rawValue: 1 << 5)
  static let string = TypeKinds(rawValue: 1 << 6)
  static let bytes = TypeKinds(rawValue: 1 << 7)
  static let timestamp = TypeKinds(rawValue: 1 << 8)
  static let duration = TypeKinds(rawValue: 1 << 9)
  static let type = TypeKinds(rawValue: 1 << 10)
  static let list = TypeKinds(rawValue: 1 << 11)
  static let map = TypeKinds(rawValue: 1 << 12)
  static let record = TypeKinds(rawValue: 1 << 13)
  static let optional = TypeKinds(rawValue: 1 << 14)
  static let opaque = TypeKinds(rawValue: 1 << 15)
  static let nullable = TypeKinds(rawValue: 1 << 16)

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The kind of a type.
  init(of type: CELType) {
    switch type {
    case .dyn, .undetermined, .parameter: self = .open
    case .null: self = .null
    case .bool: self = .bool
    case .int: self = .int
    case .uint: self = .uint
    case .double: self = .double
    case .string: self = .string
    case .bytes: self = .bytes
    case .timestamp: self = .timestamp
    case .duration: self = .duration
    case .type: self = .type
    case .list: self = .list
    case .map: self = .map
    case .record: self = .record
    case .optional: self = .optional
    case .opaque: self = .opaque
    case .nullable: self = .nullable
    case .choice: self = TypeKinds(of: type.base)
    }
  }

  /// The kinds of the arguments that a parameter accepts.
  init(takenBy parameter: CELType) {
    switch parameter {
    case .dyn, .undetermined, .parameter: self = .all
    case .map: self = [.open, .map, .record]
    case .optional: self = [.open, .optional, .null]
    case .timestamp: self = [.open, .timestamp, .null]
    case .duration: self = [.open, .duration, .null]
    default: self = [.open, TypeKinds(of: parameter)]
    }
  }

  /// The kinds, with those of the numbers that widen to doubles if doubles are accepted.
  var widened: TypeKinds { contains(.double) ? union([.int, .uint]) : self }
}

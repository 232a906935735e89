public import StreamCore

/// The known type of an expression.
public indirect enum CELType: Hashable, Sendable {
  /// Any type: the type is not known before the evaluation.
  case dyn
  case null, bool, int, uint, double, string, bytes, timestamp, duration
  /// The type of a type: for `int` it is `type(int)`.
  case type(CELType)
  case list(CELType)
  case map(CELType, CELType)
  /// A map with exactly these string keys.
  case record([RecordField])
  case optional(CELType)
  /// A value of a type, or null.
  case nullable(CELType)
  /// One of these strings, or one of these ints.
  case choice([Value])
  /// A type that only functions create and accept, by its name.
  case opaque(String, [CELType] = [])
  /// Any type in a function's signature, the same at each occurrence.
  case parameter(String)
  /// The element type of an empty list, compatible with every type.
  case undetermined
}

/// A field of a record.
public struct RecordField: Hashable, Sendable {
  public let name: String
  public let type: CELType
  /// Whether a record may lack the field.
  public let isOptional: Bool

  public init(_ name: String, _ type: CELType, isOptional: Bool = false) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
  }

  /// The field with another type.
  func with(_ type: CELType) -> RecordField { RecordField(name, type, isOptional: isOptional) }
}

extension RecordField: CustomStringConvertible {
  public var description: String { "\(name)\(isOptional ? "?" : ""): \(type)" }
}

extension CELType: CustomStringConvertible {
  public var description: String {
    switch self {
    case .dyn, .undetermined: "dyn"
    case .null: "null_type"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .type(.dyn): "type"
    case .type(let type): "type(\(type))"
    case .list(let element): "list(\(element))"
    case .map(let key, let value): "map(\(key), \(value))"
    case .record(let fields): "{\(fields.map(\.description).joined(separator: ", "))}"
    case .optional(let type): "optional_type(\(type))"
    case .nullable(let type): "\(type)?"
    case .choice(let values): "{enum: [\(values.map(JSONWriter.compact).joined(separator: ", "))]}"
    case .opaque(let name, []): name
    case .opaque(let name, let parameters): "\(name)(\(parameters.map(\.description).joined(separator: ", ")))"
    case .parameter(let name): name
    }
  }

  /// The type with an article, for use in a sentence: `an int`, `a list`.
  var phrase: String {
    switch self {
    case .dyn, .undetermined: "a value"
    case .null: "null"
    case .int: "an int"
    case .bytes: "bytes"
    case .type: "a type"
    case .list: "a list"
    case .map: "a map"
    case .record: "a record"
    case .optional: "an optional"
    case .nullable(let type): "\(type.phrase) or null"
    case .choice: base.phrase
    default: "a \(self)"
    }
  }

  var isNumber: Bool { self == .int || self == .uint || self == .double }
  var isMap: Bool {
    switch self {
    case .map, .record: true
    default: false
    }
  }
  /// Whether the type is known only at run time.
  var isOpen: Bool { self == .dyn || self == .undetermined }
}

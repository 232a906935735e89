public import StreamCore

extension CELType {
  /// Whether a value is of this type.
  public func accepts(_ value: Value) -> Bool {
    switch (self, value) {
    case (.dyn, _), (.undetermined, _), (.parameter, _): true
    case (.null, .null), (.bool, .bool), (.int, .int), (.uint, .uint), (.string, .string), (.bytes, .bytes): true
    case (.double, .double): true
    case (.timestamp, .timestamp), (.duration, .duration): true
    case (.list(let element), .list(let elements)): element.isOpen || elements.allSatisfy(element.accepts)
    case (.map(let key, let value), .map(let map)):
      (key.isOpen || map.keys.allSatisfy(key.accepts)) && (value.isOpen || map.slots.allSatisfy(value.accepts))
    case (.record(let fields), .map(let map)):
      fields.allSatisfy { field in map[field.name].map(field.type.accepts) ?? field.isOptional }
    case (.nullable(let type), _): value == .null || type.accepts(value)
    case (.choice(let values), _): values.contains(value)
    case (.type, .opaque(let opaque)): opaque is TypeValue
    case (.optional, .opaque(let opaque)): opaque.typeName == "optional_type"
    case (.opaque(let name, _), .opaque(let opaque)): opaque.typeName == name
    default: false
    }
  }

  /// Returns the type of a value. Lists and maps are inspected to a depth of eight levels.
  public static func of(_ value: Value) -> CELType { of(value, depth: 8) }

  private static func of(_ value: Value, depth: Int) -> CELType {
    switch value {
    case .null: return .null
    case .bool: return .bool
    case .int: return .int
    case .uint: return .uint
    case .double: return .double
    case .string: return .string
    case .bytes: return .bytes
    case .timestamp: return .timestamp
    case .duration: return .duration
    case .list(let elements): return .list(common(elements, depth: depth))
    case .map(let map):
      if map.isEmpty { return .map(.dyn, .dyn) }
      return .map(common(map.keys, depth: depth), common(map.slots, depth: depth))
    case .opaque(let opaque):
      if opaque is TypeValue { return .type(.dyn) }
      return opaque.typeName == "optional_type" ? .optional(.dyn) : .opaque(opaque.typeName)
    }
  }

  private static func common(_ values: some Sequence<Value>, depth: Int) -> CELType {
    guard depth > 0 else { return .dyn }
    var result = CELType.undetermined
    for value in values {
      result = result.joined(with: of(value, depth: depth - 1))
      if result == .dyn { break }
    }
    return result.settled
  }
}

/// A type as a value of expressions: `int`, or the result of `type(1)`.
final class TypeValue: OpaqueValue {
  let name: String

  init(_ name: String) { self.name = name }

  var typeName: String { "type" }
  var description: String { name }
  func isEqual(to other: any OpaqueValue) -> Bool { (other as? TypeValue)?.name == name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The names of types in an expression, with the types that they denote.
  static let named: [String: CELType] = [
    "bool": .bool, "int": .int, "uint": .uint, "double": .double, "string": .string, "bytes": .bytes,
    "null_type": .null, "list": .list(.dyn), "map": .map(.dyn, .dyn), "type": .type(.dyn),
    "google.protobuf.Timestamp": .timestamp, "google.protobuf.Duration": .duration,
    "optional_type": .optional(.dyn), "net.IP": NetworkAddress.type, "net.CIDR": NetworkRange.type,
  ]
}

extension Value {
  /// The result of `type(value)`.
  var typeValue: Value {
    switch self {
    case .null: .opaque(TypeValue("null_type"))
    case .timestamp: .opaque(TypeValue("google.protobuf.Timestamp"))
    case .duration: .opaque(TypeValue("google.protobuf.Duration"))
    default: .opaque(TypeValue(typeName))
    }
  }
}

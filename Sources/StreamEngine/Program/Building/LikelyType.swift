package import CEL
@_spi(Engine) package import StreamCore

extension CELType {
  /// The maximum number of fields of a record that predicts the type of others.
  private static let fieldLimit = 64
  private static let depthLimit = 4

  /// Returns the likely type of values like this one; nil if it does not improve a program.
  package static func likely(_ value: Value) -> CELType? { likely(value, depth: depthLimit) }

  private static func likely(_ value: Value, depth: Int) -> CELType? {
    switch value {
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .bool: .bool
    case .string: .string
    case .map(let map): depth > 0 ? likely(map, depth: depth - 1) : nil
    case .null, .bytes, .list, .timestamp, .duration, .opaque: nil
    }
  }

  private static func likely(_ map: ValueMap, depth: Int) -> CELType? {
    guard map.count <= fieldLimit else { return nil }
    var fields: [RecordField] = []
    for (key, value) in map.pairs {
      guard case .string(let name) = key else { return nil }
      fields.append(RecordField(name, likely(value, depth: depth) ?? .dyn))
    }
    return .record(fields)
  }

  /// The type of a record with these values, if some types are known; nil for many values.
  static func record(_ shape: Shape, _ types: [CELType]) -> CELType? {
    guard types.count <= fieldLimit else { return nil }
    var fields: [RecordField] = []
    for (key, type) in zip(shape.keys, types) {
      guard case .string(let name) = key else { return nil }
      fields.append(RecordField(name, type))
    }
    return .record(fields)
  }

  var isRecord: Bool {
    if case .record = self { return true }
    return false
  }
}

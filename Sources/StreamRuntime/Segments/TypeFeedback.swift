internal import CEL
internal import StreamCore

/// The likely types of the values that a segment computes with, which are more specific than the certain ones.
struct TypeFeedback: Hashable {
  /// The likely type of the input; nil if unknown.
  var input: CELType?
  /// The likely types of the cells, in order of creation.
  var cells: [CELType?] = []
  /// The likely types of the values of a join with which the program begins.
  var tuple: [CELType] = []
}

extension CELType {
  /// The maximum number of fields of a record that predicts the type of others.
  private static let fieldLimit = 64
  private static let depthLimit = 4

  /// Returns the likely type of values like this one; nil if it does not improve a program.
  static func likely(_ value: Value) -> CELType? { likely(value, depth: depthLimit) }

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
}

internal import CEL
internal import StreamCore

/// What is likely of the values that a segment computes with, where less is certain.
struct TypeFeedback: Hashable {
  /// Nil where nothing is.
  var input: CELType?
  /// In the order in which cells are made.
  var cells: [CELType?] = []
  /// Of the values of a join with which the program begins.
  var tuple: [CELType] = []
}

extension CELType {
  /// Of more fields than these a record tells nothing about others.
  private static let fieldLimit = 64
  private static let depthLimit = 4

  /// The type that values like this one are likely to have, as far as a program is better for knowing it; else nil.
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

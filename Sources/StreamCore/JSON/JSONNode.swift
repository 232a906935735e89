/// A JSON text as a tree that keeps the spelling of numbers and escapes, and the order of keys.
package indirect enum JSONNode: JSONLaidOut, Hashable, Sendable {
  /// A string, number, Boolean or null, as spelled in the text.
  case scalar(ArraySlice<UInt8>)
  case list([JSONNode])
  case object(keys: [Key], values: [JSONNode])

  /// A key as spelled in the text, with its quotation marks.
  package typealias Key = ArraySlice<UInt8>

  /// Creates the tree of a value with the writer's spelling. A value that is deeper than any document is one piece of
  /// text, since a tree is released recursively.
  package init(_ value: Value) {
    guard !value.isDeeper(than: JSONLimits.greatestDepth) else {
      var bytes: [UInt8] = []
      JSONWriter.append(value, to: &bytes)
      self = .scalar(bytes[...])
      return
    }
    self = DeepStack.run(levelsOf: value) { Self.node(value) }
  }

  private static func node(_ value: Value) -> JSONNode {
    switch value {
    case .list(let items): return .list(items.map(node))
    case .map(let map): return .object(keys: map.keys.map { key($0) }, values: map.slots.map(node))
    default:
      var bytes: [UInt8] = []
      JSONWriter.appendScalar(value, to: &bytes)
      return .scalar(bytes[...])
    }
  }

  /// Creates the tree of a place in a text, with its spelling.
  package init(_ place: JSONPlace) { self = DeepStack.run(levelsOf: place.value) { Self.node(place) } }

  private static func node(_ place: JSONPlace) -> JSONNode {
    let bytes = place.document.source.bytes
    switch place.value {
    case .list: return .list(place.children.map(node))
    case .map:
      let children = place.children
      return .object(keys: children.map { bytes[$0.key ?? 0..<0] }, values: children.map(node))
    default: return .scalar(bytes[place.bytes])
    }
  }

  /// Returns a key with the writer's spelling.
  package static func key(_ key: Value) -> Key {
    var bytes: [UInt8] = []
    JSONWriter.appendKey(key, to: &bytes)
    return bytes[...]
  }

  package var layoutParts: JSONParts<JSONNode, Key> {
    switch self {
    case .scalar: .scalar
    case .list(let items): .list(items)
    case .object(let keys, let values): .object(keys, values)
    }
  }

  package func appendScalar(to bytes: inout [UInt8]) {
    if case .scalar(let text) = self { bytes += text }
  }

  package static func append(_ key: Key, to bytes: inout [UInt8]) { bytes += key }
}

/// A value that can be laid out on several lines.
package protocol JSONLaidOut {
  associatedtype Key
  /// The elements or members; none for a scalar.
  var layoutParts: JSONParts<Self, Key> { get }
  /// Appends a value that is neither an array nor an object.
  func appendScalar(to bytes: inout [UInt8])
  /// Writes a key with its quotation marks.
  static func append(_ key: Key, to bytes: inout [UInt8])
}

/// A list, an object or neither; an object has as many keys as values.
package enum JSONParts<Element, Key> {
  case scalar
  case list([Element])
  case object([Key], [Element])

  var isScalar: Bool { if case .scalar = self { true } else { false } }
}

extension Value: JSONLaidOut {
  package var layoutParts: JSONParts<Value, Value> {
    switch self {
    case .list(let items): .list(items.elements)
    case .map(let map): .object(map.keys, Array(map.slots))
    case .opaque(let wrapper as any WrappingValue): (wrapper.wrapped ?? .null).layoutParts
    default: .scalar
    }
  }

  package func appendScalar(to bytes: inout [UInt8]) { JSONWriter.appendScalar(self, to: &bytes) }

  package static func append(_ key: Value, to bytes: inout [UInt8]) { JSONWriter.appendKey(key, to: &bytes) }
}

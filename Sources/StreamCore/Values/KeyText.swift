/// Keys as JSON text: equal keys have the same text.
///
/// Neither the types of numbers nor the order of a map's members count, as for `MapKey`.
package enum KeyText {
  /// Returns the text of a key.
  ///
  /// - Throws: `wrongType` for a value that has no text, such as an optional.
  package static func bytes(of key: Value) throws(Diagnostic) -> [UInt8] {
    var bytes: [UInt8] = []
    try append(key, to: &bytes)
    return bytes
  }

  package static func append(_ key: Value, to bytes: inout [UInt8]) throws(Diagnostic) {
    switch key.asKey {
    case .int(let number): bytes.append(contentsOf: String(number).utf8)
    case let key: bytes.append(contentsOf: JSONWriter.compact(try canonical(key).taggedForJSON).utf8)
    }
  }

  /// Returns the form that all equal keys have in common.
  package static func canonical(_ value: Value) -> Value {
    switch value {
    case .list(let items): return .list(items.map(canonical))
    case .map(let map):
      let members = map.pairs.map { (name: JSONWriter.compact($0), pair: (canonical($0), canonical($1))) }
      return .map(ValueMap(members.sorted { $0.name < $1.name }.map(\.pair)))
    case .double(let number): return UInt64(exactly: number).map { Value.uint($0).asKey } ?? value.asKey
    default: return value.asKey
    }
  }

  /// Whether the text of a key gives back this key, and not only an equal one.
  package static func keepsForm(of key: Value) -> Bool {
    switch key {
    case .uint, .double, .list, .map: false
    default: true
    }
  }

  /// Returns the canonical form of the key with a text; nil if it is not the text of a key.
  package static func value(of bytes: [UInt8]) -> Value? {
    guard let document = try? JSONDocument(reading: bytes, file: "key") else { return nil }
    return try? Value(taggedForJSON: document.value)
  }
}

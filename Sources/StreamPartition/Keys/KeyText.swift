internal import StreamCore

/// Keys as JSON text: equal keys have the same text.
///
/// A number of any type that equals an int is that int, as for `groupBy`. Within lists and maps the types of numbers
/// count, and the order of a map's members does not.
enum KeyText {
  /// Returns the text of a key.
  ///
  /// - Throws: `wrongType` for a value that has no text, such as an optional.
  static func bytes(of key: Value) throws(Diagnostic) -> [UInt8] {
    var bytes: [UInt8] = []
    try append(key, to: &bytes)
    return bytes
  }

  static func append(_ key: Value, to bytes: inout [UInt8]) throws(Diagnostic) {
    switch key.asKey {
    case .int(let number): bytes.append(contentsOf: String(number).utf8)
    case let key: bytes.append(contentsOf: JSONWriter.compact(try ordered(key).taggedForJSON).utf8)
    }
  }

  /// Returns the value with the members of all maps in one order.
  private static func ordered(_ value: Value) -> Value {
    switch value {
    case .list(let items): return .list(items.map(ordered))
    case .map(let map):
      let members = map.pairs.map { (name: JSONWriter.compact($0), pair: ($0, ordered($1))) }
      return .map(ValueMap(members.sorted { $0.name < $1.name }.map(\.pair)))
    default: return value
    }
  }

  /// Returns the key of a text; nil if it is not one.
  static func value(of bytes: [UInt8]) -> Value? {
    guard let document = try? JSONDocument(reading: bytes, file: "key") else { return nil }
    return try? Value(taggedForJSON: document.value)
  }
}

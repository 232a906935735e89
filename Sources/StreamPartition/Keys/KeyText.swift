internal import StreamCore

/// Keys as JSON text: equal keys have the same text.
enum KeyText {
  /// Returns the text of a key. A number that equals an int is written as that int.
  static func bytes(of key: Value) -> [UInt8] {
    var bytes: [UInt8] = []
    append(key, to: &bytes)
    return bytes
  }

  static func append(_ key: Value, to bytes: inout [UInt8]) {
    switch key.asKey {
    case .int(let number): bytes.append(contentsOf: String(number).utf8)
    case let key: bytes.append(contentsOf: JSONWriter.compact((try? key.taggedForJSON) ?? .null).utf8)
    }
  }

  /// Returns the key of a text; nil if it is not one.
  static func value(of bytes: [UInt8]) -> Value? {
    guard let document = try? JSONDocument(reading: bytes, file: "key") else { return nil }
    return try? Value(taggedForJSON: document.value)
  }
}

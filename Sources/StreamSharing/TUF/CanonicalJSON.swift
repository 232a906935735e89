internal import StreamCore

/// Canonical JSON, the form in which TUF signs metadata.
///
/// Keys are sorted by their code points, strings escape `"` and `\` only, and there are no fractions. It differs from
/// RFC 8785 in its escapes and in the order of keys outside the basic plane. Source: OLPC wiki, "Canonical JSON".
enum CanonicalJSON {
  /// Returns the canonical form.
  ///
  /// - Throws: `malformed` for numbers with a fraction or an exponent, which have no canonical form.
  static func bytes(_ value: Value, of subject: String) throws(TrustError) -> [UInt8] {
    var bytes: [UInt8] = []
    try append(value, to: &bytes, subject)
    return bytes
  }

  // Recursion is bounded by the depth that `MetadataReader` permits.
  private static func append(_ value: Value, to bytes: inout [UInt8], _ subject: String) throws(TrustError) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let flag): bytes += (flag ? "true" : "false").utf8
    case .int(let number): bytes += String(number).utf8
    case .string(let text): append(text, to: &bytes)
    case .list(let elements):
      bytes.append(UInt8(ascii: "["))
      for (place, element) in elements.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        try append(element, to: &bytes, subject)
      }
      bytes.append(UInt8(ascii: "]"))
    case .map(let map):
      let members = map.pairs.map { (key: $0.text ?? "", value: $1) }
        .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      bytes.append(UInt8(ascii: "{"))
      for (place, member) in members.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        append(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        try append(member.value, to: &bytes, subject)
      }
      bytes.append(UInt8(ascii: "}"))
    default:
      throw TrustError(.malformed, subject, "signed metadata contains a number with a fraction or an exponent")
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

/// Percent-encoding of one name of a path (RFC 3986).
package enum PercentEncoding {
  package static func encode(_ name: some StringProtocol) -> String {
    var text = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        text += "%" + Hexadecimal.text([byte]).uppercased()
      }
    }
    return text
  }

  /// Returns the name; nil if a percent sign is not followed by two hexadecimal digits, or the bytes are not UTF-8.
  package static func decode(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let decoded = Hexadecimal.bytes(String(decoding: rest.prefix(2), as: UTF8.self)), decoded.count == 1 else {
        return nil
      }
      bytes += decoded
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

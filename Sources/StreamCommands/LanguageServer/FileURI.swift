/// `file:` URIs, by which editors name files.
enum FileURI {
  /// The path of a URI; nil for one that names no file of this machine.
  static func path(_ uri: String) -> String? {
    let scheme = "file://"
    let start = uri.utf8.prefix(scheme.utf8.count)
    guard Substring(start).lowercased() == scheme else { return nil }
    let rest = uri.utf8[start.endIndex...]
    guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let host = String(decoding: rest[..<slash], as: UTF8.self)
    guard host.isEmpty || host == "localhost" else { return nil }
    var bytes: [UInt8] = []
    var place = slash
    while place < rest.endIndex {
      let byte = rest[place]
      if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
      place = rest.index(after: place)
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest[place...].prefix(2)
      guard digits.count == 2, let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), code != 0 else {
        return nil
      }
      bytes.append(code)
      place = rest.index(place, offsetBy: 2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The URI of an absolute path.
  static func uri(_ path: String) -> String {
    var text = "file://"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return text
  }
}

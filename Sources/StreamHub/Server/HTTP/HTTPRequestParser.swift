/// Reads the head of HTTP/1.1 requests (RFC 9112), strictly: a head that two programs could read differently is refused,
/// so that no request can be hidden from a proxy in front.
struct HTTPRequestParser {
  let limits: HTTPLimits

  /// Reads the head at the beginning of `bytes`.
  ///
  /// - Parameter searched: The number of bytes that earlier calls have searched for the end of the head.
  /// - Returns: The head and its length; nil if more bytes have to arrive.
  func parse(
    _ bytes: [UInt8], searched: inout Int
  ) throws(HTTPFailure) -> (head: HTTPRequestHead, length: Int)? {
    // A client may send an empty line between requests.
    let start = bytes.starts(with: [carriageReturn, lineFeed]) ? 2 : 0
    guard let end = try findEnd(bytes, start, &searched) else { return nil }
    guard end <= limits.headBytes else { throw tooLarge }
    searched = 0
    var lines = bytes[start..<end - 4].split(separator: lineFeed, omittingEmptySubsequences: false).map { line in
      line.last == carriageReturn ? line.dropLast() : line
    }[...]
    let (method, target, isVersion11) = try requestLine(lines.popFirst() ?? [])
    guard lines.count <= limits.fieldCount else {
      throw HTTPFailure(431, "more than \(limits.fieldCount) header fields")
    }
    var fields: [HTTPRequestHead.Field] = []
    for line in lines { fields.append(try field(line)) }
    let hosts = fields.count { $0.name == "host" }
    guard hosts == 1 || (hosts == 0 && !isVersion11) else {
      throw HTTPFailure(400, hosts == 0 ? "the header has no field 'Host'" : "the header has several fields 'Host'")
    }
    let body = try body(fields, isVersion11: isVersion11)
    return (
      HTTPRequestHead(method: method, target: target, isVersion11: isVersion11, fields: fields, body: body), end
    )
  }

  private var tooLarge: HTTPFailure { HTTPFailure(431, "the header has more than \(limits.headBytes) bytes") }

  /// The length of the head with the empty line at its end; nil if it is incomplete.
  private func findEnd(_ bytes: [UInt8], _ start: Int, _ searched: inout Int) throws(HTTPFailure) -> Int? {
    for index in max(start, searched)..<max(bytes.count, start) where bytes[index] == lineFeed {
      guard index > start, bytes[index - 1] == carriageReturn else {
        throw HTTPFailure(400, "a line ends without a carriage return")
      }
      if index >= start + 3, bytes[index - 2] == lineFeed { return index + 1 }
    }
    searched = bytes.count
    guard bytes.count <= limits.headBytes else {
      // A request line that never ends is a target that is too long.
      throw bytes.contains(lineFeed)
        ? tooLarge : HTTPFailure(414, "the target has more than \(limits.targetBytes) bytes")
    }
    return nil
  }

  private func requestLine(
    _ line: ArraySlice<UInt8>
  ) throws(HTTPFailure) -> (method: String, target: String, isVersion11: Bool) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].count <= 32, parts[0].allSatisfy(Self.isToken) else {
      throw HTTPFailure(400, "the request line is not a method, a target and a version")
    }
    let version = String(decoding: parts[2], as: UTF8.self)
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw version.hasPrefix("HTTP/")
        ? HTTPFailure(505, "this server speaks HTTP/1.1") : HTTPFailure(400, "the request line has no version")
    }
    guard parts[1].count <= limits.targetBytes else {
      throw HTTPFailure(414, "the target has more than \(limits.targetBytes) bytes")
    }
    guard !parts[1].isEmpty, parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw HTTPFailure(400, "the target has characters that must be percent-encoded")
    }
    let target = try Self.originForm(String(decoding: parts[1], as: UTF8.self))
    return (String(decoding: parts[0], as: UTF8.self), target, version == "HTTP/1.1")
  }

  /// The path and the query of a target, which may be a whole address.
  private static func originForm(_ target: String) throws(HTTPFailure) -> String {
    if target.utf8.first == UInt8(ascii: "/") { return target }
    for scheme in ["http://", "https://"] where target.lowercased().hasPrefix(scheme) {
      let rest = target.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
      return rest.utf8.first == UInt8(ascii: "/") ? String(rest) : "/" + rest
    }
    throw HTTPFailure(400, "the target is not a path")
  }

  private func field(_ line: ArraySlice<UInt8>) throws(HTTPFailure) -> HTTPRequestHead.Field {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(Self.isToken)
    else { throw HTTPFailure(400, "a header field has no name") }
    var value = line[(colon + 1)...]
    while let first = value.first, Self.isSpace(first) { value.removeFirst() }
    while let last = value.last, Self.isSpace(last) { value.removeLast() }
    guard value.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
      throw HTTPFailure(400, "a header field contains a control character")
    }
    return HTTPRequestHead.Field(
      name: String(decoding: line[..<colon], as: UTF8.self).lowercased(), value: String(decoding: value, as: UTF8.self))
  }

  private func body(
    _ fields: [HTTPRequestHead.Field], isVersion11: Bool
  ) throws(HTTPFailure) -> HTTPRequestHead.Body {
    let lengths = fields.filter { $0.name == "content-length" }
    let encodings = fields.filter { $0.name == "transfer-encoding" }
    guard lengths.count + encodings.count <= 1 else {
      throw HTTPFailure(400, "the header states the length of the body more than once")
    }
    if let length = lengths.first?.value {
      guard !length.isEmpty, length.utf8.count <= 15, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(length)
      else { throw HTTPFailure(400, "'Content-Length' is not a number") }
      return number == 0 ? .none : .length(number)
    }
    guard let encoding = encodings.first?.value else { return .none }
    guard isVersion11 else { throw HTTPFailure(400, "HTTP/1.0 has no 'Transfer-Encoding'") }
    guard encoding.lowercased() == "chunked" else {
      throw HTTPFailure(501, "the only transfer encoding of this server is 'chunked'")
    }
    return .chunked
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Whether the byte may be part of a method or a field name.
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

let carriageReturn = UInt8(ascii: "\r")
let lineFeed = UInt8(ascii: "\n")

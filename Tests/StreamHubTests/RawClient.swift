#if Sharing
import CLibrary
import Foundation
@_spi(Engine) import StreamCore
import Testing

/// A response as it was received.
struct Reply {
  var status = 0
  /// The header, with names in lower case.
  var fields: [String: String] = [:]
  var body: [UInt8] = []
  /// Whether the server has closed the connection after it.
  var isClosed = false

  var text: String { String(decoding: body, as: UTF8.self) }

  var json: Value {
    var reader = JSONReader()
    return (try? reader.read(body)) ?? .null
  }
}

/// A client that sends any bytes, so that it can send malformed requests.
final class RawClient {
  private let socket: Int32
  private var input: [UInt8] = []

  init(_ port: UInt16) throws {
    socket = CLibrary.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let number = socket
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        connect(number, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(status == 0)
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { CLibrary.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads more bytes. Returns false at the end.
  private func fill() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &bytes, bytes.count, 0)
    guard count > 0 else { return false }
    input += bytes[..<count]
    return true
  }

  /// Reads the next line without its end; nil at the end of the connection.
  private func line() -> String? {
    while true {
      if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
        let line = input[..<end]
        input.removeFirst(end + 1)
        return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
      }
      guard fill() else { return nil }
    }
  }

  /// Reads a response.
  ///
  /// - Parameter hasBody: False after HEAD.
  func reply(hasBody: Bool = true) throws -> Reply {
    var reply = Reply()
    let first = try #require(line(), "the server has closed the connection")
    reply.status = try #require(Int(first.split(separator: " ")[1]))
    while let line = line(), !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1)
      reply.fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
    }
    let count = hasBody && reply.status != 304 ? reply.fields["content-length"].flatMap { Int($0) } ?? 0 : 0
    while input.count < count { guard fill() else { break } }
    reply.body = Array(input.prefix(count))
    input.removeFirst(min(count, input.count))
    if reply.fields["connection"] == "close", count > 0 || reply.status >= 400 { reply.isClosed = !fill() }
    return reply
  }

  /// Reads the next event, or comment, as its lines; nil at the end of the connection.
  func event() -> [String]? {
    var lines: [String] = []
    while let line = line() {
      if !line.isEmpty {
        lines.append(line)
      } else if !lines.isEmpty {
        return lines
      }
    }
    return nil
  }

  /// Whether the server closes the connection.
  var isEnded: Bool {
    while fill() { input = [] }
    return true
  }

  /// Sends a request on a new connection, and reads the response.
  static func send(
    _ method: String, _ path: String, to port: UInt16, _ fields: [String: String] = [:], body: [UInt8]? = nil
  ) throws -> Reply {
    let client = try RawClient(port)
    client.send(request(method, path, fields, body: body))
    return try client.reply(hasBody: method != "HEAD")
  }

  static func request(
    _ method: String, _ path: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
  ) -> [UInt8] {
    var text = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    if let body { text += "Content-Length: \(body.count)\r\n" }
    return Array((text + "\r\n").utf8) + (body ?? [])
  }
}
#endif

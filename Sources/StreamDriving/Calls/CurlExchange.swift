@_spi(Engine) internal import StreamCore
internal import StreamKit

/// A request that `curl` sends, and what it has printed.
struct CurlExchange {
  let address: String
  /// Lines of the header; one that begins with `@` names a file with such lines.
  let headers: [String]
  /// The longest time of the exchange, in seconds.
  let timeout: Double

  /// The arguments of `curl`. Addresses and headers, which may be secret, are in its configuration.
  static let arguments = ["--disable", "--config", "/dev/fd/3"]

  /// The configuration of `curl`, which reads the body of the request from standard input.
  var configuration: [UInt8] {
    var lines = ["url = \(Self.quoted(address))", "data-binary = \"@-\"", "max-time = \(timeout)"]
    lines += ["silent", "globoff", "proto = \"=http,https\"", "user-agent = \"streamrun\""]
    let standard = ["Content-Type: application/json", "Accept: application/json", "Expect:"]
    let given = Set(headers.map(Self.name))
    lines += (standard.filter { !given.contains(Self.name($0)) } + headers).map { "header = \(Self.quoted($0))" }
    lines.append("write-out = \"\\n%{http_code} %{redirect_url}\\n%{errormsg}\"")
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static func name(_ header: String) -> String { header.prefix { $0 != ":" }.lowercased() }

  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\t", with: "\\t"))\""
  }

  /// The address without what may be secret: a user, a password and the query.
  var shownAddress: String {
    let text = address.prefix { $0 != "?" && $0 != "#" }
    let scheme = text.prefix { $0 != ":" }
    let rest = text.dropFirst(scheme.count + 3)
    let host = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(host.count)
    return "\(scheme)://\(host.lastIndex(of: "@").map { host[host.index(after: $0)...] } ?? host)\(path)"
  }

  // MARK: The result

  /// Why an exchange has not led to a value.
  struct Problem: Error, Equatable {
    let message: String
    /// The status of the response; 0 if there was none.
    let status: Int64
    /// The body of the response: JSON, or else a string.
    var body = Value.null

    /// The error value of the failure.
    var payload: Value {
      [
        "code": .string(DiagnosticCode.callFailed.rawValue), "message": .string(message), "status": .int(status),
        "body": body,
      ]
    }
  }

  /// The longest body of a failed response that becomes part of the error value, in bytes.
  private static let longestBody = 64 * 1024

  /// Returns the value of the response.
  ///
  /// - Parameters:
  ///   - output: The body, a line with the status, and a line with an error message.
  ///   - code: The exit code of `curl`; nil if a signal has ended it.
  func value(of output: [UInt8], code: Int32?, _ reader: inout JSONReader) throws(Problem) -> Value {
    let ends = output.indices.reversed().lazy.filter { output[$0] == UInt8(ascii: "\n") }.prefix(2)
    guard let code, ends.count == 2, let errorEnd = ends.first, let bodyEnd = ends.last else {
      throw Problem(message: "curl has ended without a result", status: 0)
    }
    let words = String(decoding: output[(bodyEnd + 1)..<errorEnd], as: UTF8.self).split(separator: " ")
    let status = words.first.flatMap { Int64($0) } ?? 0
    let error = String(decoding: output[(errorEnd + 1)...], as: UTF8.self)
    if code == 28 {
      throw Problem(message: "\(shownAddress) has not answered within \(timeout.shortText) seconds", status: 0)
    }
    guard code == 0 else {
      let reason = error.isEmpty ? "curl has ended with exit code \(code)" : error
      throw Problem(message: "\(shownAddress) cannot be reached: \(reason)", status: 0)
    }
    let body = output[..<bodyEnd]
    guard (200..<300).contains(status) else {
      let redirect = words.count > 1 ? ", a redirection to \(words[1])" : ""
      throw Problem(
        message: "\(shownAddress) has answered with status \(status)\(redirect)", status: status,
        body: Self.value(ofFailed: body, &reader))
    }
    if body.allSatisfy({ $0 <= 0x20 }) { return .null }
    do throws(JSONError) {
      return try reader.read(Array(body))
    } catch {
      throw Problem(
        message: "\(shownAddress) has answered with text that is not JSON: \(error.message)", status: status,
        body: Self.value(ofFailed: body, &reader))
    }
  }

  private static func value(ofFailed body: ArraySlice<UInt8>, _ reader: inout JSONReader) -> Value {
    if body.isEmpty { return .null }
    let beginning = body.prefix(longestBody)
    if beginning.count == body.count, let json = try? reader.read(Array(body)) { return json }
    return .string(String(decoding: beginning, as: UTF8.self))
  }
}

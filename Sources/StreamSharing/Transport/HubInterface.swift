internal import Foundation
@_spi(Engine) package import StreamCore
internal import Synchronization

/// Requests to the interface of a hub, with a token.
package struct HubInterface: Sendable {
  private let hub: String
  private let token: String
  private let timeout: Double

  /// A response.
  package struct Response: Sendable {
    package let status: Int
    /// The entity tag; nil if there is none.
    package let tag: String?
    /// The JSON of the body; null if it is something else.
    package let json: Value

    package var isSuccess: Bool { (200..<300).contains(status) }

    /// The reason of an error, for people.
    package var detail: String { json.member("detail")?.text ?? "the hub replied with status \(status)" }
  }

  private struct Received {
    var tag: String?
    var bytes: [UInt8] = []
  }

  /// Maximum length of a response, in bytes. Further bytes are dropped.
  private static let bodyLimit = 1024 * 1024

  /// - Parameters:
  ///   - hub: The address of the hub, `http` or `https`.
  ///   - token: The token.
  ///   - timeout: Maximum duration of one request, in seconds.
  package init(_ hub: String, token: String, timeout: Double = 60) throws(TrustError) {
    _ = try HTTPExchange.url(hub, "v1")
    self.hub = hub
    self.token = token
    self.timeout = timeout
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - path: The path, percent-encoded, such as `v1/streams`.
  ///   - conditions: Further fields of the header, such as `if-match`.
  ///   - body: The body, JSON.
  /// - Throws: `unreachable` if there is no response, or not all of it.
  package func send(
    _ method: String, _ path: String, conditions: [String: String] = [:], body: [UInt8]? = nil
  ) async throws(TrustError) -> Response {
    var headers = conditions
    headers["authorization"] = "Bearer \(token)"
    if body != nil { headers["content-type"] = "application/json" }
    let received = Mutex(Received())
    let exchange = HTTPExchange(
      HTTPExchange.Request(
        url: try HTTPExchange.url(hub, path), method: method, headers: headers, body: body, pause: timeout,
        duration: timeout)
    ) { head in
      received.withLock { $0.tag = head.tag }
      return true
    } receive: { bytes in
      received.withLock { received in
        received.bytes += bytes
        return received.bytes.count <= Self.bodyLimit
      }
    }
    let outcome = try await exchange.run()
    guard outcome.isWhole else {
      let advice = method == "GET" ? "" : "; 'streamhub list' shows whether the hub has made the change"
      throw TrustError(.unreachable, hub, "the reply was cut off" + advice)
    }
    let (tag, bytes) = received.withLock { ($0.tag, $0.bytes) }
    var reader = JSONReader()
    return Response(status: outcome.status, tag: tag, json: (try? reader.read(bytes)) ?? .null)
  }
}

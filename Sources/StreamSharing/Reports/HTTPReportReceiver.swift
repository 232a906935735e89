#if Sharing
internal import Foundation
internal import StreamCore

/// Sends reports to a hub, each with one `POST` to `v1/reports`.
public struct HTTPReportReceiver: ReportReceiver {
  private let url: URL
  private let token: String
  private let timeout: Double

  /// Creates a receiver.
  ///
  /// - Parameters:
  ///   - hub: The address of the hub, `http` or `https`.
  ///   - token: A token with the scope `report`.
  ///   - timeout: Maximum duration of one request, in seconds. Default 30.
  /// - Throws: `unreachable` for an address of another kind.
  public init(_ hub: String, token: String, timeout: Double = 30) throws(TrustError) {
    url = try HTTPExchange.url(hub, "v1/reports")
    self.token = token
    self.timeout = timeout
  }

  /// Sends a report.
  ///
  /// - Throws: `unreachable` if the hub does not reply, or not with a status of success.
  public func receive(_ report: StreamReport) async throws(TrustError) {
    let exchange = HTTPExchange(
      HTTPExchange.Request(
        url: url, method: "POST",
        headers: ["content-type": "application/json", "authorization": "Bearer \(token)"],
        body: Array(JSONWriter.compact(report.json).utf8), pause: timeout, duration: timeout),
      accept: { _ in false })
    let status = try await exchange.run().status
    guard (200..<300).contains(status) else {
      throw TrustError(.unreachable, "reports", "the hub replied with status \(status)")
    }
  }
}
#endif

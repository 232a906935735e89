internal import StreamCore

/// Sends reports to a hub, each with one `POST` to `v1/reports`.
public struct HTTPReportReceiver: ReportReceiver {
  private let hub: HubInterface

  /// Creates a receiver.
  ///
  /// - Parameters:
  ///   - hub: The address of the hub, `http` or `https`.
  ///   - token: A token with the scope `report`.
  ///   - timeout: Maximum duration of one request, in seconds. Default 30.
  /// - Throws: `unreachable` for an address of another kind.
  public init(_ hub: String, token: String, timeout: Double = 30) throws(TrustError) {
    self.hub = try HubInterface(hub, token: token, timeout: timeout)
  }

  /// Sends a report.
  ///
  /// - Throws: `unreachable` if the hub does not reply, or not with a status of success.
  public func receive(_ report: StreamReport) async throws(TrustError) {
    let response = try await hub.send("POST", "v1/reports", body: Array(JSONWriter.compact(report.json).utf8))
    guard response.isSuccess else {
      throw TrustError(.unreachable, "reports", "the hub replied with status \(response.status)")
    }
  }
}

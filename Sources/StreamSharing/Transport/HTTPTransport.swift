#if Sharing
internal import Foundation
internal import Synchronization

/// A repository on a web server, object store or content delivery network.
///
/// A file is read with one `GET`. 404 and 403 mean that there is no such file, as object stores answer either.
public struct HTTPTransport: RepositoryTransport {
  private let base: String
  private let timeout: Double

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - url: The address of the folder, `http` or `https`.
  ///   - timeout: Maximum duration of one request, in seconds, however slowly its bytes arrive. Default 60.
  /// - Throws: `unreachable` for an address of another kind.
  public init(_ url: String, timeout: Double = 60) throws(TrustError) {
    guard let parsed = URL(string: url), ["http", "https"].contains(parsed.scheme?.lowercased()), parsed.host != nil
    else { throw TrustError(.unreachable, url, "expected an address that begins with http:// or https://") }
    base = url.hasSuffix("/") ? url : url + "/"
    self.timeout = timeout
  }

  public func read(_ path: String, atMost limit: Int) async throws(TrustError) -> [UInt8]? {
    // The names are percent-encoded, so none of them can be `..` to a server that decodes a path before it splits it.
    guard let url = URL(string: base + path) else {
      throw TrustError(.unsafeName, path, "the path is not part of an address")
    }
    let received = Mutex(Received())
    let exchange = HTTPExchange(
      HTTPExchange.Request(url: url, pause: timeout, duration: timeout, followsRedirects: true)
    ) { head in
      guard head.status == 200 else { return false }
      let isTooLarge = head.length > Int64(limit)
      received.withLock { $0.isTooLarge = isTooLarge }
      return !isTooLarge
    } receive: { bytes in
      received.withLock { received in
        received.isTooLarge = received.bytes.count + bytes.count > limit
        if !received.isTooLarge { received.bytes += bytes }
        return !received.isTooLarge
      }
    }
    let outcome = try await exchange.run()
    let (bytes, isTooLarge) = received.withLock { ($0.bytes, $0.isTooLarge) }
    if isTooLarge { throw TrustError(.tooLarge, path, "more than \(limit) bytes") }
    switch outcome.status {
    case 200:
      guard outcome.isWhole else {
        throw TrustError(.unreachable, base + path, "the file did not arrive to its end, or not in time")
      }
      return bytes
    case 403, 404: return nil
    default: throw TrustError(.unreachable, base + path, "the repository replied with status \(outcome.status)")
    }
  }

  private struct Received {
    var bytes: [UInt8] = []
    var isTooLarge = false
  }
}
#endif

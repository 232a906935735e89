internal import Foundation
internal import Synchronization

/// A repository on a web server, object store or content delivery network.
///
/// A file is read with one `GET`. 404 and 403 mean that there is no such file, as object stores answer either. A token is
/// sent only to a server that asks for one, with 401, and it is not sent along with a redirect.
public struct HTTPTransport: RepositoryTransport {
  private let base: String
  private let timeout: Double
  private let permission: Permission?

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - url: The address of the folder, `http` or `https`.
  ///   - timeout: Maximum duration of one request, in seconds, however slowly its bytes arrive. Default 60.
  ///   - token: A token with the scope `read`, for a hub whose files are private. Default none.
  /// - Throws: `unreachable` for an address of another kind.
  public init(_ url: String, timeout: Double = 60, token: String? = nil) throws(TrustError) {
    guard let parsed = URL(string: url), ["http", "https"].contains(parsed.scheme?.lowercased()), parsed.host != nil
    else { throw TrustError(.unreachable, url, "expected an address that begins with http:// or https://") }
    base = url.hasSuffix("/") ? url : url + "/"
    self.timeout = timeout
    permission = token.map(Permission.init)
  }

  public func read(_ path: String, atMost limit: Int) async throws(TrustError) -> [UInt8]? {
    // The names are percent-encoded, so none of them can be `..` to a server that decodes a path before it splits it.
    guard let url = URL(string: base + path) else {
      throw TrustError(.unsafeName, path, "the path is not part of an address")
    }
    if let permission, !permission.isNeeded {
      do throws(TrustError) {
        return try await read(url, path, atMost: limit, token: nil)
      } catch {
        guard error == Self.unauthorized(url) else { throw error }
        permission.noteNeeded()
      }
    }
    return try await read(url, path, atMost: limit, token: permission?.token)
  }

  private static func unauthorized(_ url: URL) -> TrustError {
    TrustError(.unreachable, url.absoluteString, "the server wants a token, or another one")
  }

  private func read(
    _ url: URL, _ path: String, atMost limit: Int, token: String?
  ) async throws(TrustError) -> [UInt8]? {
    let received = Mutex(Received())
    let exchange = HTTPExchange(
      HTTPExchange.Request(
        url: url, headers: token.map { ["authorization": "Bearer \($0)"] } ?? [:], pause: timeout, duration: timeout,
        followsRedirects: token == nil)
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
    case 401: throw Self.unauthorized(url)
    case 403 where token != nil:
      throw TrustError(.unreachable, base + path, "the token does not permit reading the repository")
    case 403, 404: return nil
    default: throw TrustError(.unreachable, base + path, "the repository replied with status \(outcome.status)")
    }
  }

  /// A token, and whether the server has asked for it.
  private final class Permission: Sendable {
    let token: String
    private let needed = Mutex(false)

    init(_ token: String) { self.token = token }

    var isNeeded: Bool { needed.withLock { $0 } }
    func noteNeeded() { needed.withLock { $0 = true } }
  }

  private struct Received {
    var bytes: [UInt8] = []
    var isTooLarge = false
  }
}

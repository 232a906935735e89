#if Sharing
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

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
    return try await Download(of: path, at: base + path, limit: limit).run(url, timeout: timeout)
  }
}

/// One request, which is canceled as soon as it has more bytes than permitted.
///
/// `@unchecked`: the state is protected by the mutex.
private final class Download: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var status = 0
    var isTooLarge = false
    var continuation: CheckedContinuation<Result<[UInt8]?, TrustError>, Never>?
  }

  private let path: String
  private let address: String
  private let limit: Int
  private let state = Mutex(State())

  init(of path: String, at address: String, limit: Int) {
    self.path = path
    self.address = address
    self.limit = limit
  }

  func run(_ url: URL, timeout: Double) async throws(TrustError) -> [UInt8]? {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout
    configuration.timeoutIntervalForResource = timeout
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    let task = session.dataTask(with: url)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { $0.continuation = continuation }
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
    session.finishTasksAndInvalidate()
    return try result.get()
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let isTooLarge = state.withLock { state in
      state.status = (response as? HTTPURLResponse)?.statusCode ?? 0
      state.isTooLarge = state.status == 200 && response.expectedContentLength > Int64(limit)
      return state.isTooLarge
    }
    completionHandler(isTooLarge ? .cancel : .allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = state.withLock { state in
      guard state.status == 200 else { return false }
      state.isTooLarge = state.bytes.count + data.count > limit
      if !state.isTooLarge { state.bytes += data }
      return state.isTooLarge
    }
    if isTooLarge { dataTask.cancel() }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (continuation, result) = state.withLock { state in
      defer { state.continuation = nil }
      return (state.continuation, outcome(of: state, error))
    }
    continuation?.resume(returning: result)
  }

  private func outcome(of state: State, _ error: (any Error)?) -> Result<[UInt8]?, TrustError> {
    if state.isTooLarge { return .failure(TrustError(.tooLarge, path, "more than \(limit) bytes")) }
    if let error {
      let isLate = (error as? URLError)?.code == .timedOut
      return .failure(
        TrustError(
          .unreachable, address,
          isLate ? "the repository did not answer in time" : "the server cannot be reached, or it closed the connection"
        ))
    }
    switch state.status {
    case 200: return .success(state.bytes)
    case 403, 404: return .success(nil)
    default: return .failure(TrustError(.unreachable, address, "the repository answered with status \(state.status)"))
    }
  }
}
#endif

#if Sharing
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// One HTTP request, whose response is received piece by piece.
///
/// `@unchecked`: the state is protected by the mutex; the closures are called one at a time.
final class HTTPExchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  /// A request.
  struct Request {
    let url: URL
    var method = "GET"
    var headers: [String: String] = [:]
    var body: [UInt8]?
    /// Maximum time without any byte, in seconds.
    var pause: Double = 60
    /// Maximum duration, in seconds; nil for a response that does not end.
    var duration: Double?
    /// Whether redirects are followed. Headers with a token would go along.
    var followsRedirects = false
  }

  /// The beginning of a response.
  struct Head {
    let status: Int
    /// The media type; empty if it is not stated.
    let type: String
    /// The length in bytes, or a negative number if it is not stated.
    let length: Int64
    /// The entity tag; nil if there is none.
    let tag: String?
  }

  /// The end of an exchange.
  struct Outcome {
    let status: Int
    /// Whether the response has arrived to its end.
    let isWhole: Bool
  }

  private struct State {
    var status: Int?
    /// Whether the body is wanted.
    var isOpen = false
    var continuation: CheckedContinuation<Result<Outcome, TrustError>, Never>?
  }

  private let request: Request
  private let accept: @Sendable (Head) -> Bool
  private let receive: @Sendable ([UInt8]) -> Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - request: The request.
  ///   - accept: Receives the beginning of the response; returns whether the body is wanted.
  ///   - receive: Receives each piece of the body; returns whether more is wanted.
  init(
    _ request: Request, accept: @escaping @Sendable (Head) -> Bool,
    receive: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
  ) {
    self.request = request
    self.accept = accept
    self.receive = receive
  }

  /// Sends the request, and returns at the end of the response.
  ///
  /// - Throws: `unreachable` if there is no response.
  func run() async throws(TrustError) -> Outcome {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = request.pause
    if let duration = request.duration { configuration.timeoutIntervalForResource = duration }
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    var message = URLRequest(url: request.url)
    message.httpMethod = request.method
    message.httpBody = request.body.map { Data($0) }
    for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
    let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    let task = session.dataTask(with: message)
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
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(self.request.followsRedirects ? request : nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    let isWanted = accept(
      Head(
        status: status, type: response.mimeType ?? "", length: response.expectedContentLength,
        tag: (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "ETag")))
    state.withLock { ($0.status, $0.isOpen) = (status, isWanted) }
    completionHandler(isWanted ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    // NB: On Linux, a body that has arrived is delivered after it was refused.
    guard state.withLock(\.isOpen), !receive(Array(data)) else { return }
    state.withLock { $0.isOpen = false }
    dataTask.cancel()
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (continuation, status) = state.withLock { state in
      defer { state.continuation = nil }
      return (state.continuation, state.status)
    }
    if let status {
      continuation?.resume(returning: .success(Outcome(status: status, isWhole: error == nil)))
    } else {
      let isLate = (error as? URLError)?.code == .timedOut
      continuation?.resume(
        returning: .failure(
          TrustError(
            .unreachable, request.url.absoluteString,
            isLate ? "the server did not reply in time" : "the server cannot be reached, or it closed the connection")))
    }
  }
}

extension HTTPExchange {
  /// The address of a part of a hub's interface.
  static func url(_ hub: String, _ path: String) throws(TrustError) -> URL {
    guard let url = URL(string: hub + (hub.hasSuffix("/") ? "" : "/") + path),
      ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil
    else { throw TrustError(.unreachable, hub, "expected an address that begins with http:// or https://") }
    return url
  }
}
#endif

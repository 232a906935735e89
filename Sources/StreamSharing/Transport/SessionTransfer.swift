#if !os(Linux)
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Carries an exchange with `URLSession`.
///
/// `@unchecked`: the state is protected by the mutex; the closures are called one at a time.
final class SessionTransfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  typealias Result = Swift.Result<HTTPExchange.Outcome, HTTPExchange.Absence>

  private struct State {
    var status: Int?
    /// Whether the body is wanted.
    var isOpen = false
    var continuation: CheckedContinuation<Result, Never>?
  }

  private let exchange: HTTPExchange
  private let state = Mutex(State())

  init(_ exchange: HTTPExchange) { self.exchange = exchange }

  func run() async -> Result {
    let request = exchange.request
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
    return result
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(exchange.request.followsRedirects ? request : nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    let isWanted = exchange.accept(
      HTTPExchange.Head(
        status: status, type: response.mimeType ?? "", length: response.expectedContentLength,
        tag: (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "ETag")))
    state.withLock { ($0.status, $0.isOpen) = (status, isWanted) }
    completionHandler(isWanted ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    // NB: A body that has arrived may be delivered after it was refused.
    guard state.withLock(\.isOpen), !exchange.receive(Array(data)) else { return }
    state.withLock { $0.isOpen = false }
    dataTask.cancel()
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (continuation, status) = state.withLock { state in
      defer { state.continuation = nil }
      return (state.continuation, state.status)
    }
    if let status {
      continuation?.resume(returning: .success(HTTPExchange.Outcome(status: status, isWhole: error == nil)))
    } else {
      continuation?.resume(returning: .failure(Self.absence((error as? URLError)?.code)))
    }
  }

  private static func absence(_ code: URLError.Code?) -> HTTPExchange.Absence {
    switch code {
    case .timedOut: .late
    case .cannotFindHost: .unknownHost
    case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot, .serverCertificateHasBadDate,
      .serverCertificateNotYetValid, .secureConnectionFailed:
      .untrusted
    default: .unreachable
    }
  }
}
#endif

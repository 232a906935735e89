public import StreamEngine
internal import StreamKit

/// Failures that a publisher reports instead of publishing them.
///
/// ```swift
/// let reported = ReportedFailures.handled { failure in log.append(failure.code) }
/// let token = live.publisher(of: Int.self, delivery: .immediate).failures(reported).sink { lines.append("\($0)") }
/// ```
public struct ReportedFailures: Sendable {
  fileprivate let report: @Sendable (StreamFailure) -> Void

  /// Reports to `UnhandledFailure`, which by default writes each message once to standard error.
  public static let log = ReportedFailures { UnhandledFailure.report($0) }

  /// Reports to a closure.
  public static func handled(by report: @escaping @Sendable (StreamFailure) -> Void) -> ReportedFailures {
    ReportedFailures(report: report)
  }
}

/// Failures that a publisher publishes as its last value.
///
/// ```swift
/// let token = live.publisher(of: Int.self, delivery: .immediate).failures(.asValues).sink { result in
///   switch result {
///   case .success(let number): lines.append("\(number)")
///   case .failure(let failure): lines.append(failure.code)
///   }
/// }
/// ```
public struct PublishedFailures: Sendable {
  /// Publishes results instead of values.
  public static let asValues = PublishedFailures()
}

extension Publisher where Failure == StreamFailure {
  /// Returns a publisher that never fails: it reports the failure, and finishes.
  ///
  /// ```swift
  /// live.publisher(of: Bool.self).failures(.log).assign(to: &$isValid)
  /// ```
  public func failures(_ reported: ReportedFailures) -> AnyPublisher<Output, Never> {
    self.catch { failure in
      reported.report(failure)
      return Empty<Output, Never>()
    }.eraseToAnyPublisher()
  }

  /// Returns a publisher that never fails: it publishes a result for each value, and one for the failure.
  ///
  /// ```swift
  /// live.publisher(of: Int.self).failures(.asValues).sink { result in show(result) }
  /// ```
  public func failures(_ published: PublishedFailures) -> AnyPublisher<Result<Output, StreamFailure>, Never> {
    map { Result<Output, StreamFailure>.success($0) }
      .catch { Just(Result<Output, StreamFailure>.failure($0)) }
      .eraseToAnyPublisher()
  }
}

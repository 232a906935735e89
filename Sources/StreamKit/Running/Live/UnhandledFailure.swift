internal import CLibrary
internal import Synchronization

/// A failure that no closure of the app handles: a file with an error in an expression would otherwise do nothing, in
/// silence.
///
/// ```swift
/// UnhandledFailure.handler = { reported.append("\($0)") }
/// ```
public enum UnhandledFailure {
  private static let state = Mutex(State())

  private struct State {
    var handler: @Sendable (any Error) -> Void = { write($0) }
    /// The messages written so far.
    var written: Set<String> = []
  }

  /// Maximum number of different messages that are written.
  private static let limit = 100

  /// Receives the failures, on any thread. By default, each message is written once to standard error, and no more than
  /// 100 different ones.
  ///
  /// ```swift
  /// UnhandledFailure.handler = { logger.error("\($0)") }
  /// ```
  public static var handler: @Sendable (any Error) -> Void {
    get { state.withLock(\.handler) }
    set { state.withLock { $0.handler = newValue } }
  }

  /// Passes a failure to `handler`.
  public static func report(_ failure: some Error) { handler(failure) }

  private static func write(_ failure: any Error) {
    let message = "\(failure)"
    let isNew = state.withLock { $0.written.count < limit && $0.written.insert(message).inserted }
    guard isNew else { return }
    let line = Array("streamrun: a stream failed, and nothing handles its failure: \(message)\n".utf8)
    line.withUnsafeBytes { bytes in _ = CLibrary.write(2, bytes.baseAddress, bytes.count) }
  }
}

/// Keeps an activity alive until the token is canceled or released.
///
/// ```swift
/// let token = input.observe { number in log.append("\(number)") }
/// input.value = 2
/// token.cancel()
/// ```
public final class StreamToken: @unchecked Sendable {  // `lock` protects the action
  private let lock = Lock()
  private var action: (@Sendable () -> Void)?

  /// - Parameter action: Ends the activity; called once.
  public init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { cancel() }

  /// Ends the activity. Later calls have no effect.
  public func cancel() {
    let action = lock.withLock {
      defer { self.action = nil }
      return self.action
    }
    action?()
  }
}

/// Keeps something going until it is canceled or released.
public final class StreamToken: @unchecked Sendable {  // `lock` protects the action
  private let lock = Lock()
  private var action: (@Sendable () -> Void)?

  /// - Parameter action: what ends it; called once.
  public init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { cancel() }

  /// Ends it; more than once does nothing.
  public func cancel() {
    let action = lock.withLock {
      defer { self.action = nil }
      return self.action
    }
    action?()
  }
}

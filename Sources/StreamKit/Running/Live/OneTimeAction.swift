/// An action of a timer that runs once, unless it is canceled before. Either stops the timer.
@_spi(Driving) public final class OneTimeAction: @unchecked Sendable {  // `lock` protects what is `var`
  private let lock = Lock()
  private var action: (@Sendable () -> Void)?
  private var stop: (@Sendable () -> Void)?

  public init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  /// Sets the closure that stops the timer. It is called at once if the action has run already, as that of a scheduler
  /// that never waits, or if it was canceled.
  public func setStop(_ stop: @escaping @Sendable () -> Void) {
    let isOver = lock.withLock {
      if action != nil { self.stop = stop }
      return action == nil
    }
    if isOver { stop() }
  }

  public func run() { take()?() }

  public func cancel() { _ = take() }

  /// Stops the timer, and returns the action the first time.
  private func take() -> (@Sendable () -> Void)? {
    let (action, stop) = lock.withLock {
      defer { (self.action, self.stop) = (nil, nil) }
      return (self.action, self.stop)
    }
    stop?()
    return action
  }
}

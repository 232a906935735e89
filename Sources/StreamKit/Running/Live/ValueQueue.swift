internal import DequeModule
internal import StreamCore
public import StreamEngine
internal import Synchronization

/// Values that wait for a loop, or the loop that waits for the next value.
///
/// Values are put by one thread at a time, and may be awaited by one task at a time.
@_spi(Driving) public final class ValueQueue<Output: Sendable>: Sendable {
  private let policy: BufferingPolicy
  private let ceiling: Int
  private let state = Mutex(State())

  private struct State {
    var values: Deque<Output> = []
    /// The continuation of the waiting task.
    var waiting: CheckedContinuation<Output?, any Error>?
    var isOver = false
    /// The failure of the stream, until it has been thrown.
    var failure: StreamFailure?

    /// Returns the result for the next task.
    mutating func take() -> Result<Output?, any Error> {
      if let value = values.popFirst() { return .success(value) }
      defer { failure = nil }
      return failure.map { .failure($0) } ?? .success(nil)
    }
  }

  /// - Parameter ceiling: Number of waiting values beyond which `bounded` fails: more than it keeps if values are
  ///   requested. Default that number. For `demand` at least 1,024.
  public init(_ policy: BufferingPolicy, ceiling: Int = 0) {
    self.policy = policy
    self.ceiling = max(ceiling, policy.limit, policy == .demand ? BufferingPolicy.standard.limit : 0)
  }

  /// Whether more than half of the values wait that are kept.
  var isFilling: Bool { state.withLock { $0.values.count > policy.limit / 2 } }

  /// Puts a value at the end. If too many wait, drops one or ends with a failure (`S409`), as the policy says.
  ///
  /// - Returns: Whether a loop was waiting, and has taken it.
  @discardableResult
  public func put(_ value: Output) -> Bool {
    change { state in
      guard !state.isOver else { return }
      switch policy {
      case .bounded, .demand:
        guard state.values.count < ceiling else {
          state.isOver = true
          state.failure = Self.overflow(state.values.count)
          return
        }
        state.values.append(value)
      case .newest:
        if state.values.count >= policy.limit { state.values.removeFirst() }
        state.values.append(value)
      case .oldest: if state.values.count < policy.limit { state.values.append(value) }
      }
    }
  }

  /// Ends the values after those that wait.
  public func end(_ failure: StreamFailure? = nil) {
    change { state in
      guard !state.isOver else { return }
      state.isOver = true
      state.failure = failure
    }
  }

  /// Returns the next value; nil after the end, or if the task is canceled.
  ///
  /// - Parameters:
  ///   - request: Called when another value is to be requested, by the policies `bounded` and `demand`.
  ///   - cancel: Called if the task is canceled; no value comes afterward.
  /// - Throws: The failure of the end, once, or that of a second task that awaits a value.
  public func next(request: () -> Void = {}, cancel: @escaping @Sendable () -> Void) async throws -> Output? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isRequested = state.withLock { state in
          if state.waiting != nil {
            continuation.resume(throwing: Self.awaitedTwice)
            return false
          }
          if state.values.isEmpty, !state.isOver, !Task.isCancelled {
            state.waiting = continuation
            return policy == .demand
          }
          defer { continuation.resume(with: state.take()) }
          if case .bounded = policy { return !state.values.isEmpty }
          return false
        }
        if isRequested { request() }
      }
    } onCancel: {
      cancel()
      change { state in
        state.isOver = true
        state.values = []
      }
    }
  }

  private static func overflow(_ count: Int) -> StreamFailure {
    StreamFailure(
      .limitExceeded, "\(count) values wait for the loop that awaits them", help: BufferingPolicy.advice)
  }

  private static var awaitedTwice: StreamFailure {
    StreamFailure(
      .streamFailed, "two tasks await the next value of one iterator",
      help: "make an iterator for each task, or pass the values on from one of them")
  }

  /// Changes the state and resumes the waiting task if there is a result. Returns whether there was one.
  @discardableResult
  private func change(_ body: (inout State) -> Void) -> Bool {
    let resume = state.withLock { state -> (() -> Void)? in
      body(&state)
      guard let waiting = state.waiting, !state.values.isEmpty || state.isOver else { return nil }
      state.waiting = nil
      let result = state.take()
      return { waiting.resume(with: result) }
    }
    resume?()
    return resume != nil
  }
}

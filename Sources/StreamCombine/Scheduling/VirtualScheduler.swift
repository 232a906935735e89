internal import StreamEngine
@_spi(Driving) internal import StreamKit
internal import Synchronization

/// An instant of a `VirtualScheduler`: nanoseconds since its creation.
///
/// ```swift
/// let start = VirtualInstant(nanoseconds: 0)
/// let end = start.advanced(by: .seconds(10))
/// ```
public struct VirtualInstant: Strideable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public func distance(to other: VirtualInstant) -> Stride {
    Stride(nanoseconds: other.nanoseconds) - Stride(nanoseconds: nanoseconds)
  }
  public func advanced(by stride: Stride) -> VirtualInstant {
    VirtualInstant(nanoseconds: (Stride(nanoseconds: nanoseconds) + stride).nanoseconds)
  }

  /// The distance between two instants. Arithmetic that exceeds 64 bits gives the longest stride.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Sendable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    public init(integerLiteral nanoseconds: Int64) { self.init(nanoseconds: nanoseconds) }
    public init?<Number: BinaryInteger>(exactly number: Number) {
      guard let nanoseconds = Int64(exactly: number) else { return nil }
      self.init(nanoseconds: nanoseconds)
    }

    private init(_ count: Int64, times factor: Int64) {
      let (product, overflow) = count.multipliedReportingOverflow(by: factor)
      nanoseconds = overflow ? (count < 0) == (factor < 0) ? .max : .min : product
    }

    public var magnitude: UInt64 { nanoseconds.magnitude }

    public static func seconds(_ count: Int) -> Stride { Stride(Int64(count), times: 1_000_000_000) }
    /// A stride of zero for NaN.
    public static func seconds(_ count: Double) -> Stride {
      let nanoseconds = (count * 1e9).rounded()
      if nanoseconds.isNaN { return Stride(nanoseconds: 0) }
      return Stride(nanoseconds: Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
    }
    public static func milliseconds(_ count: Int) -> Stride { Stride(Int64(count), times: 1_000_000) }
    public static func microseconds(_ count: Int) -> Stride { Stride(Int64(count), times: 1_000) }
    public static func nanoseconds(_ count: Int) -> Stride { Stride(nanoseconds: Int64(count)) }

    public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
    public static func + (lhs: Stride, rhs: Stride) -> Stride {
      let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.nanoseconds)
      return Stride(nanoseconds: overflow ? (lhs.nanoseconds < 0 ? .min : .max) : sum)
    }
    public static func - (lhs: Stride, rhs: Stride) -> Stride {
      let (difference, overflow) = lhs.nanoseconds.subtractingReportingOverflow(rhs.nanoseconds)
      return Stride(nanoseconds: overflow ? (lhs.nanoseconds < 0 ? .min : .max) : difference)
    }
    public static func * (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.nanoseconds, times: rhs.nanoseconds) }
    public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
  }
}

/// A scheduler with virtual time, for tests of publishers. Actions due at the same instant run in the order they were
/// scheduled; actions without a date run later in the same instant.
///
/// ```swift
/// let scheduler = VirtualScheduler()
/// let token = model.publisher(of: Int.self, scheduler: scheduler).failures(.log).sink { lines.append("\($0)") }
/// scheduler.advance(by: .seconds(86_400))
/// ```
///
/// Actions run only in `advance`, `run` and `wait`, which advance time on one thread at a time and never sleep.
/// Scheduling is possible from any thread, for example from asynchronous host functions.
public final class VirtualScheduler: Scheduler, Sendable {
  public typealias SchedulerOptions = Never

  fileprivate struct State {
    var now = VirtualInstant(nanoseconds: 0)
    var queue = ActionQueue()
    /// The task that waits for an action to be scheduled.
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  public let minimumTolerance = VirtualInstant.Stride(nanoseconds: 0)

  public init() {}

  public var now: VirtualInstant { state.withLock(\.now) }

  public func schedule(options: Never?, _ action: @escaping () -> Void) { add(action, at: nil) }

  public func schedule(
    after date: VirtualInstant, tolerance: VirtualInstant.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    add(action, at: date)
  }

  /// Performs an action at a date and then at regular intervals, until the result is canceled or released. The last
  /// time is the one after which the next would not be later: there is none after the last instant, or without an
  /// interval.
  public func schedule(
    after date: VirtualInstant, interval: VirtualInstant.Stride, tolerance: VirtualInstant.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(self, interval, action)
    repetition.schedule(at: date)
    return AnyCancellable { repetition.cancel() }
  }

  /// Advances time from action to action up to an instant, as long as there are actions to run and `isWanted` returns
  /// true. The time is then that of the last action.
  public func run(through end: VirtualInstant, while isWanted: () -> Bool) {
    while isWanted(), let action = state.withLock({ $0.next(through: end) }) { action() }
  }

  /// Runs the actions of a span of time, and ends at its end.
  public func advance(by stride: VirtualInstant.Stride) {
    let end = now.advanced(by: stride)
    run(through: end) { true }
    state.withLock { $0.now = max($0.now, end) }
  }

  /// Advances time up to an instant and then waits for actions scheduled by other threads, until `isDone` returns true.
  /// Host functions take no virtual time, but some real time.
  public nonisolated(nonsending) func wait(through end: VirtualInstant, until isDone: () -> Bool) async {
    while true {
      run(through: end, while: { !isDone() })
      if isDone() { return }
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          if let next = state.queue.nextTime, next.nanoseconds <= end.nanoseconds { return true }
          state.waiting = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    }
  }

  /// Removes all pending actions, to break retain cycles: actions retain subscriptions, which retain the scheduler.
  public func clear() {
    // Released outside the lock: a deinitializer may schedule an action.
    _ = state.withLock { $0.queue.removeAll() }
  }

  /// Returns the number of the action in the queue.
  ///
  /// - Parameter date: nil for now.
  @discardableResult
  private func add(_ action: @escaping () -> Void, at date: VirtualInstant?) -> Int {
    // NB: an action is made by one thread and run by another, as schedulers do.
    nonisolated(unsafe) let action = action
    let (number, waiting) = state.withLock { state in
      let time = StreamTime(nanoseconds: max(state.now, date ?? state.now).nanoseconds)
      defer { state.waiting = nil }
      return (state.queue.add(at: time) { action() }, state.waiting)
    }
    waiting?.resume()
    return number
  }

  /// Removes an action. It is released outside the lock: a deinitializer may schedule another.
  private func remove(_ number: Int) { _ = state.withLock { $0.queue.remove(number) } }

  /// An action at regular intervals. Its next time is in the queue when it runs.
  private final class Repetition: Sendable {
    private let scheduler: VirtualScheduler
    private let interval: VirtualInstant.Stride
    private let state: Mutex<State>

    /// NB: see `add`.
    private struct State: @unchecked Sendable {
      var action: (() -> Void)?
      /// The number of the next time in the queue.
      var number: Int?
    }

    init(_ scheduler: VirtualScheduler, _ interval: VirtualInstant.Stride, _ action: @escaping () -> Void) {
      self.scheduler = scheduler
      self.interval = interval
      state = Mutex(State(action: action))
    }

    func schedule(at date: VirtualInstant) {
      let number = scheduler.add({ [weak self] in self?.run(date) }, at: date)
      let isOver = state.withLock { state in
        if state.action != nil { state.number = number }
        return state.action == nil
      }
      if isOver { scheduler.remove(number) }
    }

    private func run(_ date: VirtualInstant) {
      let next = max(date, scheduler.now).advanced(by: interval)
      if next > date { schedule(at: next) }
      state.withLock { $0 }.action?()
    }

    func cancel() {
      let state = state.withLock { state in
        defer { state = State() }
        return state
      }
      if let number = state.number { scheduler.remove(number) }
    }
  }
}

extension VirtualScheduler.State {
  /// Removes and returns the next due action, and advances time to it.
  fileprivate mutating func next(through end: VirtualInstant) -> ActionQueue.Action? {
    guard let (time, action) = queue.next(through: StreamTime(nanoseconds: end.nanoseconds)) else { return nil }
    now = max(now, VirtualInstant(nanoseconds: time.nanoseconds))
    return action
  }
}

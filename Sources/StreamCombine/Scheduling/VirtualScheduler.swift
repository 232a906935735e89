internal import HeapModule
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

  /// NB: an action is made by one thread and run by another, as schedulers do.
  fileprivate struct Entry: Comparable, @unchecked Sendable {
    let due: VirtualInstant
    let ticket: Int
    let action: () -> Void

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.due != rhs.due ? lhs.due < rhs.due : lhs.ticket < rhs.ticket
    }

    static func == (lhs: Entry, rhs: Entry) -> Bool { lhs.ticket == rhs.ticket }
  }

  fileprivate struct State {
    var now = VirtualInstant(nanoseconds: 0)
    var queue = Heap<Entry>()
    var ticket = 0
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

  public func schedule(
    after date: VirtualInstant, interval: VirtualInstant.Stride, tolerance: VirtualInstant.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(action)
    add(repetition, at: date, every: interval)
    return repetition
  }

  /// Advances time from action to action up to an instant, as long as there are actions to run and `isWanted` returns
  /// true. The time is then that of the last action.
  public func run(through end: VirtualInstant, while isWanted: () -> Bool) {
    while isWanted(), let entry = state.withLock({ $0.next(through: end) }) { entry.action() }
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
          if let entry = state.queue.min, entry.due <= end { return true }
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
    _ = state.withLock { state in
      defer { state.queue = Heap() }
      return state.queue
    }
  }

  private func add(_ repetition: Repetition, at date: VirtualInstant, every interval: VirtualInstant.Stride) {
    add(
      { [weak self] in
        guard let action = repetition.action else { return }
        self?.add(repetition, at: date.advanced(by: interval), every: interval)
        action()
      }, at: date)
  }

  /// - Parameter date: nil for now.
  private func add(_ action: @escaping () -> Void, at date: VirtualInstant?) {
    let action = Action(run: action)
    let waiting = state.withLock { state in
      state.add(action.run, at: date ?? state.now)
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  /// NB: see `Entry`.
  private struct Action: @unchecked Sendable {
    let run: () -> Void
  }

  private final class Repetition: Cancellable {
    private(set) var action: (() -> Void)?
    init(_ action: @escaping () -> Void) { self.action = action }
    func cancel() { action = nil }
  }
}

extension VirtualScheduler.State {
  /// Removes and returns the next due action, and advances time to it.
  fileprivate mutating func next(through end: VirtualInstant) -> VirtualScheduler.Entry? {
    guard let entry = queue.min, entry.due <= end else { return nil }
    queue.removeMin()
    now = max(now, entry.due)
    return entry
  }

  fileprivate mutating func add(_ action: @escaping () -> Void, at date: VirtualInstant) {
    queue.insert(VirtualScheduler.Entry(due: max(now, date), ticket: ticket, action: action))
    ticket += 1
  }
}

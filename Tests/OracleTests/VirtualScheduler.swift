#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// An instant of virtual time, counted from the subscription.
struct VirtualInstant: Strideable {
  var nanoseconds: Int64

  func distance(to other: VirtualInstant) -> Stride { Stride(nanoseconds: other.nanoseconds - nanoseconds) }
  func advanced(by stride: Stride) -> VirtualInstant {
    VirtualInstant(nanoseconds: nanoseconds + stride.nanoseconds)
  }

  /// What lies between two instants.
  struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric {
    var nanoseconds: Int64

    init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    init(integerLiteral nanoseconds: Int64) { self.init(nanoseconds: nanoseconds) }
    init?<Number: BinaryInteger>(exactly number: Number) {
      guard let nanoseconds = Int64(exactly: number) else { return nil }
      self.init(nanoseconds: nanoseconds)
    }

    var magnitude: UInt64 { nanoseconds.magnitude }

    static func seconds(_ count: Int) -> Stride { Stride(nanoseconds: Int64(count) * 1_000_000_000) }
    static func seconds(_ count: Double) -> Stride { Stride(nanoseconds: Int64((count * 1e9).rounded())) }
    static func milliseconds(_ count: Int) -> Stride { Stride(nanoseconds: Int64(count) * 1_000_000) }
    static func microseconds(_ count: Int) -> Stride { Stride(nanoseconds: Int64(count) * 1_000) }
    static func nanoseconds(_ count: Int) -> Stride { Stride(nanoseconds: Int64(count)) }

    static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
    static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(nanoseconds: lhs.nanoseconds + rhs.nanoseconds) }
    static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(nanoseconds: lhs.nanoseconds - rhs.nanoseconds) }
    static func * (lhs: Stride, rhs: Stride) -> Stride { Stride(nanoseconds: lhs.nanoseconds * rhs.nanoseconds) }
    static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
  }
}

/// Virtual time for publishers: what is due at one instant runs in the order in which it was scheduled, and what is
/// scheduled without a date runs later in the same moment.
final class VirtualScheduler: Scheduler {
  typealias SchedulerOptions = Never

  private struct Entry {
    let due: VirtualInstant
    let ticket: Int
    let action: () -> Void
  }

  private(set) var now = VirtualInstant(nanoseconds: 0)
  let minimumTolerance = VirtualInstant.Stride(nanoseconds: 0)
  /// What is due last comes first.
  private var queue: [Entry] = []
  private var ticket = 0

  func schedule(options: Never?, _ action: @escaping () -> Void) { add(action, at: now) }

  func schedule(
    after date: VirtualInstant, tolerance: VirtualInstant.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    add(action, at: date)
  }

  func schedule(
    after date: VirtualInstant, interval: VirtualInstant.Stride, tolerance: VirtualInstant.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(action)
    add(repetition, at: date, every: interval)
    return repetition
  }

  /// Lets time go on up to this instant, as long as there is something to do and it is wanted.
  func run(through end: VirtualInstant, while isWanted: () -> Bool) {
    while isWanted(), let entry = queue.last, entry.due <= end {
      queue.removeLast()
      now = max(now, entry.due)
      entry.action()
    }
  }

  /// Forgets what is to be done: actions keep subscriptions, which keep the scheduler.
  func clear() { queue = [] }

  private func add(_ repetition: Repetition, at date: VirtualInstant, every interval: VirtualInstant.Stride) {
    add(
      { [weak self] in
        guard let action = repetition.action else { return }
        self?.add(repetition, at: date.advanced(by: interval), every: interval)
        action()
      }, at: date)
  }

  private func add(_ action: @escaping () -> Void, at date: VirtualInstant) {
    let entry = Entry(due: max(now, date), ticket: ticket, action: action)
    ticket += 1
    var place = queue.endIndex
    while place > 0, queue[place - 1].due <= entry.due { place -= 1 }
    queue.insert(entry, at: place)
  }

  private final class Repetition: Cancellable {
    private(set) var action: (() -> Void)?
    init(_ action: @escaping () -> Void) { self.action = action }
    func cancel() { action = nil }
  }
}

/// An instant of a `VirtualScheduler`: nanoseconds since the scheduler was made.
public struct VirtualInstant: Strideable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public func distance(to other: VirtualInstant) -> Stride { Stride(nanoseconds: other.nanoseconds - nanoseconds) }
  public func advanced(by stride: Stride) -> VirtualInstant {
    VirtualInstant(nanoseconds: nanoseconds + stride.nanoseconds)
  }

  /// What lies between two instants.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    public init(integerLiteral nanoseconds: Int64) { self.init(nanoseconds: nanoseconds) }
    public init?<Number: BinaryInteger>(exactly number: Number) {
      guard let nanoseconds = Int64(exactly: number) else { return nil }
      self.init(nanoseconds: nanoseconds)
    }

    public var magnitude: UInt64 { nanoseconds.magnitude }

    public static func seconds(_ count: Int) -> Stride { Stride(nanoseconds: Int64(count) * 1_000_000_000) }
    public static func seconds(_ count: Double) -> Stride { Stride(nanoseconds: Int64((count * 1e9).rounded())) }
    public static func milliseconds(_ count: Int) -> Stride { Stride(nanoseconds: Int64(count) * 1_000_000) }
    public static func microseconds(_ count: Int) -> Stride { Stride(nanoseconds: Int64(count) * 1_000) }
    public static func nanoseconds(_ count: Int) -> Stride { Stride(nanoseconds: Int64(count)) }

    public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
    public static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(nanoseconds: lhs.nanoseconds + rhs.nanoseconds) }
    public static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(nanoseconds: lhs.nanoseconds - rhs.nanoseconds) }
    public static func * (lhs: Stride, rhs: Stride) -> Stride { Stride(nanoseconds: lhs.nanoseconds * rhs.nanoseconds) }
    public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
  }
}

/// Virtual time for publishers in tests: what is due at one instant runs in the order in which it was scheduled, and what
/// is scheduled without a date runs later in the same moment.
///
/// Nothing happens by itself, and nobody sleeps: `run` lets time go on. Used from one thread.
public final class VirtualScheduler: Scheduler {
  public typealias SchedulerOptions = Never

  private struct Entry {
    let due: VirtualInstant
    let ticket: Int
    let action: () -> Void
  }

  public private(set) var now = VirtualInstant(nanoseconds: 0)
  public let minimumTolerance = VirtualInstant.Stride(nanoseconds: 0)
  /// What is due last comes first.
  private var queue: [Entry] = []
  private var ticket = 0

  public init() {}

  public func schedule(options: Never?, _ action: @escaping () -> Void) { add(action, at: now) }

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

  /// Lets time go on up to this instant, as long as there is something to do and it is wanted.
  public func run(through end: VirtualInstant, while isWanted: () -> Bool) {
    while isWanted(), let entry = queue.last, entry.due <= end {
      queue.removeLast()
      now = max(now, entry.due)
      entry.action()
    }
  }

  /// Forgets what is to be done: actions keep subscriptions, which keep the scheduler.
  public func clear() { queue = [] }

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

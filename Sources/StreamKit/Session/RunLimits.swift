public import StreamEngine

/// The limits of a running stream. A stream that exceeds one fails with a `StreamFailure` that names the operator.
///
/// ```swift
/// var services = HostServices()
/// services.limits = RunLimits(budget: 1_000_000, memory: 64_000_000)
/// ```
///
/// Steps and values do not depend on the speed of the machine, so a run stops at the same point everywhere, except with
/// `timePerValue`.
///
/// - SeeAlso: `CompileOptions.expressionLimits`, for the work of one expression.
public struct RunLimits: Sendable {
  /// Maximum number of steps without an event, 1 or more: an endless source whose values are all dropped reaches it
  /// (`S417`). A step is a delivery, a timer or a value of a batch; opening a file counts as 1,000. Default 10,000,000:
  /// about a second.
  public var budget: Int
  /// Maximum number of values that the stream publishes before it has nothing to do, 1 or more: an endless source with a
  /// subscriber that requests all values reaches it (`S417`). A value from outside adds 1,000. Default 100,000,000: about
  /// ten seconds.
  public var burst: Int
  /// Maximum size of what the operators of a stream hold, in bytes (`S409`): queues, groups and values that grow. It is
  /// estimated from the saved form of the state, again and again as it grows. Default nil: no limit.
  public var memory: Int?
  /// Maximum number of values that wait for a changing or a shared stream, 1 or more; an input that sends one more fails
  /// (`S409`). The senders of other live streams wait instead. Default 1,000,000.
  public var waiting: Int
  /// Maximum processor time that the stream takes for one event from outside, such as a value: an endless instant and a
  /// slow expression reach it (`S417`, and `S406` in an expression). Unlike the other limits it depends on the speed of the
  /// machine. Default nil: no limit.
  public var timePerValue: Interval?
  /// Called about every 10,000 steps; a returned failure ends the run. Default nil.
  public var check: (@Sendable () -> StreamFailure?)?
  /// Whether a failure of `check` because of a limit is about memory, and names the operator that holds most of it.
  package var namesHolder = false

  public init(
    budget: Int = RunLimits.defaultBudget, burst: Int = 100_000_000, memory: Int? = nil, waiting: Int = 1_000_000,
    timePerValue: Interval? = nil, check: (@Sendable () -> StreamFailure?)? = nil
  ) {
    self.budget = budget
    self.burst = burst
    self.memory = memory
    self.waiting = waiting
    self.timePerValue = timePerValue
    self.check = check
  }

  /// The default budget: 10,000,000 steps.
  public static let defaultBudget = 10_000_000

  /// No limit.
  public static let none = RunLimits(budget: .max, burst: .max)
}

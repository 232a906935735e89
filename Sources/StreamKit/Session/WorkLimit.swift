internal import StreamCore
public import StreamEngine

/// A limit on the work of a run in virtual time, since a stream whose timers and sources publish nothing may never end.
///
/// ```swift
/// var run = VirtualRun(Execution(try model.compile()))
/// run.workLimit = WorkLimit(budget: 100_000)
/// let history = run.run()
/// ```
public struct WorkLimit: Sendable {
  /// Maximum number of steps without an event, 1 or more. A step is a delivery, a timer or a value of a batch; opening
  /// a file counts as 1,000. Steps do not depend on the speed of the machine, so a run stops at the same point
  /// everywhere. Default 10,000,000: about a second.
  public var budget: Int
  /// Called about every 10,000 steps; a returned failure ends the run. Default nil.
  public var check: (@Sendable () -> StreamFailure?)?

  public init(budget: Int = WorkLimit.defaultBudget, check: (@Sendable () -> StreamFailure?)? = nil) {
    self.budget = budget
    self.check = check
  }

  /// The default budget: 10,000,000 steps.
  public static let defaultBudget = 10_000_000

  /// No limit.
  public static let none = WorkLimit(budget: .max)
}

/// Counts the work of a run against its limit.
package struct WorkMeter {
  private let limit: WorkLimit
  /// Step counts of the execution at the last event and at the last check.
  private var lastEvent = 0
  private var lastCheck = 0

  /// Number of steps between two readings of the meter.
  package static let slice = 10_000

  package init(_ limit: WorkLimit) { self.limit = limit }

  /// Restarts the count of steps: an event has occurred at an input or an output.
  package mutating func noteEvent(_ execution: Execution) { lastEvent = execution.stepCount }

  /// Returns the failure that ends the run; nil if the run continues.
  @inline(__always)
  package mutating func read(_ execution: Execution) -> StreamFailure? {
    execution.stepCount &- lastCheck < Self.slice ? nil : look(execution)
  }

  @inline(never)
  private mutating func look(_ execution: Execution) -> StreamFailure? {
    // Another execution may have replaced the previous one.
    if execution.stepCount < lastCheck { lastEvent = 0 }
    lastCheck = execution.stepCount
    if let failure = limit.check?() { return failure }
    guard execution.stepCount &- lastEvent > limit.budget else { return nil }
    return StreamFailure(
      .workExceeded, "no event within \(limit.budget) steps, up to \(execution.time.seconds) seconds")
  }
}

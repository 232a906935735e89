internal import StreamCore

/// A limit on the work of a run in virtual time, since a stream whose timers and sources publish nothing may never end.
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
  /// The execution's count at the last event, and at the last check.
  private var lastEvent = 0
  private var lastCheck = 0

  /// How many steps are taken before the meter is read.
  package static let slice = 10_000

  package init(_ limit: WorkLimit) { self.limit = limit }

  /// Begins anew: something has come in or gone out.
  package mutating func noteEvent(_ execution: Execution) { lastEvent = execution.stepCount }

  /// Why the run ends here; nil where it goes on.
  @inline(__always)
  package mutating func read(_ execution: Execution) -> StreamFailure? {
    execution.stepCount &- lastCheck < Self.slice ? nil : look(execution)
  }

  @inline(never)
  private mutating func look(_ execution: Execution) -> StreamFailure? {
    // Another execution may have taken the place of the one before.
    if execution.stepCount < lastCheck { lastEvent = 0 }
    lastCheck = execution.stepCount
    if let failure = limit.check?() { return failure }
    guard execution.stepCount &- lastEvent > limit.budget else { return nil }
    return StreamFailure(
      .workExceeded, "no event within \(limit.budget) steps, up to \(execution.time.seconds) seconds")
  }
}

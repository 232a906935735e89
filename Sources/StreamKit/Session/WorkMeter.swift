internal import StreamCore
package import StreamEngine

/// Counts the work of a run against its limits.
package struct WorkMeter {
  private let limits: RunLimits
  /// Step counts of the execution at the last event and at the last check.
  private var lastEvent = 0
  private var lastCheck = 0
  /// Number of values since the stream had nothing to do.
  private var burst = 0
  private var memory: MemoryGauge?

  /// Number of steps between two readings of the meter.
  package static let slice = 10_000
  /// Number of values of a burst that a value from outside permits.
  private static let share = 1_000

  package init(_ limits: RunLimits) {
    self.limits = limits
    memory = limits.memory.map(MemoryGauge.init)
  }

  /// Restarts the count of steps: an event has occurred at an input or an output.
  @inline(__always)
  package mutating func noteEvent(_ execution: Execution) { lastEvent = execution.stepCount }

  /// Counts values that have been published.
  @inline(__always)
  package mutating func notePublished(_ count: Int = 1) { burst &+= count }

  /// Notes that a value has come from outside.
  @inline(__always)
  package mutating func noteInput() { if burst > 0 { burst = max(0, burst - Self.share) } }

  /// Notes that the stream has nothing to do.
  @inline(__always)
  package mutating func noteIdle() { burst = 0 }

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
    if let failure = limits.failure(of: execution) { return failure }
    if let failure = memory?.read(execution, after: Self.slice) { return failure }
    if burst > limits.burst {
      let subject = execution.endlessPublisher()
      return StreamFailure(
        .workExceeded,
        "\(subject.map { "'\($0.name)' makes the stream publish" } ?? "the stream publishes") more than "
          + "\(limits.burst) values before it waits for anything",
        pointer: subject?.pointer ?? JSONPointer(), help: "end the stream, as 'prefix' does, or let it wait")
    }
    guard execution.stepCount &- lastEvent > limits.budget else { return nil }
    let time = execution.time.seconds
    let subject = execution.endlessPublisher()
    return StreamFailure(
      .workExceeded,
      "no event within \(limits.budget) steps, up to \(time) seconds"
        + (subject.map { ": '\($0.name)' publishes values that lead to none" } ?? ""),
      pointer: subject?.pointer ?? JSONPointer())
  }

  /// Returns the failure of a stream that holds too much. Called for values that take no steps.
  package mutating func readMemory(_ execution: Execution, after values: Int) -> StreamFailure? {
    memory?.read(execution, after: values)
  }
}

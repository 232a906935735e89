internal import StreamCore

// Runs of the program for one value.

extension SegmentStage {
  /// Runs the program for a value.
  @inline(__always)
  func take(_ value: Value) throws(StreamFailure) -> ProgramOutcome {
    guard let outcome = attempt(value) else { throw takeFailure() }
    return outcome
  }

  /// Runs the program for a value; returns nil if it fails.
  @inline(__always)
  func attempt(_ value: Value) -> ProgramOutcome? {
    if needsRespecialization { respecialize(for: value) }
    return running._withUnsafeGuaranteedRef { $0.attempt(value) }
  }

  /// Whether another program should be selected before the next run.
  private var needsRespecialization: Bool {
    @inline(__always) get { running._withUnsafeGuaranteedRef { $0.needsRespecialization } }
  }

  /// The output of the last run that had one.
  @inline(__always)
  var output: Value { running._withUnsafeGuaranteedRef { $0.output } }
}

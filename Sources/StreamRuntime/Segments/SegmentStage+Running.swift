internal import StreamCore
internal import StreamProgram

// How its program runs for one value.

extension SegmentStage {
  /// Runs the program for a value.
  @inline(__always)
  func take(_ value: Value) throws(StreamFailure) -> ProgramOutcome {
    guard let outcome = attempt(value) else { throw takeFailure() }
    return outcome
  }

  /// The same; nil where it fails.
  @inline(__always)
  func attempt(_ value: Value) -> ProgramOutcome? {
    if needsRespecialization { decide(value) }
    return running._withUnsafeGuaranteedRef { $0.attempt(value) }
  }

  /// Whether another program is to be looked for before the next run.
  private var needsRespecialization: Bool {
    @inline(__always) get { running._withUnsafeGuaranteedRef { $0.needsRespecialization } }
  }

  /// What its last run gave that had a value.
  @inline(__always)
  var output: Value { running._withUnsafeGuaranteedRef { $0.output } }
}

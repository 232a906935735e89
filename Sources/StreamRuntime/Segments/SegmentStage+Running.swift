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

  // MARK: Right away

  /// What its program takes of a value right away, where that is a scalar: see `StreamProgram.Frame.scalarBits`.
  @inline(__always)
  func scalarBits(of value: Value) -> Int64? {
    running._withUnsafeGuaranteedRef { $0.needsRespecialization ? nil : $0.scalarBits(of: value) }
  }

  /// Runs the program for that.
  @inline(__always)
  func run(scalarBits bits: Int64) -> RunResult { running._withUnsafeGuaranteedRef { $0.run(scalarBits: bits) } }

  /// Whether its program takes any value right away, as it is.
  @inline(__always)
  var takesBoxed: Bool { running._withUnsafeGuaranteedRef { !$0.needsRespecialization && $0.takesBoxed } }

  /// Runs the program for such a value.
  @inline(__always)
  func run(boxed value: Value) -> RunResult { running._withUnsafeGuaranteedRef { $0.run(boxed: value) } }

  /// What became of a run that was given such bits, or of one for a boxed value: see `StreamProgram.Frame.outcome`.
  @inline(__always)
  func outcome(of result: RunResult, scalarBits bits: Int64) -> ProgramOutcome? {
    running._withUnsafeGuaranteedRef { $0.outcome(of: result, scalarBits: bits) }
  }

  /// What its last run gave the host, which hears it, where that is a scalar.
  @inline(__always)
  var scalarOutput: Value? {
    downstreamReference == nil ? running._withUnsafeGuaranteedRef { $0.scalarOutput } : nil
  }
}

public import CEL
public import StreamCore

/// Why a run of a program came to no end.
public struct ProgramFailure: Error, Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// An expression failed, just as its plan alone would have.
    case evaluation(EvaluationError)
    /// What a branch looks at is this, and neither true nor false.
    case noBool(Value)
    /// A value is nested more than this many levels deep.
    case tooDeep(Int)
    /// A function of two values has no answer for these.
    case refused(Value, Value)
  }

  public let reason: Reason
  /// The number that the caller gave the expression, or the one before the step that failed.
  public let site: Int

  public init(_ reason: Reason, site: Int) {
    self.reason = reason
    self.site = site
  }
}

/// How a run of a program ended.
public enum ProgramOutcome: UInt8, Sendable {
  /// Without a value.
  case dropped
  /// With a value: the frame's output.
  case emitted
  /// Without a value, and there shall be no more.
  case finished
  /// With a value, the last one.
  case emittedLast
  /// Without a value: the run waits for a timer, and continues in another entry of the program.
  case waiting
}

public import CEL
public import StreamCore

/// The failure of a run of a program.
@_spi(Engine) public struct ProgramFailure: Error, Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// An expression failed, just as its plan alone would have.
    case evaluation(EvaluationError)
    /// The condition of a branch has this value, which is not a bool.
    case noBool(Value)
    /// A value is nested more than this many levels deep.
    case tooDeep(Int)
    /// A function of two values has no result for these.
    case refused(Value, Value)
  }

  public let reason: Reason
  /// The number that the caller gave the expression, or the last number before the failed step.
  public let site: Int

  public init(_ reason: Reason, site: Int) {
    self.reason = reason
    self.site = site
  }
}

/// The outcome of a run of a program.
@_spi(Engine) public enum ProgramOutcome: UInt8, Sendable {
  /// Without a value.
  case dropped
  /// With a value: the frame's output.
  case emitted
  /// Without a value, and no values follow.
  case finished
  /// With a value, the last one.
  case emittedLast
  /// Without a value: the run waits for a timer, and continues in another entry of the program.
  case waiting
}

/// The path of values past a machine that does nothing else with the values of a port.
public enum Bypass {
  /// Values pass unchanged.
  case open
  /// Each value replaces its stream's operand of an expression, which is then evaluated.
  case combined(JoinProgramInstance)
  /// Each value replaces its stream's operand of an expression, without an evaluation.
  case kept(JoinProgramInstance)
  /// Each value waits as its stream's operand; the expression is evaluated once every stream has one.
  case gathered(JoinProgramInstance)
}

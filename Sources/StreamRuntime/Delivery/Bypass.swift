/// What becomes of values on a port of a machine, where nothing else is to be done for them.
public enum Bypass {
  /// They go on as they are.
  case open
  /// Each takes its stream's place in an expression, which is computed for it.
  case combined(JoinProgramInstance)
  /// Each takes its stream's place in an expression, and that is all.
  case kept(JoinProgramInstance)
  /// Each waits in its stream's place until there is one of every stream; for those the expression is computed.
  case gathered(JoinProgramInstance)
}

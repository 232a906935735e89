/// What a function is to the checker and the planner: one of the library, or an operator that they know.
enum FunctionForm: Sendable {
  case library
  /// `math.greatest`, `math.least`: the result is of the arguments' common type.
  case extreme
  case not, negate, notStrictlyFalse
  case conditional
  case and, or
  case index, optionalIndex, optionalSelect
  /// `in`
  case containment
  case arithmetic(ArithmeticOperation)
  case comparison(Comparison)
  case equality(isNegated: Bool)
}

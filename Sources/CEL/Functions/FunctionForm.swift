/// What a function is to the checker and the planner: one of the library, or an operator that they know.
enum FunctionForm: Sendable {
  case library
  /// `math.greatest`, `math.least`: the result has the common type of the arguments.
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

  /// What an operation on two ints or two doubles gives, as most are; nil where the overloads are to be asked.
  func numberResult(_ left: CELType, _ right: CELType) -> CELType? {
    switch (self, left, right) {
    case (.arithmetic, .int, .int): .int
    case (.arithmetic(let operation), .double, .double): operation == .remainder ? nil : .double
    case (.comparison, .int, .int), (.comparison, .double, .double): .bool
    case (.equality, .int, .int), (.equality, .double, .double): .bool
    default: nil
    }
  }
}

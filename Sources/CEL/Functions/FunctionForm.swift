/// The form of a function for the type checker and the planner: a library function, or an operator with special rules.
enum FunctionForm: Sendable {
  case library
  /// `math.greatest`, `math.least`: the result has the common type of the arguments.
  case extreme
  /// `list.sum()`: an empty list has a zero of the elements' type.
  case sum
  /// `list.min()`, `list.max()`: the result is an element of the list.
  case element
  /// Functions on maps whose result is a record if the map is one.
  case merge, without, rename
  /// `random()`: depends on the value's index.
  case random
  /// `optional.value()`, `optional.orValue(other)`, `optional.or(other)`.
  case optionalValue, optionalDefault, optionalChoice
  /// `?` before an element of a list or a value of a map.
  case optionalElement
  case not, negate, notStrictlyFalse
  case conditional
  case and, or
  case index, optionalIndex, optionalSelect
  /// `in`
  case containment
  case arithmetic(ArithmeticOperation)
  case comparison(Comparison)
  case equality(isNegated: Bool)

  /// Returns the result type of an operation on two ints or two doubles, the common case; nil if the overloads must be
  /// resolved.
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

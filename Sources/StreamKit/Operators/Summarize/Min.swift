public import CEL
package import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes the smallest value when upstream finishes.
  ///
  /// Among equal values the first one wins. Without values the stream just finishes. Numbers of all types can be
  /// compared with each other, other values only with those of the same type.
  ///
  /// - Memory: the smallest value so far.
  /// - Failure: `S405` for values that cannot be compared.
  public struct Min: StepDefinition {
    /// Returns the key to compare; a list is compared by its elements. By default it is the value. Variables: `value`,
    /// `index`.
    public var by: CELExpression?
    /// Compares two values: returns a number below 0 if `first` is smaller. By default their natural order is used.
    /// Variables: `first`, `second`.
    public var compare: CELExpression?

    public init(by: CELExpression? = nil, compare: CELExpression? = nil) {
      self.by = by
      self.compare = compare
    }
  }
}

extension Operator.Min {
  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    try Extreme(by: by, compare: compare, isGreatest: false, &context).steps
  }

  public static let fieldsOfState: Set<String> = ["by", "compare"]

  public static let spec = OperatorSpec.extreme(
    "min", "smallest", among: ("b", "b", "b"), second: 22, by: "the number nearest to 10")
}

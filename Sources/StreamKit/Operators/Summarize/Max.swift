public import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes the greatest value when upstream finishes.
  ///
  /// Among equal values the first one wins. Without values the stream just finishes. Numbers of all types can be
  /// compared with each other, other values only with those of the same type.
  ///
  /// - Memory: the greatest value so far.
  /// - Failure: `S405` for values that cannot be compared.
  public struct Max: OperatorDefinition {
    /// Returns the key to compare. By default it is the value. Variables: `value`, `index`.
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

extension Operator.Max {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    try ExtremeMachine(by: by, compare: compare, isGreatest: true, &context)
  }

  public static let fieldsOfState: Set<String> = ["by", "compare"]

  public static let spec = OperatorSpec(
    "max", "Publishes the greatest value when upstream finishes.",
    memory: .constant("the greatest value so far"),
    fields: FieldSpec.comparing,
    rules: [.atMostOne(["by", "compare"])],
    examples: [
      .marbles(
        "numbers", #"{"max": {}}"#, in: "-a-b-c|", out: "------(c|)", values: ["a": 2, "b": 1.5, "c": 3]),
      .marbles(
        "by a key", #"{"max": {"by": "value % 10"}}"#, in: "-a-b-c|", out: "------(b|)",
        values: ["a": 13, "b": 9, "c": 14]),
      .marbles(
        "the number farthest from 10",
        #"{"max": {"compare": "(first - 10) * (first - 10) - (second - 10) * (second - 10)"}}"#,
        in: "-a-b-c|", out: "------(c|)", values: ["a": 1, "b": 12, "c": 20]),
      .marbles(
        "the first of two equal values", #"{"max": {"by": "value % 10"}}"#, in: "-a-b|", out: "----(a|)",
        values: ["a": 1, "b": 11]),
      .marbles("a string and a number", #"{"max": {}}"#, in: "-a-b|", out: "---#", values: ["b": 1]),
      .marbles("no values", #"{"max": {}}"#, in: "--|", out: "--|"),
      .marbles("a failure discards the value", #"{"max": {}}"#, in: "-a-#", out: "---#"),
      .rejects(
        "a key and a comparison", #"{"max": {"by": "value", "compare": "first - second"}}"#, .conflictingFields,
        at: "/max/compare"),
    ])
}

public import CEL
public import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes true on the first match, or false when upstream finishes.
  ///
  /// The match cancels upstream. Equal numbers of different types are the same value.
  public struct Contains: StepDefinition {
    /// The value to search for.
    public var value: Value?
    /// Returns whether the value matches, instead of `value`. Variables: `value`, `index`.
    public var expression: CELExpression?

    public init(value: Value? = nil, expression: CELExpression? = nil) {
      self.value = value
      self.expression = expression
    }
  }
}

extension Operator.Contains {
  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    var match = Search.Match(try context.planCondition(expression))
    if let value { match = .equal(to: value) }
    context.outputType = .bool
    return Search(match, found: .constant(.bool(true)), otherwise: .bool(false)).steps
  }

  public static let spec = OperatorSpec(
    "contains", "Publishes true on the first match, or false when upstream finishes.",
    fields: [
      .optional("value", .value, "The value to search for."),
      .optional(
        "expression", .expression(["value", "index"]), "Returns whether the value matches, instead of `value`."),
    ],
    rules: [.one(["value", "expression"])],
    examples: [
      .marbles("a match", #"{"contains": {"value": 2}}"#, in: "-a-b-c|", out: "---(t|)", values: yesNo),
      .marbles("no match", #"{"contains": {"value": 5}}"#, in: "-a-b|", out: "----(f|)", values: yesNo),
      .marbles("the value null", #"{"contains": {"value": null}}"#, in: "-a-n|", out: "---(t|)", values: yesNo),
      .marbles(
        "a match of an expression", #"{"contains": {"expression": "value > 1"}}"#, in: "-a-b-c|", out: "---(t|)",
        values: yesNo),
      .marbles("a failure before a match", #"{"contains": {"value": 2}}"#, in: "-a-#", out: "---#", values: yesNo),
      .rejects("no condition", #"{"contains": {}}"#, .missingField, at: "/contains"),
      .rejects(
        "two conditions", #"{"contains": {"value": 1, "expression": "true"}}"#, .conflictingFields,
        at: "/contains/expression"),
    ])

  private static let yesNo: [String: Value] = ["a": 1, "b": 2, "c": 3, "n": .null, "t": true, "f": false]
}

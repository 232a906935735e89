public import StreamCore
public import StreamRuntime

extension Operator {
  /// Leaves out the first values.
  public struct Drop: OperatorDefinition {
    /// How many, 0 or more. Default 1.
    public var count: Int?
  }
}

extension Operator.Drop {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    DropMachine(state: count ?? 1)
  }
}

private struct DropMachine: Machine {
  /// How many values are still to be left out.
  var state: Int

  /// What is left out is asked for with the subscription, as Combine does: nobody else asks for it.
  mutating func start(_ answers: Answers) {
    answers.subscribe(to: 0)
    if state > 0 { answers.request(Demand(state), from: 0) }
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) {
    if state > 0 { state -= 1 } else { answers.publish(value) }
  }
}

extension Operator.Drop {
  public static let spec = OperatorSpec(
    "drop", "Leaves out the first values.",
    fields: [.optional("count", .count(0 ... .max), "How many, 0 or more. Default 1.")],
    examples: [
      .marbles("the first two", #"{"drop": {"count": 2}}"#, in: "-a-b-c-d|", out: "-----c-d|"),
      .marbles("the first", #"{"drop": {}}"#, in: "-a-b|", out: "---b|"),
      .marbles("more than there are", #"{"drop": {"count": 5}}"#, in: "-a-b|", out: "----|"),
      .rejects("a negative number", #"{"drop": {"count": -1}}"#, .outOfRange, at: "/drop/count"),
    ])
}

internal import CEL
internal import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes each value with its index, counted from 0.
  public struct Enumerated: StepDefinition {
    public init() {}
  }
}

extension Operator.Enumerated {
  package func makeSteps(_ context: inout OperatorContext) -> Steps {
    context.outputType = .record([RecordField("index", .int), RecordField("value", context.inputType)])
    let pair = context.planOwn(
      "{'index': index, 'value': value}", over: [Variable("index", .int), Variable("value", context.inputType)])
    return Steps { segment in
      let index = segment.index(isRead: true)
      segment.value = segment.evaluate(pair, ["index": index.cell, "value": segment.value])
      segment.advance(index)
      segment.keep(index)
    }
  }
}

extension Operator.Enumerated {
  public static let spec = OperatorSpec(
    "enumerated", "Publishes each value with its index, counted from 0.",
    examples: [
      .marbles(
        "two values", #"{"enumerated": {}}"#, in: "-a-b|", out: "-c-d|",
        values: ["c": ["index": 0, "value": "a"], "d": ["index": 1, "value": "b"]]),
      .marbles("a failure", #"{"enumerated": {}}"#, in: "--#", out: "--#"),
    ])
}

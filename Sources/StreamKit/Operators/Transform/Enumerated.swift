internal import CEL
public import StreamCore
internal import StreamProgram
public import StreamRuntime

extension Operator {
  /// Publishes each value with its index, counted from 0.
  public struct Enumerated: OperatorDefinition {
    public init() {}
  }
}

extension Operator.Enumerated {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .record([RecordField("index", .int), RecordField("value", context.inputType)])
    return EnumeratedMachine()
  }
}

private struct EnumeratedMachine: Machine {
  private static let shape = Shape(names: ["index", "value"])
  /// The index of the next value.
  var state: Int64 = 0

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    effects.publish(.map(ValueMap(shape: Self.shape, slots: [.int(state), value])))
    state += 1
  }

  var lowering: Lowering? {
    Lowering { segment in
      let index = segment.index(isRead: true)
      let text = "{'index': index, 'value': value}"
      let type = segment.value.type
      if let pair = segment.evaluate(text, [("index", .int, index.cell), ("value", type, segment.value)]) {
        segment.value = pair
      }
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

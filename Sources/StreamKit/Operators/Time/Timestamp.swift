internal import CEL
@_spi(Engine) public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes each value with the time of its arrival.
  ///
  /// The time is that of `now()` in expressions: of the execution's clock, not the system's.
  public struct Timestamp: OperatorDefinition {
    public init() {}
  }
}

extension Operator.Timestamp {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .record([RecordField("value", context.inputType), RecordField("timestamp", .timestamp)])
    return TimestampMachine()
  }
}

private struct TimestampMachine: Machine {
  private static let shape = Shape(names: ["value", "timestamp"])

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    effects.publish(.map(ValueMap(shape: Self.shape, slots: [value, .timestamp(effects.activation.now)])))
  }
}

extension Operator.Timestamp {
  public static let spec = OperatorSpec(
    "timestamp", "Publishes each value with the time of its arrival.", readsTime: true,
    examples: [
      .marbles(
        "two values", #"{"timestamp": {}}"#, in: "-a--b|", out: "-x--y|",
        values: [
          "x": ["value": "a", "timestamp": .timestamp(StreamCore.Timestamp(millisecondsSince1970: 1))],
          "y": ["value": "b", "timestamp": .timestamp(StreamCore.Timestamp(millisecondsSince1970: 4))],
        ]),
      .marbles("a failure", #"{"timestamp": {}}"#, in: "-#", out: "-#"),
    ])
}

internal import CEL
@_spi(Engine) public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes the seconds between each value and the previous one, or the subscription.
  public struct MeasureInterval: OperatorDefinition {
    /// Whether to publish `{"value": …, "interval": seconds}` instead of the seconds alone. Default `false`.
    public var withValue: Bool?

    public init(withValue: Bool? = nil) {
      self.withValue = withValue
    }
  }
}

extension Operator.MeasureInterval {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let withValue = withValue ?? Self.defaultWithValue
    context.outputType =
      withValue ? .record([RecordField("value", context.inputType), RecordField("interval", .double)]) : .double
    return MeasureIntervalMachine(withValue: withValue)
  }
}

private struct MeasureIntervalMachine: Machine {
  private static let shape = Shape(names: ["value", "interval"])

  let withValue: Bool
  /// The time of the last value.
  var state = StreamTime.zero

  mutating func start(_ effects: Effects) {
    state = effects.now
    effects.subscribe(to: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    let interval = Value.double((effects.now - state).seconds)
    state = effects.now
    effects.publish(withValue ? .map(ValueMap(shape: Self.shape, slots: [value, interval])) : interval)
  }
}

extension Operator.MeasureInterval {
  private static let defaultWithValue = false

  public static let spec = OperatorSpec(
    "measureInterval", "Publishes the seconds between each value and the previous one, or the subscription.",
    readsTime: true,
    fields: [
      .optional(
        "withValue", .bool,
        "Whether to publish `{\"value\": …, \"interval\": seconds}` instead of the seconds alone.",
        default: .of(defaultWithValue))
    ],
    examples: [
      .marbles(
        "seconds", #"{"measureInterval": {}}"#, in: "-a---b-|", out: "-x---y-|", values: ["x": 0.001, "y": 0.004]),
      .marbles(
        "with the values", #"{"measureInterval": {"withValue": true}}"#, in: "--a|", out: "--x|",
        values: ["x": ["value": "a", "interval": 0.002]]),
      .rejects("a string", #"{"measureInterval": {"withValue": "yes"}}"#, .wrongType, at: "/measureInterval/withValue"),
    ])
}

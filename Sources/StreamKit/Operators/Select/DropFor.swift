public import StreamCore
public import StreamEngine

extension Operator {
  /// Drops values for a length of time after the subscription.
  ///
  /// A value of an input at the exact end of this time is dropped, too.
  ///
  /// - Time: one timer, from the subscription on.
  public struct DropFor: OperatorDefinition {
    /// Length of time. 0 drops nothing. A number of seconds from 0 to 31536000.
    public var seconds: Double

    public init(seconds: Double) {
      self.seconds = seconds
    }
  }
}

extension Operator.DropFor {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    DropForMachine(interval: Interval(seconds: seconds))
  }
}

private struct DropForMachine: Machine {
  let interval: Interval
  /// Whether values are still dropped.
  var state = true

  mutating func start(_ effects: Effects) {
    state = interval.nanoseconds > 0
    if state { effects.setTimer(0, at: effects.now + interval) }
    effects.subscribe(to: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    if state { effects.request(Demand(1), from: 0) } else { effects.publish(value) }
  }

  mutating func fire(_ timer: Int, _ effects: Effects) { state = false }
}

extension Operator.DropFor {
  public static let spec = OperatorSpec(
    "dropFor", "Drops values for a length of time after the subscription.",
    fields: [.required("seconds", .seconds(0...31_536_000), "Length of time. 0 drops nothing.")],
    examples: [
      .marbles("four milliseconds", #"{"dropFor": {"seconds": 0.004}}"#, in: "-a-b-c-d|", out: "-----c-d|"),
      .marbles("no time", #"{"dropFor": {"seconds": 0}}"#, in: "a-b|", out: "a-b|"),
      .marbles("the finish is published", #"{"dropFor": {"seconds": 0.01}}"#, in: "-a-b|", out: "----|"),
      .marbles("a failure is published", #"{"dropFor": {"seconds": 0.01}}"#, in: "-a-#", out: "---#"),
      .rejects("a negative time", #"{"dropFor": {"seconds": -1}}"#, .outOfRange, at: "/dropFor/seconds"),
    ])
}

public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes values for a length of time after the subscription, then finishes.
  ///
  /// A value of an input at the exact end of this time is published. Then upstream is canceled.
  ///
  /// - Time: one timer, from the subscription on.
  public struct PrefixFor: OperatorDefinition {
    /// Length of time. With 0 upstream is not subscribed to. A number of seconds from 0 to 31536000.
    public var seconds: Double

    public init(seconds: Double) {
      self.seconds = seconds
    }
  }
}

extension Operator.PrefixFor {
  /// The running timer is its state.
  public var keepsState: Bool { true }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    PrefixForMachine(interval: Interval(seconds: seconds))
  }
}

private struct PrefixForMachine: Machine {
  let interval: Interval

  mutating func start(_ effects: Effects) {
    guard interval.nanoseconds > 0 else { return effects.finish() }
    effects.setTimer(0, at: effects.now + interval)
    effects.subscribe(to: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) { effects.publish(value) }

  mutating func fire(_ timer: Int, _ effects: Effects) { effects.finish() }
}

extension Operator.PrefixFor {
  public static let spec = OperatorSpec(
    "prefixFor", "Publishes values for a length of time after the subscription, then finishes.",
    fields: [
      .required(
        "seconds", .seconds(0...31_536_000), "Length of time. With 0 upstream is not subscribed to.")
    ],
    examples: [
      .marbles("four milliseconds", #"{"prefixFor": {"seconds": 0.004}}"#, in: "-a-b-c-d|", out: "-a-b|"),
      .marbles("no time", #"{"prefixFor": {"seconds": 0}}"#, in: "a-b|", out: "|"),
      .marbles("an earlier finish", #"{"prefixFor": {"seconds": 0.01}}"#, in: "-a-b|", out: "-a-b|"),
      .marbles("an earlier failure", #"{"prefixFor": {"seconds": 0.01}}"#, in: "-a-#", out: "-a-#"),
      .rejects("no time given", #"{"prefixFor": {}}"#, .missingField, at: "/prefixFor"),
    ])
}

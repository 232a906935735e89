internal import DequeModule
public import StreamCore
public import StreamEngine

extension Operator {
  /// Drops the last values.
  ///
  /// Each value is published once `count` further values have arrived. A failure discards the waiting values.
  ///
  /// - Memory: the newest values, bounded by `count`.
  /// - SeeAlso: `last`, which publishes only these values.
  public struct DropLast: OperatorDefinition {
    /// Number of values to drop. An integer from 0 to 10000000.
    public var count: Int

    public init(count: Int) {
      self.count = count
    }
  }
}

extension Operator.DropLast {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    DropLastMachine(count: count)
  }
}

private struct DropLastMachine: Machine {
  struct State: Codable, Sendable {
    /// The newest values, at most `count`.
    var waiting: Deque<Value> = []
    /// Whether upstream has been asked for the values that wait.
    var hasAsked = false
  }

  let count: Int
  var state = State()

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    state.waiting.append(value)
    if state.waiting.count > count, let first = state.waiting.popFirst() { effects.publish(first) }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    effects.request(state.hasAsked ? demand : demand + Demand(count), from: 0)
    state.hasAsked = true
  }
}

extension Operator.DropLast {
  public static let spec = OperatorSpec(
    "dropLast", "Drops the last values.",
    memory: .bounded("the newest values", by: "count"),
    fields: [.required("count", .count(0...10_000_000), "Number of values to drop.")],
    examples: [
      .marbles("the last value", #"{"dropLast": {"count": 1}}"#, in: "-a-b-c|", out: "---a-b|"),
      .marbles("more than there are", #"{"dropLast": {"count": 5}}"#, in: "-a-b|", out: "----|"),
      .marbles("no value", #"{"dropLast": {"count": 0}}"#, in: "-a-b|", out: "-a-b|"),
      .marbles("a failure discards the waiting value", #"{"dropLast": {"count": 1}}"#, in: "-a-b-#", out: "---a-#"),
      .rejects("no number", #"{"dropLast": {}}"#, .missingField, at: "/dropLast"),
      .rejects("a negative number", #"{"dropLast": {"count": -1}}"#, .outOfRange, at: "/dropLast/count"),
    ])
}

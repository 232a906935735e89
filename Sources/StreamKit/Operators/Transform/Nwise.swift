internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes, with each value, the list of the latest values.
  ///
  /// - Memory: bounded by `count`.
  /// - Complexity: O(count) a value.
  /// - SeeAlso: `collect`, whose lists do not overlap; `withPrevious`.
  public struct Nwise: OperatorDefinition {
    /// Values in a list, 1 to 1,000,000; the newest is the last.
    public var count: Int
    /// Whether lists are published before there are `count` values, with those that there are. Default false.
    public var partial: Bool?

    public init(count: Int, partial: Bool? = nil) {
      self.count = count
      self.partial = partial
    }
  }
}

extension Operator.Nwise {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .list(context.inputType)
    return NwiseMachine(count: count, isPartial: partial ?? false)
  }
}

private struct NwiseMachine: Machine {
  struct State: Codable, Sendable {
    /// The latest values, the newest last; one fewer than a list has, once there are as many.
    var values: [Value] = []
    /// Whether upstream has been asked for the values that fill the first list.
    var hasAsked = false
  }

  let count: Int
  let isPartial: Bool
  var state = State()

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    let list = state.values + [value]
    if isPartial || list.count == count { effects.publish(.list(list)) }
    state.values = Array(list.suffix(count - 1))
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    let isFirst = !state.hasAsked && !isPartial
    state.hasAsked = true
    effects.request(isFirst ? demand + Demand(count - 1) : demand, from: 0)
  }
}

extension Operator.Nwise {
  public static let spec = OperatorSpec(
    "nwise", "Publishes, with each value, the list of the latest values.",
    memory: .bounded("the newest values", by: "count"),
    fields: [
      .required("count", .count(1...1_000_000), "Values in a list, 1 to 1,000,000; the newest is the last."),
      .optional(
        "partial", .bool,
        "Whether lists are published before there are `count` values, with those that there are. Default false.",
        default: false),
    ],
    examples: [
      .marbles(
        "pairs", #"{"nwise": {"count": 2}}"#, in: "-a-b-c|", out: "---d-e|",
        values: ["d": ["a", "b"], "e": ["b", "c"]]),
      .marbles(
        "from the first value on", #"{"nwise": {"count": 3, "partial": true}}"#, in: "-a-b-c-d|", out: "-p-q-r-s|",
        values: ["p": ["a"], "q": ["a", "b"], "r": ["a", "b", "c"], "s": ["b", "c", "d"]]),
      .marbles("too few", #"{"nwise": {"count": 3}}"#, in: "-a-b-#", out: "-----#"),
      .rejects("lists of nothing", #"{"nwise": {"count": 0}}"#, .outOfRange, at: "/nwise/count"),
    ])
}

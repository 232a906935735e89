internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes an array of the newest values with each value.
  ///
  /// - Complexity: O(count) per value.
  /// - Memory: the newest values, bounded by `count`.
  /// - SeeAlso: `collect`, whose arrays do not overlap; `withPrevious`.
  public struct Nwise: OperatorDefinition {
    /// Number of values in an array. The newest value is the last element. An integer from 1 to 1000000.
    public var count: Int
    /// Whether to publish shorter arrays until there are `count` values. Default `false`.
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
    return NwiseMachine(count: count, isPartial: partial ?? Self.defaultPartial)
  }
}

private struct NwiseMachine: Machine {
  struct State: Codable, Sendable {
    /// The newest values, oldest first; at most `count - 1`.
    var values: [Value] = []
    /// Whether upstream has been asked for the values that fill the first array.
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
  private static let defaultPartial = false

  public static let spec = OperatorSpec(
    "nwise", "Publishes an array of the newest values with each value.",
    memory: .bounded("the newest values", by: "count"),
    fields: [
      .required("count", .count(1...1_000_000), "Number of values in an array. The newest value is the last element."),
      .optional(
        "partial", .bool,
        "Whether to publish shorter arrays until there are `count` values.",
        default: .of(defaultPartial)),
    ],
    examples: [
      .marbles(
        "pairs", #"{"nwise": {"count": 2}}"#, in: "-a-b-c|", out: "---d-e|",
        values: ["d": ["a", "b"], "e": ["b", "c"]]),
      .marbles(
        "from the first value on", #"{"nwise": {"count": 3, "partial": true}}"#, in: "-a-b-c-d|", out: "-p-q-r-s|",
        values: ["p": ["a"], "q": ["a", "b"], "r": ["a", "b", "c"], "s": ["b", "c", "d"]]),
      .marbles("too few values", #"{"nwise": {"count": 3}}"#, in: "-a-b-#", out: "-----#"),
      .rejects("a count of zero", #"{"nwise": {"count": 0}}"#, .outOfRange, at: "/nwise/count"),
    ])
}

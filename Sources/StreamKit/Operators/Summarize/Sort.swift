public import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes all values one by one in sorted order when upstream finishes.
  ///
  /// The order of equal values is kept. Numbers of all types can be compared with each other (NaN is last), other
  /// values only with those of the same type. Lists are compared by their elements, so `[value.city, value.name]` sorts
  /// by two keys. A failure discards all values.
  ///
  /// - Memory: all values, bounded by `limit`.
  /// - Failure: `S405` for a value that cannot be compared with those before.
  public struct Sort: OperatorDefinition {
    /// Returns the sort key; a list is compared by its elements. By default it is the value. Variables: `value`,
    /// `index`.
    public var by: CELExpression?
    /// Whether the greatest value comes first. Default `false`.
    public var descending: Bool?
    /// Maximum number of values. One more fails the stream. An integer from 1 to 100000000.
    public var limit: Int

    public init(by: CELExpression? = nil, descending: Bool? = nil, limit: Int) {
      self.by = by
      self.descending = descending
      self.limit = limit
    }
  }
}

extension Operator.Sort {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let key = try context.planSelection(by, field: "by", of: NaturalOrder.expectation, where: \.mayBeOrdered)
    return SortMachine(
      key: key, isDescending: descending ?? Self.defaultDescending, limit: limit,
      texts: key.type.mayHoldText ? context.options.textOrder : nil)
  }
}

private struct SortMachine: Machine {
  struct State: Codable, Sendable {
    var entries: [Entry] = []
    /// The index of the next value.
    @Counted var index: Int64 = 0
    /// The kind of all keys.
    var kind: NaturalOrder?
    /// The longest of the keys that are lists.
    var longest: Value?
    var sorted = PendingValues()
  }

  struct Entry: Codable, Sendable {
    let key: Value
    let value: Value
  }

  let key: Selection
  let isDescending: Bool
  let limit: Int
  /// Notes strings that are numbers; nil where keys have a type, or the host does not ask.
  let texts: TextOrderLog?
  var state = State()

  mutating func start(_ effects: Effects) { effects.subscribeToAll() }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    let index = state.index
    state.index += 1
    guard state.entries.count < limit else {
      throw .beyondLimit(limit, "value", of: "sort", value: value)
    }
    let key = try key.select(value, index: index, effects)
    let kind = try NaturalOrder(of: key, owner: "sort", for: value)
    try kind.require(state.kind ?? kind, owner: "sort", for: value)
    state.kind = kind
    if kind == .lists {
      let longest = state.longest ?? key
      try NaturalOrder.require(key, like: longest, owner: "sort", for: value)
      state.longest = key.elementCount > longest.elementCount ? key : longest
    }
    state.entries.append(Entry(key: key, value: value))
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .finished = completion {
      let order = state.entries.indices.sorted { comesBefore($0, $1) }
      if let texts {
        for (one, next) in zip(order, order.dropFirst()) {
          texts.note(state.entries[one].key, state.entries[next].key, owner: "sort")
        }
      }
      state.sorted.values.append(contentsOf: order.lazy.map { [entries = state.entries] in entries[$0].value })
    }
    state.entries = []
    state.sorted.end(completion, effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) { state.sorted.request(demand, effects) }

  /// Whether the entry at one index comes before that at another; equal keys keep their order.
  private func comesBefore(_ one: Int, _ other: Int) -> Bool {
    let order = NaturalOrder.totalOrder(state.entries[one].key, state.entries[other].key)
    if order == 0 { return one < other }
    return isDescending ? order > 0 : order < 0
  }
}

extension Value {
  fileprivate var elementCount: Int { if case .list(let elements) = self { elements.count } else { 0 } }
}

extension Operator.Sort {
  private static let defaultDescending = false

  public static let spec = OperatorSpec(
    "sort", "Publishes all values one by one in sorted order when upstream finishes.",
    memory: .bounded("all values", by: "limit"),
    fields: [
      .optional(
        "by", .expression(["value", "index"]),
        "Returns the sort key; a list is compared by its elements. By default it is the value."),
      .optional("descending", .bool, "Whether the greatest value comes first.", default: .of(defaultDescending)),
      .required("limit", .count(1...100_000_000), "Maximum number of values. One more fails the stream."),
    ],
    examples: [
      .marbles(
        "numbers", #"{"sort": {"limit": 100}}"#, in: "-c-a-b|", out: "------(abc|)", values: ["a": 1, "b": 1.5, "c": 2]),
      .marbles(
        "the greatest value first", #"{"sort": {"descending": true, "limit": 100}}"#, in: "-c-a-b|", out: "------(cba|)"
      ),
      .marbles(
        "equal keys keep their order", #"{"sort": {"by": "value % 10", "limit": 100}}"#, in: "-a-b-c|",
        out: "------(bac|)", values: ["a": 2, "b": 11, "c": 12]),
      .marbles(
        "by two keys", #"{"sort": {"by": "[value % 2, -value]", "limit": 100}}"#, in: "-a-b-c|", out: "------(bca|)",
        values: ["a": 3, "b": 4, "c": 2]),
      .marbles("more values than the limit", #"{"sort": {"limit": 2}}"#, in: "-a-b-c|", out: "-----#"),
      .marbles("no values", #"{"sort": {"limit": 2}}"#, in: "--|", out: "--|"),
      .marbles("a number among strings", #"{"sort": {"limit": 100}}"#, in: "-a-b|", out: "---#", values: ["b": 1]),
      .rejects("no limit", #"{"sort": {}}"#, .missingField, at: "/sort"),
      .rejects(
        "a key without an order", #"{"sort": {"by": "{'v': value}", "limit": 100}}"#, .typeMismatch, at: "/sort/by"),
    ])
}

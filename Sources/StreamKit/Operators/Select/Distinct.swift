public import CEL
internal import DequeModule
@_spi(Engine) public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes a value only if no equal value came before.
  ///
  /// Equal numbers of different types are the same value. A failure of `reset` fails the stream; its finish is ignored.
  ///
  /// - Memory: the values, or keys, seen so far, bounded by `limit`.
  /// - SeeAlso: `removeDuplicates`, which compares with the previous value only.
  public struct Distinct: OperatorDefinition {
    /// Returns the key to compare. By default it is the value. Variables: `value`, `index`.
    public var key: CELExpression?
    /// Maximum number of different values, or keys, to remember. An integer from 1 to 100000000. Default `1000000`.
    public var limit: Int?
    /// Effect of one more: `fail` fails the stream, `forgetOldest` forgets the oldest one. Default `fail`.
    public var whenFull: WhenFull?
    /// A stream; each of its values clears the set of seen values.
    public var reset: InnerStream?

    public init(key: CELExpression? = nil, limit: Int? = nil, whenFull: WhenFull? = nil, reset: InnerStream? = nil) {
      self.key = key
      self.limit = limit
      self.whenFull = whenFull
      self.reset = reset
    }

    public enum WhenFull: String, Hashable, Sendable, Codable, CaseIterable {
      case fail, forgetOldest
    }
  }
}

extension Operator.Distinct {
  public var joined: [JoinedStream] { reset?.joined(in: "reset") ?? [] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    DistinctMachine(
      key: try context.planSelection(key, field: "key"), limit: limit ?? Self.defaultLimit,
      whenFull: whenFull ?? Self.defaultWhenFull,
      hasReset: reset != nil)
  }
}

private struct DistinctMachine: Machine {
  struct State: Codable, Sendable {
    var seen = SeenValues()
    /// The index of the next value.
    @Counted var index: Int64 = 0
  }

  private static let reset = 1

  let key: Selection
  let limit: Int
  let whenFull: Operator.Distinct.WhenFull
  let hasReset: Bool
  var state = State()

  mutating func start(_ effects: Effects) {
    if hasReset {
      effects.subscribe(to: Self.reset)
      effects.request(.unlimited, from: Self.reset)
    }
    effects.subscribe(to: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if port == Self.reset { return state.seen = SeenValues() }
    let index = state.index
    state.index += 1
    let isNew = try note(key.select(value, index: index, effects), of: value)
    if isNew { effects.publish(value) } else { effects.request(Demand(1), from: 0) }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if port == Self.reset, case .finished = completion { return }
    effects.complete(completion)
  }

  /// Records a key; returns whether it is new.
  private mutating func note(_ key: Value, of value: Value) throws(StreamFailure) -> Bool {
    if state.seen.contains(key) { return false }
    if state.seen.count >= limit {
      guard whenFull == .forgetOldest else {
        throw .beyondLimit(limit, "different value", of: "distinct", value: value)
      }
      state.seen.forgetOldest()
    }
    state.seen.insert(key)
    return true
  }
}

/// Distinct values in order of arrival.
private struct SeenValues: Codable, Sendable {
  private var order: Deque<Value> = []
  private var all: Set<MapKey> = []

  var count: Int { order.count }

  init() {}

  func contains(_ value: Value) -> Bool { all.contains(MapKey(value)) }

  mutating func insert(_ value: Value) {
    order.append(value)
    all.insert(MapKey(value))
  }

  mutating func forgetOldest() {
    if let first = order.popFirst() { all.remove(MapKey(first)) }
  }

  init(from decoder: any Decoder) throws {
    order = try decoder.singleValueContainer().decode(Deque<Value>.self)
    all = Set(order.map(MapKey.init))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(order)
  }
}

extension Operator.Distinct {
  public static let fieldsOfState: Set<String> = ["key"]

  private static let defaultLimit = 1_000_000
  private static let defaultWhenFull = WhenFull.fail

  public static let spec = OperatorSpec(
    "distinct", "Publishes a value only if no equal value came before.",
    memory: .bounded("the values, or keys, seen so far", by: "limit"),
    fields: [
      .optional("key", .expression(["value", "index"]), "Returns the key to compare. By default it is the value."),
      .optional(
        "limit", .count(1...100_000_000),
        "Maximum number of different values, or keys, to remember.", default: .of(defaultLimit)),
      .optional(
        "whenFull", .choice(["fail", "forgetOldest"]),
        "Effect of one more: `fail` fails the stream, `forgetOldest` forgets the oldest one.",
        default: .of(defaultWhenFull)),
      .optional("reset", .stream, "A stream; each of its values clears the set of seen values."),
    ],
    examples: [
      .marbles("each value once", #"{"distinct": {}}"#, in: "-a-b-a-c-b|", out: "-a-b---c--|"),
      .marbles(
        "distinct keys", #"{"distinct": {"key": "value % 10"}}"#, in: "-a-b-c|", out: "-a---c|",
        values: ["a": 1, "b": 11, "c": 12]),
      .marbles("more values than the limit", #"{"distinct": {"limit": 1}}"#, in: "-a-a-b|", out: "-a---#"),
      .marbles(
        "the oldest value is forgotten", #"{"distinct": {"limit": 1, "whenFull": "forgetOldest"}}"#, in: "-a-a-b-a|",
        out: "-a---b-a|"),
      .joins(
        "another stream clears the set", #"{"distinct": {"reset": "b"}}"#, in: ["-a-a---a-a|", "-----x|"],
        out: "-a-----a--|"),
      .joins("a reset that fails", #"{"distinct": {"reset": "b"}}"#, in: ["-a-a---|", "-----#"], out: "-a---#"),
      .rejects("a limit of zero", #"{"distinct": {"limit": 0}}"#, .outOfRange, at: "/distinct/limit"),
      .rejects(
        "an unknown word", #"{"distinct": {"whenFull": "forget"}}"#, .outOfRange, at: "/distinct/whenFull"),
    ])
}

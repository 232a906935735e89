public import CEL
internal import DequeModule
@_spi(Engine) public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes a value only if no equal value came before.
  ///
  /// Equal numbers of different types are the same value. With `seconds`, a value is forgotten that long after it was
  /// published; a repeat does not extend the time. A failure of `reset` fails the stream; its finish is ignored.
  ///
  /// - Memory: the values, or keys, seen so far, bounded by `limit`.
  /// - SeeAlso: `removeDuplicates`, which compares with the previous value only.
  public struct Distinct: OperatorDefinition {
    /// Returns the key to compare. By default it is the value. Variables: `value`, `index`.
    public var key: CELExpression?
    /// Time for which a value, or key, is remembered, from when it was published. By default it is remembered until the
    /// end. A number of seconds greater than 0, up to 31536000.
    public var seconds: Double?
    /// Maximum number of different values, or keys, to remember. An integer from 1 to 100000000. Default `1000000`.
    public var limit: Int?
    /// Effect of one more: `fail` fails the stream, `forgetOldest` forgets the oldest one. Default `fail`.
    public var whenFull: WhenFull?
    /// A stream; each of its values clears the set of seen values.
    public var reset: InnerStream?

    public init(
      key: CELExpression? = nil, seconds: Double? = nil, limit: Int? = nil, whenFull: WhenFull? = nil,
      reset: InnerStream? = nil
    ) {
      self.key = key
      self.seconds = seconds
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
      key: try context.planSelection(key, field: "key"), length: seconds.map(Interval.init(seconds:)),
      limit: limit ?? Self.defaultLimit, whenFull: whenFull ?? Self.defaultWhenFull,
      hasReset: reset != nil)
  }
}

private struct DistinctMachine: Machine {
  struct State: Codable, Sendable {
    var seen = SeenValues()
    /// When each value was published, in their order; nil if values are remembered until the end.
    var times: Deque<StreamTime>?
    /// The index of the next value.
    @Counted var index: Int64 = 0
  }

  private static let reset = 1

  let key: Selection
  /// The time for which values are remembered; nil for all time.
  let length: Interval?
  let limit: Int
  let whenFull: Operator.Distinct.WhenFull
  let hasReset: Bool
  var state = State()

  func problem(with saved: State) -> String? {
    guard let times = saved.times else { return nil }
    return times.count == saved.seen.count ? nil : "has \(times.count) times for \(saved.seen.count) values"
  }

  mutating func start(_ effects: Effects) {
    if hasReset {
      effects.subscribe(to: Self.reset)
      effects.request(.unlimited, from: Self.reset)
    }
    effects.subscribe(to: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if port == Self.reset {
      state.seen = SeenValues()
      state.times = nil
      return
    }
    let index = state.index
    state.index += 1
    let found = try key.select(value, index: index, effects)
    forgetOld(effects)
    let isNew = try note(found, of: value)
    if length != nil, isNew { state.times?.append(effects.now) }
    if isNew { effects.publish(value) } else { effects.request(Demand(1), from: 0) }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if port == Self.reset, case .finished = completion { return }
    effects.complete(completion)
  }

  /// Forgets the values whose time is over. Their memory is freed with the next value.
  private mutating func forgetOld(_ effects: Effects) {
    guard let length else {
      if state.times != nil { state.times = nil }
      return
    }
    // After a change of the file, the values that have no time count as published now.
    if state.times == nil { state.times = Deque(repeating: effects.now, count: state.seen.count) }
    while let first = state.times?.first, first + length <= effects.now {
      state.times?.removeFirst()
      state.seen.forgetOldest()
    }
  }

  /// Records a key; returns whether it is new.
  private mutating func note(_ key: Value, of value: Value) throws(StreamFailure) -> Bool {
    if state.seen.contains(key) { return false }
    if state.seen.count >= limit {
      guard whenFull == .forgetOldest else {
        throw .beyondLimit(
          limit, "different value", of: "distinct", value: value,
          help: "forget values after a time with 'seconds', forget the oldest one with \"whenFull\": \"forgetOldest\", "
            + "or raise 'limit'")
      }
      state.seen.forgetOldest()
      _ = state.times?.popFirst()
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
        "seconds", .seconds(0...31_536_000),
        "Time for which a value, or key, is remembered, from when it was published. By default it is remembered until "
          + "the end."),
      .optional(
        "limit", .count(1...100_000_000),
        "Maximum number of different values, or keys, to remember.", default: .of(defaultLimit)),
      .optional(
        "whenFull", .choice(["fail", "forgetOldest"]),
        "Effect of one more: `fail` fails the stream, `forgetOldest` forgets the oldest one.",
        default: .of(defaultWhenFull)),
      .optional("reset", .stream, "A stream; each of its values clears the set of seen values."),
    ],
    rules: [.above("seconds", 0)],
    examples: [
      .marbles("each value once", #"{"distinct": {}}"#, in: "-a-b-a-c-b|", out: "-a-b---c--|"),
      .marbles(
        "distinct keys", #"{"distinct": {"key": "value % 10"}}"#, in: "-a-b-c|", out: "-a---c|",
        values: ["a": 1, "b": 11, "c": 12]),
      .marbles("more values than the limit", #"{"distinct": {"limit": 1}}"#, in: "-a-a-b|", out: "-a---#"),
      .marbles(
        "the oldest value is forgotten", #"{"distinct": {"limit": 1, "whenFull": "forgetOldest"}}"#, in: "-a-a-b-a|",
        out: "-a---b-a|"),
      .marbles(
        "a value is forgotten after three milliseconds, whether or not it is repeated",
        #"{"distinct": {"seconds": 0.003}}"#, in: "-a-aaba-b-a|", out: "-a--ab--b-a|"),
      .joins(
        "another stream clears the set", #"{"distinct": {"reset": "b"}}"#, in: ["-a-a---a-a|", "-----x|"],
        out: "-a-----a--|"),
      .joins("a reset that fails", #"{"distinct": {"reset": "b"}}"#, in: ["-a-a---|", "-----#"], out: "-a---#"),
      .rejects("a limit of zero", #"{"distinct": {"limit": 0}}"#, .outOfRange, at: "/distinct/limit"),
      .rejects("a time of zero", #"{"distinct": {"seconds": 0}}"#, .outOfRange, at: "/distinct/seconds"),
      .rejects(
        "an unknown word", #"{"distinct": {"whenFull": "forget"}}"#, .outOfRange, at: "/distinct/whenFull"),
    ])
}

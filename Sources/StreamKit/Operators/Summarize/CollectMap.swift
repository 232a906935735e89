public import CEL
@_spi(Engine) public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes an object of all values by key when upstream finishes.
  ///
  /// For values with the same key the last one counts, unless `multiple` is true. The keys are in order of arrival.
  /// Without values the object is empty.
  ///
  /// - Memory: keys and their values, bounded by `limit`.
  /// - Failure: `S408` for a key that is not a string, an integer or a Boolean.
  public struct CollectMap: OperatorDefinition {
    /// Returns the key: a string, an integer or a Boolean. Variables: `value`, `index`.
    public var key: CELExpression
    /// Returns the value to store. By default it is the value itself. Variables: `value`, `index`.
    public var expression: CELExpression?
    /// Whether to store an array of all values for each key. Default `false`.
    public var multiple: Bool?
    /// Maximum number of keys, or of values with `multiple`. One more fails the stream. An integer from 1 to 100000000.
    /// Default `1000000`.
    public var limit: Int?

    public init(key: CELExpression, expression: CELExpression? = nil, multiple: Bool? = nil, limit: Int? = nil) {
      self.key = key
      self.expression = expression
      self.multiple = multiple
      self.limit = limit
    }
  }
}

extension Operator.CollectMap {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let key = try context.planSelection(
      key, field: "key", of: "strings, integers or booleans as keys", where: \.mayBeKey)
    let element = try context.planSelection(expression, field: "expression")
    let isMultiple = multiple ?? Self.defaultMultiple
    context.outputType = .map(key.type, isMultiple ? .list(element.type) : element.type)
    return CollectMapMachine(key: key, element: element, isMultiple: isMultiple, limit: limit ?? Self.defaultLimit)
  }
}

private struct CollectMapMachine: Machine {
  struct State: Codable, Sendable {
    var groups = KeyedLists()
    /// The index of the next value.
    @Counted var index: Int64 = 0
    var result = PendingResult()
  }

  let key: Selection
  let element: Selection
  let isMultiple: Bool
  let limit: Int
  var state = State()

  mutating func start(_ effects: Effects) { effects.subscribeToAll() }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    let index = state.index
    state.index += 1
    let key = try key.select(value, index: index, effects)
    try requireKey(key, for: value)
    let element = try element.select(value, index: index, effects)
    let isReplacing = !isMultiple && state.groups.contains(key)
    guard isReplacing || state.groups.count < limit else {
      throw .beyondLimit(limit, isMultiple ? "value" : "key", of: "collectMap", value: value)
    }
    state.groups.add(element, under: key, isReplacing: isReplacing)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    state.result.end(completion, with: .map(state.groups.map(ofLists: isMultiple)), effects)
    state.groups = KeyedLists()
  }

  mutating func request(_ demand: Demand, _ effects: Effects) { state.result.request(demand, effects) }

  private func requireKey(_ key: Value, for value: Value) throws(StreamFailure) {
    switch key {
    case .string, .int, .uint, .bool: return
    default:
      throw StreamFailure(
        .wrongResult,
        "the expression 'key' of 'collectMap' returned \(key.describedType); a key is a string, an integer or a "
          + "boolean",
        pointer: self.key.expression?.pointer ?? JSONPointer(), value: value)
    }
  }
}

/// Values by key, in order of arrival.
private struct KeyedLists: Codable, Sendable {
  private var keys: [Value] = []
  private var lists: [[Value]] = []
  private var places: [MapKey: Int] = [:]
  /// Number of values.
  private(set) var count = 0

  init() {}

  func contains(_ key: Value) -> Bool { places[MapKey(key)] != nil }

  /// Adds a value, or replaces the one for this key.
  mutating func add(_ value: Value, under key: Value, isReplacing: Bool) {
    if !isReplacing { count += 1 }
    guard let place = places[MapKey(key)] else {
      places[MapKey(key)] = keys.count
      keys.append(key)
      lists.append([value])
      return
    }
    if isReplacing { lists[place] = [value] } else { lists[place].append(value) }
  }

  /// A map with all values of each key, or the last one.
  func map(ofLists: Bool) -> ValueMap {
    ValueMap(shape: Shape(keys), slots: lists.map { ofLists ? .list($0) : $0.last ?? .null })
  }

  private enum CodingKeys: String, CodingKey { case keys, lists }

  /// - Throws: If the keys and lists are invalid or do not match.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    keys = try container.decode([Value].self, forKey: .keys)
    lists = try container.decode([[Value]].self, forKey: .lists)
    places = Dictionary(keys.enumerated().map { (MapKey($1), $0) }, uniquingKeysWith: { first, _ in first })
    count = lists.reduce(0) { $0 + $1.count }
    guard places.count == keys.count, keys.count == lists.count else {
      throw Diagnostic(
        .snapshotMismatch, "there are \(keys.count) keys, \(places.count) of them different, for \(lists.count) lists")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(keys, forKey: .keys)
    try container.encode(lists, forKey: .lists)
  }
}

extension Operator.CollectMap {
  public static let fieldsOfState: Set<String> = ["key"]

  private static let defaultMultiple = false
  private static let defaultLimit = 1_000_000

  public static let spec = OperatorSpec(
    "collectMap", "Publishes an object of all values by key when upstream finishes.",
    memory: .bounded("keys and their values", by: "limit"),
    fields: [
      .required("key", .expression(["value", "index"]), "Returns the key: a string, an integer or a Boolean."),
      .optional(
        "expression", .expression(["value", "index"]), "Returns the value to store. By default it is the value itself."),
      .optional(
        "multiple", .bool, "Whether to store an array of all values for each key.", default: .of(defaultMultiple)),
      .optional(
        "limit", .count(1...100_000_000),
        "Maximum number of keys, or of values with `multiple`. One more fails the stream.",
        default: .of(defaultLimit)),
    ],
    examples: [
      .marbles(
        "the last value of each key", #"{"collectMap": {"key": "value % 2 == 0 ? 'even' : 'odd'"}}"#, in: "-a-b-c|",
        out: "------(m|)", values: ["a": 1, "b": 2, "c": 3, "m": ["odd": 3, "even": 2]]),
      .marbles(
        "all values of each key",
        #"{"collectMap": {"key": "value % 2", "expression": "value * 10", "multiple": true}}"#, in: "-a-b-c|",
        out: "------(m|)", values: ["a": 1, "b": 2, "c": 3, "m": [1: [10, 30], 0: [20]]]),
      .marbles("no values", #"{"collectMap": {"key": "value"}}"#, in: "--|", out: "--(m|)", values: ["m": [:]]),
      .marbles(
        "more keys than the limit", #"{"collectMap": {"key": "value", "limit": 1}}"#, in: "-a-a-b|", out: "-----#"),
      .marbles(
        "a key of the wrong type", #"{"collectMap": {"key": "value"}}"#, in: "-a|", out: "-#", values: ["a": [1]]),
      .rejects("no key", #"{"collectMap": {}}"#, .missingField, at: "/collectMap"),
      .rejects(
        "a list as the key", #"{"collectMap": {"key": "[value]"}}"#, .typeMismatch, at: "/collectMap/key"),
    ])
}

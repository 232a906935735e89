public import CEL
internal import DequeModule
@_spi(Engine) public import StreamCore
public import StreamEngine

extension Operator {
  /// Groups values by a key, runs operators on each group, and publishes the values of all groups.
  ///
  /// A group starts with the first value of its key. It ends with upstream, after `idle` seconds without a value, when
  /// its `until` publishes or finishes, or when it is evicted. The next value of its key starts a new group. Equal numbers
  /// are the same key whatever their types, also within arrays and objects; `key` is that of the group's first value.
  /// In a nested `groupBy`, `key` is the inner key: name the outer one with `as`.
  ///
  /// - Time: with `idle`, one timer per group.
  /// - Memory: groups, with the state of their operators, bounded by `limit`.
  /// - Failure: `S409` for more than `limit` groups, unless `whenFull` is `evictOldest`, and for more than 1,024
  ///   values that wait for a group's operators.
  public struct GroupBy: OperatorDefinition {
    /// Returns the key. Variables: `value`, `index`.
    public var key: CELExpression
    /// Returns the value to send to the group. By default it is the value itself. Variables: `value`, `index`.
    public var element: CELExpression?
    /// Name of the group's key in the expressions of `operators` and `until`. Default `key`.
    public var `as`: String?
    /// Operators that run on each group. Their expressions see the group's key as `key`.
    public var operators: InnerOperators
    /// A stream that ends the group, started with it. Its expressions see the group's key as `key`.
    public var until: InnerStream?
    /// Time without a value after which a group ends. By default groups do not end. A number of seconds greater than 0,
    /// up to 31536000.
    public var idle: Double?
    /// Maximum number of open groups. An integer from 1 to 10000000. Default `10000000`.
    public var limit: Int?
    /// Effect of one more group: `fail` fails the stream; `evictOldest` ends the group whose last value is the oldest.
    /// Default `fail`.
    public var whenFull: WhenFull?

    public init(
      key: CELExpression, element: CELExpression? = nil, operators: InnerOperators, until: InnerStream? = nil,
      idle: Double? = nil, limit: Int? = nil, whenFull: WhenFull? = nil, as name: String? = nil
    ) {
      self.key = key
      self.element = element
      self.as = name
      self.operators = operators
      self.until = until
      self.idle = idle
      self.limit = limit
      self.whenFull = whenFull
    }

    public enum WhenFull: String, Hashable, Sendable, Codable, CaseIterable {
      case fail, evictOldest
    }
  }
}

extension Operator.GroupBy {
  private var captures: [JoinedStream.Capture] { [.key(self.as ?? Self.defaultName)] }

  public func validate() throws(Diagnostic) {
    if let name = self.as { try VariableName.check(name, field: "as", reserved: ["value", "index"]) }
  }

  public var joined: [JoinedStream] {
    [operators.joined(limit: InnerOperators.waitingLimit, captures: captures, isElement: element != nil)]
      + (until.map {
        [JoinedStream(reference: $0.reference, pointer: JSONPointer(["until"]), captures: captures)]
      } ?? [])
  }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.first ?? .dyn
    return GroupByMachine(
      key: try context.plan(key, field: "key", over: context.valueVariables),
      element: try element.map { expression throws(Diagnostics) in
        try context.plan(expression, field: "element", over: context.valueVariables)
      },
      hasUntil: until != nil, idle: idle.map(Interval.init(seconds:)), limit: limit ?? Self.defaultLimit,
      evicts: whenFull ?? Self.defaultWhenFull == .evictOldest)
  }
}

/// Port 0 is upstream. A group has an odd port; its `until` has the next one.
private struct GroupByMachine: LoweredMachine {
  struct State: Codable, Sendable {
    var streams = InnerStreams(first: 1, stride: 2)
    /// The port of each open group, by key.
    var ports: [MapKey: Int] = [:]
    /// The open groups, by port.
    var groups: [Int: Group] = [:]
    @Counted var index: Int64 = 0
    /// The last uses of groups, oldest first; entries with a later use in `lastUse` are obsolete.
    var uses: Deque<Use> = []
    var lastUse: [Int: Int64] = [:]
    var isAsking = false
    var isUpstreamDone = false
  }

  struct Group: Codable, Sendable {
    let key: Value
    /// The number of values up to the group's first one. Ports are reused, so they do not show the groups' ages.
    let birth: Int64
  }

  struct Use: Codable, Sendable {
    let port: Int
    let index: Int64
  }

  let key: PlannedExpression
  let element: PlannedExpression?
  let hasUntil: Bool
  let idle: Interval?
  let limit: Int
  let evicts: Bool
  var state = State()
  /// The ports of the groups after the end of upstream, the oldest group last.
  var remaining: [Int]?

  func problem(with saved: State) -> String? {
    if let problem = saved.streams.problem(beside: state.streams) { return problem }
    guard saved.groups.count == saved.ports.count,
      saved.groups.allSatisfy({ saved.ports[MapKey($1.key)] == $0 && saved.streams.uses($0) })
    else { return "has groups without a stream" }
    return nil
  }

  /// As one program unless groups are evicted or have streams that end them.
  var lowering: Lowering<State>? {
    guard !hasUntil, !evicts else { return nil }
    let steps = Steps([key] + (element.map { [$0] } ?? [])) { segment in
      let index = segment.index(isRead: true)
      segment.countSkipped(with: index)
      let found = segment.evaluate(key, index: index)
      if let element { segment.value = segment.evaluate(element, index: index) }
      segment.enterRow(of: found, readIn: key.firstSlot, counting: index, limit: limit) {
        Self.tooMany(limit, found: $0, for: $2)
      }
      segment.keep(index)
    }
    return KeyedLowering(steps, idle: idle, state: State.init, groups: \.keyed).map(Lowering.keyed)
  }

  private static func tooMany(_ limit: Int, found key: Value, for value: Value) -> StreamFailure {
    .beyondLimit(
      limit, "group", "; the key \(JSONWriter.beginning(of: key, bytes: 200)) is one more", of: "groupBy", value: value,
      help: "end groups without values with 'idle', replace the oldest group with \"whenFull\": \"evictOldest\", or "
        + "raise 'limit'")
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool {
    if port == 0 { return upstream == 0 }
    return Self.isUntil(port)
      ? upstream == 2 && state.streams.hasGiven(port - 1) : upstream == 1 && state.streams.hasGiven(port)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if port == 0 { return try group(value, effects) }
    if Self.isUntil(port) {
      effects.cancel(port)
      end(port - 1, effects)
    } else {
      try state.streams.receive(value, on: port, effects)
    }
  }

  private mutating func group(_ value: Value, _ effects: Effects) throws(StreamFailure) {
    let index = state.index
    state.index += 1
    let found = try key.evaluate(effects, value, index: index)
    let mapKey = MapKey(found)
    let member = try element?.evaluate(effects, value, index: index) ?? value
    if state.ports[mapKey] == nil, state.ports.count >= limit {
      guard evicts else { throw Self.tooMany(limit, found: found, for: value) }
      evictOldest(effects)
    }
    state.isAsking = false
    let port = state.ports[mapKey] ?? begin(found, effects)
    if let idle { effects.setTimer(port, at: effects.now + idle) }
    if evicts { noteUse(of: port) }
    effects.feed(member, to: port)
    if !state.streams.demand.isUnlimited { effects.resume() }
  }

  private mutating func begin(_ key: Value, _ effects: Effects) -> Int {
    let port = state.streams.open(1, capturing: [key], effects)
    state.ports[MapKey(key)] = port
    state.groups[port] = Group(key: key, birth: state.index)
    if hasUntil {
      effects.subscribe(to: 2, on: port + 1, capturing: [key])
      effects.request(Demand(1), from: port + 1)
    }
    return port
  }

  /// Ends a group: it takes no more values, and its stream runs until it finishes.
  private mutating func end(_ port: Int, _ effects: Effects) {
    guard let group = state.groups.removeValue(forKey: port) else { return }
    state.ports[MapKey(group.key)] = nil
    state.lastUse[port] = nil
    effects.cancelTimer(port)
    if hasUntil { effects.cancel(port + 1) }
    effects.endFeed(.finished, to: port)
    state.streams.free(port)
  }

  private mutating func noteUse(of port: Int) {
    state.lastUse[port] = state.index
    state.uses.append(Use(port: port, index: state.index))
    if state.uses.count > 2 * limit + 64 { state.uses.removeAll { state.lastUse[$0.port] != $0.index } }
  }

  private mutating func evictOldest(_ effects: Effects) {
    while let use = state.uses.popFirst() {
      guard state.lastUse[use.port] == use.index else { continue }
      return end(use.port, effects)
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    if port == 0 {
      state.isUpstreamDone = true
      return endOldest(effects)
    } else if Self.isUntil(port) {
      end(port - 1, effects)
    } else {
      // Further values of its key are dropped until the group ends.
      state.streams.close(port, keepingPort: state.groups[port] != nil)
    }
    state.streams.finish(ifDone: state.isUpstreamDone, effects)
  }

  /// After upstream ends the oldest group, and the others one after the other.
  private mutating func endOldest(_ effects: Effects) {
    // NB: In place: a copy for each group would take a time that grows with the square of their number.
    if remaining == nil { remaining = state.groups.sorted { $0.value.birth > $1.value.birth }.map(\.key) }
    while let port = remaining?.popLast() {
      guard state.groups[port] != nil else { continue }
      end(port, effects)
      if !state.groups.isEmpty { effects.resume() }
      break
    }
    state.streams.finish(ifDone: true, effects)
  }

  mutating func fire(_ timer: Int, _ effects: Effects) {
    end(timer, effects)
    state.streams.finish(ifDone: state.isUpstreamDone, effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.streams.request(demand, effects)
    proceed(effects)
  }

  mutating func resume(_ effects: Effects) {
    if state.isUpstreamDone, !state.groups.isEmpty { return endOldest(effects) }
    state.streams.resume(effects)
    proceed(effects)
  }

  private mutating func proceed(_ effects: Effects) {
    state.streams.proceed(afterUpstream: state.isUpstreamDone, isAsking: &state.isAsking, effects)
  }

  private static func isUntil(_ port: Int) -> Bool { port > 0 && port % 2 == 0 }
}

extension GroupByMachine.State {
  init(_ groups: KeyedGroups) {
    self.init()
    let free = groups.free.map(KeyedGroups.port)
    streams = InnerStreams(InnerPorts(groups.all.map(\.isRunning), free: free, stride: 2))
    index = groups.index
    isUpstreamDone = groups.isEnding
    for (number, stream) in groups.all.enumerated() {
      guard let group = stream.group else { continue }
      let port = KeyedGroups.port(of: number)
      ports[MapKey(group.key)] = port
      self.groups[port] = GroupByMachine.Group(key: group.key, birth: group.firstIndex + 1)
    }
  }

  /// The groups by port; nil if the state says more.
  var keyed: KeyedGroups? {
    guard let use = streams.portUse, !isAsking, !isUpstreamDone, uses.isEmpty, lastUse.isEmpty else { return nil }
    var all: [KeyedGroups.Stream] = []
    for (number, isRunning) in use.isRunning.enumerated() {
      let group = groups[KeyedGroups.port(of: number)]
      if let group, group.birth < 1 { return nil }
      all.append(
        KeyedGroups.Stream(
          group: group.map { KeyedGroups.Group(key: $0.key, firstIndex: $0.birth - 1) }, isRunning: isRunning))
    }
    return KeyedGroups(index: index, all, free: use.free.map(KeyedGroups.number))
  }
}

extension Operator.GroupBy {
  public static let fieldsOfState: Set<String> = ["key"]

  /// The memory of the run is the limit, before so many groups.
  private static let defaultLimit = 10_000_000
  private static let defaultName = "key"
  private static let defaultWhenFull = WhenFull.fail

  public static let spec = OperatorSpec(
    "groupBy", "Groups values by a key, runs operators on each group, and publishes the values of all groups.",
    memory: .bounded("groups, with the state of their operators", by: "limit"),
    fields: [
      .required("key", .expression(["value", "index"]), "Returns the key."),
      .optional(
        "element", .expression(["value", "index"]),
        "Returns the value to send to the group. By default it is the value itself."),
      .optional(
        "as", .string, "Name of the group's key in the expressions of `operators` and `until`.",
        default: .of(defaultName)),
      .required(
        "operators", .operators, "Operators that run on each group. Their expressions see the group's key as `key`."),
      .optional(
        "until", .stream, "A stream that ends the group, started with it. Its expressions see the group's key as `key`."
      ),
      .optional(
        "idle", .seconds(0...31_536_000),
        "Time without a value after which a group ends. By default groups do not end."),
      .optional("limit", .count(1...10_000_000), "Maximum number of open groups.", default: .of(defaultLimit)),
      .optional(
        "whenFull", .choice(["fail", "evictOldest"]),
        "Effect of one more group: `fail` fails the stream; `evictOldest` ends the group whose last value is the "
          + "oldest.", default: .of(defaultWhenFull)),
    ],
    rules: [.above("idle", 0)],
    examples: [
      .marbles(
        "counts by key",
        #"{"groupBy": {"key": "value", "operators": [{"count": {}}, {"map": {"expression": "[key, value]"}}]}}"#,
        in: "-a-b-a|", out: "------(xy|)", values: ["x": ["a", 2], "y": ["b", 1]]),
      .marbles(
        "indices within groups",
        #"{"groupBy": {"key": "value % 10", "operators": [{"map": {"expression": "[key, index, value]"}}]}}"#,
        in: "-a-b-c|", out: "-x-y-z|",
        values: ["a": 1, "b": 2, "c": 11, "x": [1, 0, 1], "y": [2, 0, 2], "z": [1, 1, 11]]),
      .marbles(
        "the keys of nested groups",
        #"""
        {"groupBy": {"key": "value / 10", "as": "tens", "operators": [
          {"groupBy": {"key": "value % 10", "operators": [{"map": {"expression": "[tens, key]"}}]}}]}}
        """#, in: "-a-b-c|", out: "-x-y-z|",
        values: ["a": 12, "b": 34, "c": 14, "x": [1, 2], "y": [3, 4], "z": [1, 4]]),
      .marbles(
        "each group reports its silence, and stays open",
        #"""
        {"groupBy": {"key": "value", "operators": [
          {"timeout": {"seconds": 0.003, "onTimeout": "publish", "expression": "'no ' + key"}}]}}
        """#, in: "-a-b-b----a-|", out: "-a-bxb--y-a-|", values: ["x": "no a", "y": "no b"]),
      .marbles(
        "an idle group ends",
        #"{"groupBy": {"key": "value", "idle": 0.003, "operators": [{"count": {}}]}}"#,
        in: "-a-a-------a|", out: "------x-----(y|)", values: ["x": 2, "y": 1]),
      .marbles(
        "at the finish, groups end in order of their start",
        #"{"groupBy": {"key": "value", "idle": 0.003, "operators": [{"count": {}}, {"map": {"expression": "[key, value]"}}]}}"#,
        in: "ab-b-b-c|", out: "---x----(yz|)", values: ["x": ["a", 1], "y": ["b", 3], "z": ["c", 1]]),
      .marbles(
        "a stream ends the group",
        #"""
        {"groupBy": {"key": "value", "until": {"source": {"timer": {"every": 0.002}}}, "operators": [{"count": {}}]}}
        """#, in: "-aaaa|", out: "---x-(y|)", values: ["x": 3, "y": 1]),
      .marbles(
        "more groups than the limit",
        #"{"groupBy": {"key": "value", "limit": 1, "operators": []}}"#, in: "-a-b|", out: "-a-#"),
      .marbles(
        "the oldest group is evicted",
        #"{"groupBy": {"key": "value", "limit": 1, "whenFull": "evictOldest", "operators": [{"count": {}}]}}"#,
        in: "-a-b|", out: "---x(x|)", values: ["x": 1]),
      .rejects(
        "a name of another variable", #"{"groupBy": {"key": "value", "as": "value", "operators": []}}"#,
        .invalidIdentifier, at: "/groupBy/as"),
      .rejects("no key", #"{"groupBy": {"operators": []}}"#, .missingField, at: "/groupBy"),
      .rejects(
        "an error in the operators", #"{"groupBy": {"key": "value", "operators": [{"map": {"expression": "keys"}}]}}"#,
        .unknownName, at: "/groupBy/operators/0/map/expression"),
    ])
}

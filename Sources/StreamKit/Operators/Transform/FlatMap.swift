internal import CEL
internal import DequeModule
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Subscribes to a stream for each value and publishes what all of them publish, as it comes.
  ///
  /// Finishes when upstream and every inner stream have finished. A failure of any of them cancels the others, the
  /// upstream too.
  ///
  /// - Memory: with `maxPublishers`, values that wait for their turn, bounded by `limit`.
  public struct FlatMap: OperatorDefinition {
    /// The stream that every value starts: a name, or a model in place, whose expressions know the value as `outer` and
    /// its number, from 0, as `outerIndex`.
    public var stream: InnerStream
    /// How many inner streams run at once, 1 or more. Without it no bound.
    public var maxPublishers: Int?
    /// How many values of upstream may wait for their turn. Default 1,024.
    public var limit: Int?
  }
}

/// The one stream of a field `stream`.
public struct InnerStream: Hashable, Sendable, Codable {
  public var reference: StreamReference

  /// What a stream that is started for a value of the upstream knows of it.
  static let captures: [Capture] = [.upstream("outer"), .fixed("outerIndex", .int)]

  public init(_ reference: StreamReference) { self.reference = reference }

  public init(from decoder: any Decoder) throws {
    reference = try StreamReference(decoder.singleValueContainer().decode(Value.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(reference.value)
  }
}

extension Operator.FlatMap {
  public var joined: [JoinedStream] {
    [JoinedStream(reference: stream.reference, pointer: JSONPointer(["stream"]), captures: InnerStream.captures)]
  }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.first ?? .dyn
    return FlatMapMachine(maxPublishers: maxPublishers ?? .max, limit: limit ?? 1_024)
  }
}

/// Port 0 is the upstream; every inner stream has a port of its own, used again when it has finished.
private struct FlatMapMachine: Machine {
  struct State: Codable, Sendable {
    var demand = Demand.none
    var hasAskedUpstream = false
    var isUpstreamDone = false
    /// The values that wait for their turn to start a stream.
    var waiting: Deque<Value> = []
    /// How many streams have been started.
    var index: Int64 = 0
    var active: Set<Int> = []
    var freePorts: [Int] = []
    var lastPort = 0
    /// Values that came while nobody asked, with the ports to ask again.
    var surplus: Deque<Surplus> = []
  }

  struct Surplus: Codable, Sendable {
    let port: Int
    let value: Value
  }

  let maxPublishers: Int
  let limit: Int
  var state = State()

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) {
    if port == 0 {
      if state.active.count < maxPublishers { begin(value, answers) } else { state.waiting.append(value) }
    } else if state.demand.takeOne() {
      answers.publish(value)
      answers.request(Demand(1), from: port)
    } else {
      state.surplus.append(Surplus(port: port, value: value))
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    if case .failure = completion { return answers.complete(completion) }
    if port == 0 {
      state.isUpstreamDone = true
    } else {
      state.active.remove(port)
      state.freePorts.append(port)
      if let value = state.waiting.popFirst() { begin(value, answers) }
      if maxPublishers < .max { answers.request(Demand(1), from: 0) }
    }
    finishIfDone(answers)
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    state.demand += demand
    // Everything is published before anything is asked for: what comes in answer may be the end.
    var askAgain: [Int] = []
    while let first = state.surplus.first, state.demand.takeOne() {
      state.surplus.removeFirst()
      answers.publish(first.value)
      askAgain.append(first.port)
    }
    for port in askAgain { answers.request(Demand(1), from: port) }
    if !state.hasAskedUpstream {
      state.hasAskedUpstream = true
      answers.request(Demand(maxPublishers) + Demand(maxPublishers < .max ? limit : 0), from: 0)
    }
    if state.demand.isUnlimited {
      for port in state.active.sorted() { answers.request(.unlimited, from: port) }
    }
    finishIfDone(answers)
  }

  private mutating func begin(_ value: Value, _ answers: Answers) {
    let port = state.freePorts.popLast() ?? state.lastPort + 1
    state.lastPort = max(state.lastPort, port)
    state.active.insert(port)
    answers.subscribe(to: 1, on: port, capturing: [value, .int(state.index)])
    state.index += 1
    answers.request(state.demand.isUnlimited ? .unlimited : Demand(1), from: port)
  }

  private func finishIfDone(_ answers: Answers) {
    if state.isUpstreamDone, state.waiting.isEmpty, state.active.isEmpty, state.surplus.isEmpty { answers.finish() }
  }
}

extension Operator.FlatMap {
  public static let spec = OperatorSpec(
    "flatMap", "Subscribes to a stream for each value and publishes what all of them publish, as it comes.",
    fields: [
      .required(
        "stream", .stream, "The stream that every value starts; its expressions know `outer` and `outerIndex`."),
      .optional(
        "maxPublishers", .count(1 ... .max), "How many inner streams run at once, 1 or more. Without it no bound."),
      .optional(
        "limit", .count(1...100_000_000), "How many values of upstream may wait for their turn. Default 1,024."),
    ],
    examples: [
      .marbles(
        "two streams side by side", #"{"flatMap": {"stream": {"source": {"marbles": {"diagram": "x-y-z|"}}}}}"#,
        in: "-a-b-|", out: "-x-[yx]-[zy]-z|"),
      .marbles(
        "one after the other",
        #"{"flatMap": {"stream": {"source": {"marbles": {"diagram": "x-y|"}}}, "maxPublishers": 1}}"#,
        in: "-(ab|)", out: "-x-yx-y|"),
      .marbles(
        "a failure inside", #"{"flatMap": {"stream": {"source": {"fail": {"error": "error"}}}}}"#, in: "-a-b|",
        out: "-#"),
      .marbles(
        "inner streams know their value",
        #"{"flatMap": {"stream": {"source": {"just": {"expression": "outer * 10 + outerIndex"}}}}}"#, in: "-a-b|",
        out: "-x-y|", values: ["a": 1, "b": 2, "x": 10, "y": 21]),
      .marbles(
        "streams within streams",
        #"""
        {"flatMap": {"stream": {
          "source": {"marbles": {"diagram": "x-y|"}},
          "operators": [{"flatMap": {"stream": {"source": {"just": {"expression": "outer + string(outerIndex)"}}}}},
                        {"map": {"expression": "value + string(outer)"}}]}}}
        """#, in: "-a-b|", out: "-p-[qr]-s|",
        values: ["a": 1, "b": 2, "p": "x01", "q": "y11", "r": "x02", "s": "y12"]),
      .rejects("no stream", #"{"flatMap": {}}"#, .missingField, at: "/flatMap"),
    ])
}

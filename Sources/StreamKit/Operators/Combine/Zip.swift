public import CEL
internal import DequeModule
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes the first values of all streams together, then the second ones, and so on.
  ///
  /// Finishes as soon as no more can be made: a stream has finished and none of its values is waiting.
  ///
  /// - Memory: grows with the lead of the faster stream, bounded by `limit`.
  /// - SeeAlso: `combineLatest`, which publishes with every value.
  public struct Zip: OperatorDefinition {
    /// The other streams.
    public var with: StreamReferences
    /// Names for the values, the upstream's first.
    public var names: [String]?
    /// Gives what is published. Variables: `values`, and the names.
    public var expression: Expression?
    /// The most values of one stream that wait for the others; one more fails the stream. Default 1,000,000.
    public var limit: Int?
  }
}

extension Operator.Zip {
  public var joined: [JoinedStream] { with.joined }

  public func validate() throws(Diagnostic) { try with.requireOne() }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let count = with.all.count + 1
    let output = try JoinOutput(names: names, expression: expression, count: count, &context)
    return ZipMachine(
      output: output, limit: limit ?? 1_000_000,
      state: ZipMachine.State(
        queues: Array(repeating: [], count: count), isDone: Array(repeating: false, count: count)))
  }
}

private struct ZipMachine: Machine {
  struct State: Codable, Sendable {
    var queues: [Deque<Value>]
    var isDone: [Bool]
  }

  let output: JoinOutput
  let limit: Int
  var state: State

  mutating func start(_ answers: Answers) {
    for port in state.queues.indices { answers.subscribe(to: port) }
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    for port in state.queues.indices where !state.isDone[port] { answers.request(demand, from: port) }
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) throws(StreamFailure) {
    let others = state.queues.indices.filter { $0 != port }
    guard state.queues[port].isEmpty, others.allSatisfy({ !state.queues[$0].isEmpty }) else {
      guard state.queues[port].count < limit else {
        throw StreamFailure(
          .limitExceeded, "'zip' has its limit of \(limit) values that wait for the other streams", value: value)
      }
      state.queues[port].append(value)
      return
    }
    let values = state.queues.indices.map { state.queues[$0].first ?? value }
    answers.publish(try output.make(values, answers))
    for port in others { state.queues[port].removeFirst() }
    if isExhausted { answers.finish() }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    if case .failure = completion { return answers.complete(completion) }
    state.isDone[port] = true
    if isExhausted { answers.finish() }
  }

  private var isExhausted: Bool {
    state.queues.indices.contains { state.isDone[$0] && state.queues[$0].isEmpty }
  }
}

extension Operator.Zip {
  public static let spec = OperatorSpec(
    "zip", "Publishes the first values of all streams together, then the second ones, and so on.",
    fields: FieldSpec.joining + [
      .optional(
        "limit", .count(1...1_000_000_000),
        "The most values of one stream that wait for the others; one more fails the stream. Default 1,000,000.")
    ],
    examples: [
      .joins(
        "pairs", #"{"zip": {"with": ["b"]}}"#, in: ["-a-b-|", "--x---y---|"], out: "--p---(q|)",
        values: ["p": ["a", "x"], "q": ["b", "y"]]),
      .joins(
        "named", #"{"zip": {"with": ["b"], "names": ["left", "right"]}}"#, in: ["-a|", "--x|"], out: "--(p|)",
        values: ["p": ["left": "a", "right": "x"]]),
      .joins(
        "by an expression", #"{"zip": {"with": ["b"], "names": ["l", "r"], "expression": "l + r"}}"#,
        in: ["-a|", "--x|"], out: "--('ax'|)"),
      .rejects("with nobody", #"{"zip": {"with": []}}"#, .outOfRange, at: "/zip/with"),
      .rejects("with a stranger", #"{"zip": {"with": ["x"]}}"#, .unknownStream, at: "/zip/with/0"),
      .rejects(
        "too few names", #"{"zip": {"with": ["b"], "names": ["l"]}}"#, .outOfRange, at: "/zip/names"),
    ])
}

public import CEL
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

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let count = with.all.count + 1
    let output = try JoinOutput(names: names, expression: expression, count: count, &context)
    return ZipMachine(output: output, limit: limit ?? 1_000_000, state: ValueQueues(count: count))
  }
}

private struct ZipMachine: Machine {
  let output: JoinOutput
  let limit: Int
  var state: ValueQueues
  /// The expression at work.
  private var run: TupleRun?
  /// The same. NB: counted by `run`: here it costs nothing to look at it.
  private var reference: Unmanaged<TupleRun>?

  init(output: JoinOutput, limit: Int, state: ValueQueues) {
    self.output = output
    self.limit = limit
    self.state = state
  }

  mutating func start(_ answers: Answers) {
    for port in 0..<state.count { answers.subscribe(to: port) }
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    for port in state.running { answers.request(demand, from: port) }
  }

  mutating func relay(_ value: inout Value, on port: Int, _ answers: Answers) throws(StreamFailure) -> Relayed {
    guard state.isTuple(with: port) else {
      try state.append(value, from: port, limit: limit, owner: "zip")
      return .nothing
    }
    guard state.isExhausted(withTupleOf: port) else { return try combine(&value, from: port, answers) }
    _ = try combine(&value, from: port, isLast: true, answers)
    answers.publish(value)
    answers.finish()
    return .nothing
  }

  /// Hands on what comes of the first values of all streams and the one that completes them; of the last it stands in
  /// that one's place.
  private mutating func combine(
    _ value: inout Value, from port: Int, isLast: Bool = false, _ answers: Answers
  ) throws(StreamFailure) -> Relayed {
    if let reference {
      return try reference.use { run throws(StreamFailure) in
        state.takeTuple(into: run, apartFrom: port)
        do throws(StreamFailure) {
          if !isLast { return try run.relay(&value, at: port, answers) }
          try run.evaluate(&value, at: port)
        } catch {
          state.putBack(run.values, apartFrom: port)
          throw error
        }
        return .value
      }
    }
    guard let values = state.takeTuple(with: value, from: port) else { return .nothing }
    do throws(StreamFailure) {
      if let made = output.run(over: values, answers) {
        run = made
        reference = .passUnretained(made)
        try made.evaluate(&value, at: port)
      } else {
        value = try output.make(values, answers)
      }
    } catch {
      state.putBack(values, apartFrom: port)
      throw error
    }
    return .value
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    if case .failure = completion { return answers.complete(completion) }
    state.finish(port)
    if state.isExhausted { answers.finish() }
  }
}

extension Operator.Zip {
  public static let spec = OperatorSpec(
    "zip", "Publishes the first values of all streams together, then the second ones, and so on.",
    memory: .bounded("values of the streams that are ahead", by: "limit"),
    fields: FieldSpec.joining + [
      .optional(
        "limit", .count(1...1_000_000_000),
        "The most values of one stream that wait for the others; one more fails the stream. Default 1,000,000.",
        default: 1_000_000)
    ],
    rules: [.count("with", 1...Int.max)],
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

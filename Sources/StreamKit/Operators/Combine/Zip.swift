public import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes the first values of all streams together, then the second ones, and so on.
  ///
  /// Finishes as soon as no more tuples are possible: a stream has finished and its queue is empty.
  ///
  /// - Memory: values of the streams that are ahead, bounded by `limit`.
  /// - SeeAlso: `combineLatest`, which publishes for every value.
  public struct Zip: OperatorDefinition {
    /// The other streams.
    public var with: StreamReferences
    /// Names of the values, upstream's first. With names, an object is published instead of an array.
    public var names: [String]?
    /// Returns the value to publish. `values` is the list of all values; each name is a variable, too. Variables:
    /// `values`, the names.
    public var expression: CELExpression?
    /// Maximum number of values of one stream that wait for the others. One more fails the stream. An integer from 1 to
    /// 1000000000. Default `1000000`.
    public var limit: Int?

    public init(with: StreamReferences, names: [String]? = nil, expression: CELExpression? = nil, limit: Int? = nil) {
      self.with = with
      self.names = names
      self.expression = expression
      self.limit = limit
    }
  }
}

extension Operator.Zip {
  public var joined: [JoinedStream] { with.joined }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let count = with.all.count + 1
    let output = try JoinOutput(names: names, expression: expression, count: count, &context)
    return ZipMachine(output: output, limit: limit ?? Self.defaultLimit, state: ValueQueues(count: count))
  }
}

private struct ZipMachine: Machine {
  let output: JoinOutput
  let limit: Int
  /// The waiting values, except those gathered by `run`: while no stream is ahead, `run` holds at most one value of
  /// each.
  private var queues: ValueQueues
  /// The running expression.
  private var run: JoinProgramInstance?
  /// An unmanaged reference to the object that `run` retains. It avoids retain and release on each value.
  private var reference: Unmanaged<JoinProgramInstance>?
  /// Whether the values gathered by `run` have been moved to the queues.
  private var isAhead = false

  init(output: JoinOutput, limit: Int, state: ValueQueues) {
    self.output = output
    self.limit = limit
    queues = state
  }

  var state: ValueQueues {
    get {
      var all = queues
      if let run { for (stream, value) in run.gathered { all.append(value, from: stream) } }
      return all
    }
    set {
      _ = run?.takeGathered()
      queues = newValue
    }
  }

  func problem(with saved: ValueQueues) -> String? {
    saved.count == queues.count ? nil : "has \(saved.count) queues for \(queues.count) streams"
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool { upstream == port && port < queues.count }

  mutating func start(_ effects: Effects) {
    for port in 0..<queues.count { effects.subscribe(to: port) }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    for port in queues.running { effects.request(demand, from: port) }
  }

  func bypass(on port: Int) -> Bypass? {
    guard let run, run.canGather, queues.isIdle else { return nil }
    return .gathered(run)
  }

  mutating func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    if let reference, queues.isIdle {
      let relayed = try reference.use { run throws(StreamFailure) in try run.gather(&value, at: port, effects) }
      if let relayed { return relayed }
      takeBack(effects)
    }
    guard queues.isTuple(with: port) else {
      try queues.append(value, from: port, limit: limit, owner: "zip")
      return .nothing
    }
    guard queues.isExhausted(withTupleOf: port) else {
      let relayed = try combine(&value, from: port, effects)
      goBack(effects)
      return relayed
    }
    _ = try combine(&value, from: port, isLast: true, effects)
    effects.publish(value)
    effects.finish()
    return .nothing
  }

  /// Moves the gathered values to the queues.
  private mutating func takeBack(_ effects: Effects) {
    guard let run else { return }
    for (stream, value) in run.takeGathered() { queues.append(value, from: stream) }
    isAhead = true
    effects.bypassesChanged()
  }

  /// Gathers values again once the queues are empty.
  private mutating func goBack(_ effects: Effects) {
    guard isAhead, queues.isIdle else { return }
    isAhead = false
    effects.bypassesChanged()
  }

  /// Combines the first value of every queue with the value that completes the tuple. The result replaces this value;
  /// for the last tuple it is not forwarded.
  private mutating func combine(
    _ value: inout Value, from port: Int, isLast: Bool = false, _ effects: Effects
  ) throws(StreamFailure) -> Forwarding {
    if let reference {
      return try reference.use { run throws(StreamFailure) in
        queues.takeTuple(into: run, apartFrom: port)
        do throws(StreamFailure) {
          if !isLast { return try run.forward(&value, at: port, effects) }
          try run.evaluate(&value, at: port)
        } catch {
          queues.putBack(run.values, apartFrom: port)
          throw error
        }
        return .value
      }
    }
    guard let values = queues.takeTuple(with: value, from: port) else { return .nothing }
    do throws(StreamFailure) {
      if let made = output.run(over: values, effects) {
        run = made
        reference = .passUnretained(made)
        try made.evaluate(&value, at: port)
      } else {
        value = try output.make(values, effects)
      }
    } catch {
      queues.putBack(values, apartFrom: port)
      throw error
    }
    return .value
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    takeBack(effects)
    queues.finish(port)
    if queues.isExhausted { effects.finish() }
  }
}

extension Operator.Zip {
  private static let defaultLimit = 1_000_000

  public static let spec = OperatorSpec(
    "zip", "Publishes the first values of all streams together, then the second ones, and so on.",
    memory: .bounded("values of the streams that are ahead", by: "limit"),
    fields: FieldSpec.joining + [
      .optional(
        "limit", .count(1...1_000_000_000),
        "Maximum number of values of one stream that wait for the others. One more fails the stream.",
        default: .of(defaultLimit))
    ],
    rules: [.count("with", 1...Int.max)],
    examples: [
      .joins(
        "arrays", #"{"zip": {"with": ["b"]}}"#, in: ["-a-b-|", "--x---y---|"], out: "--p---(q|)",
        values: ["p": ["a", "x"], "q": ["b", "y"]]),
      .joins(
        "objects with names", #"{"zip": {"with": ["b"], "names": ["left", "right"]}}"#, in: ["-a|", "--x|"],
        out: "--(p|)",
        values: ["p": ["left": "a", "right": "x"]]),
      .joins(
        "the result of an expression", #"{"zip": {"with": ["b"], "names": ["l", "r"], "expression": "l + r"}}"#,
        in: ["-a|", "--x|"], out: "--('ax'|)"),
      .rejects("no other stream", #"{"zip": {"with": []}}"#, .outOfRange, at: "/zip/with"),
      .rejects("an unknown stream", #"{"zip": {"with": ["x"]}}"#, .unknownStream, at: "/zip/with/0"),
      .rejects(
        "too few names", #"{"zip": {"with": ["b"], "names": ["l"]}}"#, .outOfRange, at: "/zip/names"),
    ])
}

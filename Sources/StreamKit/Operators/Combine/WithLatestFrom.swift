public import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes each value together with the newest values of other streams.
  ///
  /// Values are dropped until every other stream has published. Ends when upstream ends: the other streams may finish
  /// earlier, but a failure of one of them fails the whole.
  ///
  /// - Order: the other streams are subscribed to before upstream.
  /// - Memory: the newest value of each stream.
  /// - SeeAlso: `combineLatest`, which publishes for every value of the other streams, too.
  public struct WithLatestFrom: OperatorDefinition {
    /// The other streams.
    public var with: StreamReferences
    /// Names of the values, upstream's first. With names, an object is published instead of an array.
    public var names: [String]?
    /// Returns the value to publish. `values` is the list of all values; each name is a variable, too. Variables:
    /// `values`, the names.
    public var expression: CELExpression?

    public init(with: StreamReferences, names: [String]? = nil, expression: CELExpression? = nil) {
      self.with = with
      self.names = names
      self.expression = expression
    }
  }
}

extension Operator.WithLatestFrom {
  public var joined: [JoinedStream] { with.joined }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let count = with.all.count + 1
    return WithLatestFromMachine(
      output: try JoinOutput(names: names, expression: expression, count: count, &context),
      state: LatestValues(count: count))
  }
}

private struct WithLatestFromMachine: LoweredMachine {
  let output: JoinOutput
  var state: LatestValues

  func problem(with saved: LatestValues) -> String? { saved.problem(of: state.count) }

  func canBeFed(by upstream: Int, on port: Int) -> Bool { upstream == port && port < state.count }

  mutating func start(_ effects: Effects) {
    for port in state.values.indices.dropFirst() {
      effects.subscribe(to: port)
      effects.request(.unlimited, from: port)
    }
    effects.subscribe(to: 0)
  }

  var lowering: Lowering<LatestValues>? {
    output.program.map { program in
      .join(
        JoinLowering(
          program, .latestForFirst, values: { $0.isComplete ? $0.values : nil }, store: { $1.set($0) }))
    }
  }

  mutating func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    guard port == 0 else {
      state.set(value, at: port)
      return .nothing
    }
    guard state.isComplete(with: 0) else {
      effects.request(Demand(1), from: 0)
      return .nothing
    }
    value = try state.combine(value, at: 0, by: output, effects)
    return .value
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .finished = completion, port > 0 { return }
    effects.complete(completion)
  }
}

extension Operator.WithLatestFrom {
  public static let spec = OperatorSpec(
    "withLatestFrom", "Publishes each value together with the newest values of other streams.",
    memory: .constant("the newest value of each stream"),
    fields: FieldSpec.joining,
    rules: [.count("with", 1...Int.max)],
    examples: [
      .joins(
        "with the newest value", #"{"withLatestFrom": {"with": ["b"], "expression": "values[0] + values[1]"}}"#,
        in: ["-a--b-c|", "--x-----y|"], out: "----'bx'-'cx'|"),
      .joins(
        "the other stream finishes", #"{"withLatestFrom": {"with": ["b"], "names": ["value", "other"]}}"#,
        in: ["---a-|", "-x|"], out: "---p-|", values: ["p": ["value": "a", "other": "x"]]),
      .joins("the other stream fails", #"{"withLatestFrom": {"with": ["b"]}}"#, in: ["---a-|", "-x#"], out: "--#"),
      .joins(
        "a stream that never publishes", #"{"withLatestFrom": {"with": ["b"]}}"#, in: ["-a-b-|", "|"], out: "-----|"),
      .rejects("no other stream", #"{"withLatestFrom": {"with": []}}"#, .outOfRange, at: "/withLatestFrom/with"),
    ])
}

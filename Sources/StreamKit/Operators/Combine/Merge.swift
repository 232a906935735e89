internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes the values of all streams as they come.
  ///
  /// Finishes when all have finished.
  ///
  /// - Memory: O(1), at most one waiting value of each stream.
  public struct Merge: OperatorDefinition {
    /// The other streams.
    public var with: StreamReferences
  }
}

extension Operator.Merge {
  public var joined: [JoinedStream] { with.joined }

  public func validate() throws(Diagnostic) { try with.requireOne() }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.reduce(context.inputType) { $0.joined(with: $1) }
    return MergeMachine(state: MergeMachine.State(running: Set(0...with.all.count)))
  }
}

private struct MergeMachine: Machine {
  struct State: Codable, Sendable {
    var running: Set<Int>
    var demand = Demand.none
    var hasAsked = false
    /// Values that nobody has asked for, at most one a port, in order of arrival.
    var held: [Held] = []
  }

  struct Held: Codable, Sendable {
    let port: Int
    let value: Value
  }

  var state: State

  mutating func start(_ answers: Answers) {
    for port in state.running.sorted() { answers.subscribe(to: port) }
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    state.demand += demand
    while let first = state.held.first, state.demand.takeOne() {
      state.held.removeFirst()
      answers.publish(first.value)
      if state.hasAsked { answers.request(Demand(1), from: first.port) }
    }
    if state.demand.isUnlimited {
      for port in state.running.sorted() { answers.request(.unlimited, from: port) }
    } else if !state.hasAsked {
      for port in state.running.sorted() { answers.request(Demand(1), from: port) }
    }
    state.hasAsked = true
    finishIfDone(answers)
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) {
    if state.demand.takeOne() {
      answers.publish(value)
      answers.request(Demand(1), from: port)
    } else {
      state.held.append(Held(port: port, value: value))
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    if case .failure = completion { return answers.complete(completion) }
    state.running.remove(port)
    finishIfDone(answers)
  }

  private func finishIfDone(_ answers: Answers) {
    if state.running.isEmpty, state.held.isEmpty { answers.finish() }
  }
}

extension Operator.Merge {
  public static let spec = OperatorSpec(
    "merge", "Publishes the values of all streams as they come.",
    fields: [.required("with", .streams, "The other streams: names, or models in place.")],
    examples: [
      .joins("two", #"{"merge": {"with": ["b"]}}"#, in: ["-a---b-|", "--x-y-----|"], out: "-ax-yb----|"),
      .joins("a failure ends it", #"{"merge": {"with": ["b"]}}"#, in: ["-a---b-|", "--x#"], out: "-ax#"),
      .rejects("no streams", #"{"merge": {}}"#, .missingField, at: "/merge"),
    ])
}

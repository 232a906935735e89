public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes a value once the stream has been silent for a while.
  ///
  /// A value that arrives before the silence is over replaces the one waiting. A value that nobody has asked for is
  /// lost.
  ///
  /// - Time: one timer; each value restarts it.
  /// - Memory: O(1), the newest value.
  public struct Debounce: OperatorDefinition {
    /// Silence required before a value is published, in seconds. Greater than zero.
    public var seconds: Double
    /// What happens to the waiting value at the end. Default `drop`, as Combine; `flush` publishes it, as RxJS.
    public var onFinish: OnFinish?

    public enum OnFinish: String, Hashable, Sendable, Codable, CaseIterable {
      case drop, flush
    }
  }
}

extension Operator.Debounce {
  public func validate() throws(Diagnostic) {
    guard seconds > 0 else {
      throw Diagnostic(.outOfRange, "'seconds' is \(seconds); expected more than 0", at: JSONPointer(["seconds"]))
    }
  }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    DebounceMachine(interval: Interval(seconds: seconds), onFinish: onFinish ?? .drop)
  }
}

private struct DebounceMachine: Machine {
  struct State: Codable, Sendable {
    var isWaiting = false
    var value = Value.null
    var demand = Demand.none
    var ending: Completion?
  }

  private static let silence = 0
  private static let end = 1

  let interval: Interval
  let onFinish: Operator.Debounce.OnFinish
  var state = State()

  mutating func start(_ answers: Answers) { answers.subscribeToAll() }

  mutating func request(_ demand: Demand, _ answers: Answers) { state.demand += demand }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) {
    state.isWaiting = true
    state.value = value
    answers.setTimer(Self.silence, at: answers.now + interval)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    answers.cancelTimer(Self.silence)
    if case .finished = completion, onFinish == .flush { publishWaiting(answers) }
    state.isWaiting = false
    state.ending = completion
    // Combine sends the end through the scheduler: in the same moment, later.
    answers.setTimer(Self.end, at: answers.now)
  }

  mutating func fire(_ timer: Int, _ answers: Answers) {
    if timer == Self.silence { return publishWaiting(answers) }
    if let ending = state.ending { answers.complete(ending) }
  }

  private mutating func publishWaiting(_ answers: Answers) {
    guard state.isWaiting else { return }
    state.isWaiting = false
    if state.demand.takeOne() { answers.publish(state.value) }
    state.value = .null
  }
}

extension Operator.Debounce {
  public static let spec = OperatorSpec(
    "debounce", "Publishes a value once the stream has been silent for a while.",
    fields: [
      .required(
        "seconds", .seconds(0...31_536_000),
        "Silence required before a value is published, in seconds. Greater than zero."),
      .optional(
        "onFinish", .choice(["drop", "flush"]),
        "What happens to the waiting value at the end. Default `drop`, as Combine; `flush` publishes it, as RxJS."),
    ],
    examples: [
      .marbles(
        "a burst becomes its last value", #"{"debounce": {"seconds": 0.003}}"#, in: "abcd----e---f-g----|",
        out: "------d----e-----g-|"),
      .marbles("the waiting value is dropped", #"{"debounce": {"seconds": 0.003}}"#, in: "-a|", out: "--|"),
      .marbles(
        "or published", #"{"debounce": {"seconds": 0.003, "onFinish": "flush"}}"#, in: "-a|", out: "--(a|)"),
      .rejects("no silence at all", #"{"debounce": {"seconds": 0}}"#, .outOfRange, at: "/debounce/seconds"),
      .rejects(
        "an unknown word", #"{"debounce": {"seconds": 1, "onFinish": "flsh"}}"#, .outOfRange,
        at: "/debounce/onFinish"),
    ])
}

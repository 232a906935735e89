internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes a separator between the values.
  ///
  /// No separator follows the last value. With limited demand, upstream is asked for one value at a time.
  ///
  /// - Memory: the value that waits behind a separator.
  public struct Intersperse: OperatorDefinition {
    /// The separator.
    public var value: Value
    /// Number of values between two separators. An integer, 1 or more. Default `1`.
    public var every: Int?

    public init(value: Value, every: Int? = nil) {
      self.value = value
      self.every = every
    }
  }
}

extension Operator.Intersperse {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.inputType.joined(with: .of(value))
    return IntersperseMachine(separator: value, every: every ?? Self.defaultEvery)
  }
}

private struct IntersperseMachine: Machine {
  struct State: Codable, Sendable {
    var demand = Demand.none
    /// Whether upstream has been asked for a value that has not arrived yet.
    var isAsking = false
    /// Number of values published since the last separator.
    @Counted var count = 0
    /// The value behind a separator, until it is requested.
    var waiting: Value?
    /// Whether upstream has finished while a value waits.
    var isDone = false
  }

  let separator: Value
  let every: Int
  var state = State()

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    state.isAsking = false
    if state.count == every {
      _ = state.demand.takeOne()
      effects.publish(separator)
      state.count = 0
    }
    state.waiting = value
    publishWaiting(effects)
    ask(effects)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .finished = completion, state.waiting != nil {
      state.isDone = true
    } else {
      effects.complete(completion)
    }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    publishWaiting(effects)
    if state.isDone, state.waiting == nil { effects.finish() } else { ask(effects) }
  }

  private mutating func publishWaiting(_ effects: Effects) {
    guard let value = state.waiting, state.demand.takeOne() else { return }
    effects.publish(value)
    state.waiting = nil
    state.count += 1
  }

  private mutating func ask(_ effects: Effects) {
    guard state.demand > .none, state.waiting == nil, !state.isAsking else { return }
    state.isAsking = true
    effects.request(state.demand.isUnlimited ? .unlimited : Demand(1), from: 0)
  }
}

extension Operator.Intersperse {
  private static let defaultEvery = 1

  public static let spec = OperatorSpec(
    "intersperse", "Publishes a separator between the values.",
    memory: .constant("the value that waits behind a separator"),
    fields: [
      .required("value", .value, "The separator."),
      .optional(
        "every", .count(1 ... .max), "Number of values between two separators.", default: .of(defaultEvery)),
    ],
    examples: [
      .marbles(
        "between any two values", #"{"intersperse": {"value": "x"}}"#, in: "-a-b-c|", out: "-a-[xb]-[xc]|"),
      .marbles(
        "after every second value", #"{"intersperse": {"value": "x", "every": 2}}"#, in: "-a-b-c-d|",
        out: "-a-b-[xc]-d|"),
      .marbles("a single value", #"{"intersperse": {"value": "x"}}"#, in: "-a-#", out: "-a-#"),
      .rejects(
        "after every zero values", #"{"intersperse": {"value": 1, "every": 0}}"#, .outOfRange, at: "/intersperse/every"),
    ])
}

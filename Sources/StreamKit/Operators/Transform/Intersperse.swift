internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes a value of its own between the values.
  ///
  /// Nothing is put after the last value. Asked for a limited number, it asks upstream for one value at a time.
  ///
  /// - Memory: O(1), the value that waits behind the one in between.
  public struct Intersperse: OperatorDefinition {
    /// What stands between the values.
    public var value: Value
    /// After how many values it comes each time, 1 or more. Default 1.
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
    return IntersperseMachine(separator: value, every: every ?? 1)
  }
}

private struct IntersperseMachine: Machine {
  struct State: Codable, Sendable {
    var demand = Demand.none
    /// Whether upstream has been asked for a value that has not come.
    var isAsking = false
    /// How many values have been published since the last one in between.
    @Counted var count = 0
    /// The value behind the one in between, while nobody asks for it.
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
  public static let spec = OperatorSpec(
    "intersperse", "Publishes a value of its own between the values.",
    memory: .constant("the value that waits behind the one in between"),
    fields: [
      .required("value", .value, "What stands between the values."),
      .optional(
        "every", .count(1 ... .max), "After how many values it comes each time, 1 or more. Default 1.", default: 1),
    ],
    examples: [
      .marbles(
        "between any two", #"{"intersperse": {"value": "x"}}"#, in: "-a-b-c|", out: "-a-[xb]-[xc]|"),
      .marbles(
        "after every second", #"{"intersperse": {"value": "x", "every": 2}}"#, in: "-a-b-c-d|", out: "-a-b-[xc]-d|"),
      .marbles("nothing to stand between", #"{"intersperse": {"value": "x"}}"#, in: "-a-#", out: "-a-#"),
      .rejects("after none", #"{"intersperse": {"value": 1, "every": 0}}"#, .outOfRange, at: "/intersperse/every"),
    ])
}

internal import CEL
package import StreamCore
internal import StreamEngine

extension Source {
  /// Counts 0, 1, 2 … at regular intervals.
  ///
  /// A tick without demand is dropped, as with Combine's timer, and counted. Ticks are multiples of the interval, so
  /// they do not drift.
  ///
  /// - Time: one timer.
  public struct Timer: SourceDefinition {
    /// Interval between ticks. A number of seconds from 1e-06 to 31536000.
    public var every: Double
    /// Number of ticks. By default the timer never ends. An integer, 0 or more.
    public var count: Int64?
    /// Time before the first tick. A number of seconds from 0 to 31536000. Default: the value of `every`.
    public var startingAfter: Double?

    public init(every: Double, count: Int64? = nil, startingAfter: Double? = nil) {
      self.every = every
      self.count = count
      self.startingAfter = startingAfter
    }
  }
}

extension Source.Timer {
  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    let machine = TimerMachine(
      period: Interval(seconds: every), delay: Interval(seconds: startingAfter ?? every), count: count ?? .max)
    return context.machine(machine, name: "timer", type: .int)
  }
}

private struct TimerMachine: Machine {
  struct State: Codable, Sendable {
    @Counted var tick: Int64 = 0
    var next = StreamTime.zero
    var demand = Demand.none
  }

  let period: Interval
  let delay: Interval
  let count: Int64
  var state = State()

  mutating func start(_ effects: Effects) {
    guard count > 0 else { return effects.finish() }
    state.next = effects.now + delay
    effects.setTimer(0, at: state.next)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) { state.demand += demand }

  mutating func fire(_ timer: Int, _ effects: Effects) {
    if state.demand.takeOne() { effects.publish(.int(state.tick)) } else { effects.noteDrop() }
    state.tick += 1
    if state.tick < count {
      state.next = state.next + period
      effects.setTimer(0, at: state.next)
    } else {
      effects.finish()
    }
  }
}

extension Source.Timer {
  public static let spec = OperatorSpec(
    "timer", "Counts 0, 1, 2 … at regular intervals.",
    fields: [
      .required("every", .seconds(0...31_536_000), "Interval between ticks."),
      .optional("count", .count(0 ... .max), "Number of ticks. By default the timer never ends."),
      .optional(
        "startingAfter", .seconds(0...31_536_000), "Time before the first tick.",
        default: .field("every")),
    ],
    rules: [.atLeast("every", 1e-6)],
    examples: [
      .publishes(
        "three ticks", #"{"timer": {"every": 0.002, "count": 3}}"#, out: "--a-b-(c|)",
        values: ["a": 0, "b": 1, "c": 2]),
      .publishes(
        "at once, then at regular intervals", #"{"timer": {"every": 0.003, "count": 2, "startingAfter": 0}}"#,
        out: "a--(b|)",
        values: ["a": 0, "b": 1]),
      .rejects("an interval of zero", #"{"timer": {"every": 0}}"#, .outOfRange, at: "/timer/every"),
    ])
}

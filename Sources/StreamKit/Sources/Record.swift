public import StreamCore
internal import StreamEngine

extension Source {
  /// Plays back recorded events at their times.
  ///
  /// Times count from each subscription. An event that is due waits for demand. A recording without a completion stays
  /// open.
  ///
  /// - Memory: its events.
  public struct Record: SourceDefinition {
    /// The events in order of time: `{"at": 0.5, "value": …}`, `{"at": 2, "finished": true}` or `{"at": 2, "failure":
    /// …}`, with `at` in seconds.
    public var events: [Source.Record.Event]

    public init(events: [Source.Record.Event]) {
      self.events = events
    }
  }
}

extension Source.Record {
  /// An event of a recording, as stream files write it: `{"at": 0.5, "value": …}`, `{"at": 2, "finished": true}` or
  /// `{"at": 2, "failure": …}`.
  public struct Event: StreamFilePart {
    public enum Kind: Hashable, Sendable {
      case value(Value)
      case finished
      /// The error, any JSON value.
      case failure(Value)
    }

    /// Seconds since the subscription, 0 or more.
    public var at: Double
    public var kind: Kind
    /// The author's own members, whose names start with `x-`.
    public var extensions: ValueMap

    public init(at: Double, _ kind: Kind, extensions: ValueMap = ValueMap()) {
      self.at = at
      self.kind = kind
      self.extensions = extensions
    }

    package static let keys = ["at", "value", "finished", "failure"]

    public init(json: Value) throws(Diagnostics) {
      var reader = MemberReader(json, what: "an event", keys: Self.keys)
      try reader.throwUnlessObject()
      at = reader.seconds("at") ?? 0
      kind = .finished
      extensions = reader.extensions
      if !reader.has("at") { reader.missing("at", in: "an event") }
      if at < 0 || at > 1e9 {
        reader.append(
          Diagnostic(
            .outOfRange, "'at' is \(at.shortText); expected seconds from 0 to 1000000000", at: JSONPointer(["at"])))
      }
      let kinds = ["value", "finished", "failure"].filter(reader.has)
      if kinds.count != 1 {
        reader.append(
          Diagnostic(
            .conflictingFields,
            "an event has one of 'value', 'finished' and 'failure'; found "
              + (kinds.isEmpty ? "none" : kinds.joined(separator: " and ")),
            at: JSONPointer(kinds.dropFirst().first.map { [$0] } ?? []), part: kinds.isEmpty ? .value : .key))
      }
      if let value = reader.value("value") {
        kind = .value(value)
      } else if let failure = reader.value("failure") {
        kind = .failure(failure)
      } else if let finished = reader.value("finished"), finished != true {
        reader.append(
          Diagnostic(
            .wrongType, "'finished' is \(finished.describedType); expected true", at: JSONPointer(["finished"])))
      }
      try reader.diagnostics.throwErrors()
    }

    public var json: Value {
      var writer = MemberWriter()
      writer.add("at", .seconds(at))
      switch kind {
      case .value(let value): writer.add("value", value)
      case .finished: writer.add("finished", true)
      case .failure(let failure): writer.add("failure", failure)
      }
      writer.add(extensions)
      return writer.value
    }

    package var timed: History.Event {
      let time = StreamTime(seconds: at)
      switch kind {
      case .value(let value): return History.Event(time, .value(value))
      case .finished: return History.Event(time, .finished)
      case .failure(let failure): return History.Event(time, .failure(StreamFailure(payload: failure)))
      }
    }
  }
}

extension Source.Record {
  public func validate() throws(Diagnostic) {
    for (index, (event, next)) in zip(events, events.dropFirst()).enumerated() {
      guard event.at <= next.at else {
        throw Diagnostic(
          .outOfRange, "the event is at \(next.at.shortText), before the previous one at \(event.at.shortText)",
          at: JSONPointer(["events", String(index + 1), "at"]), help: "write events in order of time")
      }
      if case .value = event.kind { continue }
      throw Diagnostic(
        .conflictingFields, "no event can follow the completion", at: JSONPointer(["events", String(index + 1)]))
    }
  }

  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    context.machine(PlaybackMachine(History(events.map(\.timed))), name: "record")
  }
}

/// Plays back a history: each event at its time after the subscription, or as soon after that as there is demand.
struct PlaybackMachine: Machine {
  struct State: Codable, Sendable {
    var next = 0
    var start = StreamTime.zero
    /// The ticket of the first event. All events take their tickets at the subscription.
    @Counted var ticket: Int64 = 0
    var demand = Demand.none
    /// Whether the next event is due, but there is no demand.
    var isWaiting = false
  }

  private let events: [History.Event]
  var state = State()

  /// Values before time zero are dropped, as with any subject; a completion is not.
  init(_ history: History) {
    events = history.events.compactMap { event in
      if case .value = event.event, event.time < .zero { return nil }
      return History.Event(max(event.time, .zero), event.event)
    }
  }

  func problem(with saved: State) -> String? {
    (0...events.count).contains(saved.next) ? nil : "is at event \(saved.next) of \(events.count)"
  }

  mutating func start(_ effects: Effects) {
    state.start = effects.now
    state.ticket = effects.takeTickets(events.count)
    schedule(effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    if state.isWaiting { play(effects) }
  }

  mutating func fire(_ timer: Int, _ effects: Effects) { play(effects) }

  private mutating func play(_ effects: Effects) {
    guard state.next < events.count else { return }
    switch events[state.next].event {
    case .value(let value):
      state.isWaiting = !state.demand.takeOne()
      guard !state.isWaiting else { return }
      effects.publish(value)
      state.next += 1
      schedule(effects)
    case .finished: effects.finish()
    case .failure(let failure): effects.fail(failure)
    case .skipped, .call, .noted: break
    }
  }

  private mutating func schedule(_ effects: Effects) {
    guard state.next < events.count else { return }
    let offset = Interval(nanoseconds: events[state.next].time.nanoseconds)
    effects.setTimer(0, at: state.start + offset, ticket: state.ticket + Int64(state.next))
  }
}

extension Source.Record {
  public static let spec = OperatorSpec(
    "record", "Plays back recorded events at their times.",
    memory: .constant("its events"),
    fields: [
      .required(
        "events", .events,
        "The events in order of time: `{\"at\": 0.5, \"value\": …}`, `{\"at\": 2, \"finished\": true}` or "
          + "`{\"at\": 2, \"failure\": …}`, with `at` in seconds."
      )
    ],
    examples: [
      .publishes(
        "a value and the finish",
        #"{"record": {"events": [{"at": 0.002, "value": "a"}, {"at": 0.004, "finished": true}]}}"#, out: "--a-|"),
      .publishes(
        "a failure", #"{"record": {"events": [{"at": 0.001, "failure": "error"}]}}"#, out: "-#"),
      .rejects(
        "events out of order", #"{"record": {"events": [{"at": 2, "value": 1}, {"at": 1, "value": 2}]}}"#, .outOfRange,
        at: "/record/events/1/at"),
      .rejects(
        "an event without a time", #"{"record": {"events": [{"value": 1}]}}"#, .missingField, at: "/record/events/0"),
    ])
}

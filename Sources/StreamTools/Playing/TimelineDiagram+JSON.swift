package import StreamCore
internal import StreamEngine
internal import StreamKit

extension TimelineDiagram {
  /// The run for a page that shows it: tracks of events with their causes, and the steps in which they happened.
  ///
  /// `Player/player.js` describes the form and draws it. Values are as in `PageValue`.
  package var pageValue: Value {
    let events = lanes.map(\.events)
    let causes = trace.causes(of: events)
    var ids: [RunTrace.EventPlace: Int] = [:]
    for lane in lanes.indices {
      for index in events[lane].indices { ids[RunTrace.EventPlace(lane: lane, index: index)] = ids.count }
    }
    var tracks: [Value] = []
    for (number, lane) in lanes.enumerated() {
      let traced = trace.lanes.indices.contains(number) ? trace.lanes[number] : RunTrace.Lane()
      var items: [Value] = []
      for (index, event) in lane.events.enumerated() {
        guard let id = ids[RunTrace.EventPlace(lane: number, index: index)] else { continue }
        let mark = traced.marks.indices.contains(index) ? traced.marks[index] : nil
        let from = mark == nil ? [] : causes[number][index].compactMap { ids[$0] }
        if let item = Self.value(of: event, id, mark, from) { items.append(item) }
      }
      tracks.append(Self.value(of: lane, number, traced, items))
    }
    let told = warnings.map(\.message) + drops.map { "\($0.warning.message), at \($0.pointer)" }
    let stopped: Value? = stop.map { ["code": .string($0.code), "message": .string($0.message)] }
    return [
      "tracks": .list(ValueList(tracks)), "steps": .list(trace.steps.map(Self.value)),
      "end": .double(trace.end.seconds), "isCut": .bool(isCut), "stop": stopped ?? .null,
      "warnings": .list(told.map(Value.string)),
    ]
  }

  private static func value(of lane: Lane, _ number: Int, _ traced: RunTrace.Lane, _ events: [Value]) -> Value {
    [
      "id": .int(Int64(number)), "kind": .string("\(lane.kind)"), "title": .string(lane.title),
      "detail": .string(lane.detail), "pointer": traced.pointer.map { Value.string("\($0)") } ?? .null,
      "from": .list(traced.upstreams.map { Value.int(Int64($0)) }), "isSubscribed": .bool(lane.isSubscribed),
      "events": .list(ValueList(events)),
    ]
  }

  private static func value(of event: History.Event, _ id: Int, _ mark: RunTrace.Mark?, _ causes: [Int]) -> Value? {
    let what: (Value, Value)
    switch event.event {
    case .value(let value): what = ("value", PageValue(value).value)
    case .finished: what = ("finished", true)
    case .failure(let failure):
      what = ("failure", ["code": .string(failure.code), "message": .string(failure.message)])
    case .skipped, .call, .noted: return nil
    }
    let members: [(Value, Value)] = [
      ("id", .int(Int64(id))), ("at", .double(event.time.seconds)), ("step", .int(Int64(mark?.step ?? -1))), what,
      ("causes", .list(causes.map { Value.int(Int64($0)) })),
    ]
    return .map(ValueMap(members))
  }

  private static func value(of step: RunTrace.Step) -> Value {
    var members: [(Value, Value)] = [("at", .double(step.time.seconds))]
    switch step.kind {
    case .start: members.append(("kind", "start"))
    case .timer: members.append(("kind", "timer"))
    case .answer: members.append(("kind", "answer"))
    case .input(let name): members += [("kind", "input"), ("input", .string(name))]
    }
    return .map(ValueMap(members))
  }
}

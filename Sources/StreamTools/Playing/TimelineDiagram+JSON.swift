package import StreamCore
internal import StreamEngine
internal import StreamKit

extension TimelineDiagram {
  /// The run for a page that shows it: tracks of events with their causes, and the steps in which they happened.
  ///
  /// The events of a track are columns, since a page asks for them with each move of a dragged marble. Those of all
  /// tracks are numbered from 0, in the order of the tracks; `causes` has such numbers: one, an array of several, or null.
  /// `readRun` of `Player/player.js` makes objects of them. Values are as in `PageValue`.
  package var pageValue: Value {
    let causes = trace.causes(of: lanes.map(\.events))
    var count: Int64 = 0
    // The number of each event that is shown, by track.
    var numbers: [[Int64?]] = []
    for lane in lanes {
      var inLane: [Int64?] = []
      for event in lane.events {
        let isShown = Self.isShown(event)
        inLane.append(isShown ? count : nil)
        if isShown { count += 1 }
      }
      numbers.append(inLane)
    }
    var tracks: [Value] = []
    for place in lanes.indices {
      let lane = lanes[place]
      let traced = trace.lanes.indices.contains(place) ? trace.lanes[place] : RunTrace.Lane()
      var columns = Columns()
      for index in lane.events.indices where numbers[place][index] != nil {
        let isTraced = index < traced.marks.count
        var found: [Int64] = []
        for cause in isTraced ? causes[place][index] : [] {
          if let number = numbers[cause.lane][cause.index] { found.append(number) }
        }
        columns.append(lane.events[index], step: isTraced ? traced.marks[index].step : -1, causes: found)
      }
      tracks.append(Self.value(of: lane, place, traced, columns))
    }
    let told = warnings.map(\.message) + drops.map { "\($0.warning.message), at \($0.pointer)" }
    let stopped: Value? = stop.map { ["code": .string($0.code), "message": .string($0.message)] }
    return [
      "tracks": .list(ValueList(tracks)), "steps": .list(trace.steps.map(Self.value)),
      "end": .double(trace.end.seconds), "isCut": .bool(isCut), "stop": stopped ?? .null,
      "warnings": .list(told.map(Value.string)),
    ]
  }

  /// The events of a track, by members.
  private struct Columns {
    var at: [Value] = []
    var steps: [Value] = []
    var values: [Value] = []
    var causes: [Value] = []

    mutating func append(_ event: History.Event, step: Int, causes numbers: [Int64]) {
      at.append(.double(event.time.seconds))
      steps.append(.int(Int64(step)))
      switch event.event {
      case .value(let value): values.append(PageValue(value).value)
      case .failure(let failure):
        values.append(["$failure": ["code": .string(failure.code), "message": .string(failure.message)]])
      case .finished, .skipped, .call, .noted: values.append(["$finished": true])
      }
      switch numbers.count {
      case 0: causes.append(.null)
      case 1: causes.append(.int(numbers[0]))
      default: causes.append(.list(ValueList(numbers.map(Value.int))))
      }
    }
  }

  private static func isShown(_ event: History.Event) -> Bool {
    switch event.event {
    case .value, .finished, .failure: true
    case .skipped, .call, .noted: false
    }
  }

  private static func value(of lane: Lane, _ number: Int, _ traced: RunTrace.Lane, _ columns: Columns) -> Value {
    [
      "id": .int(Int64(number)), "kind": .string("\(lane.kind)"), "title": .string(lane.title),
      "detail": .string(lane.detail), "pointer": traced.pointer.map { Value.string("\($0)") } ?? .null,
      "from": .list(traced.upstreams.map { Value.int(Int64($0)) }), "isSubscribed": .bool(lane.isSubscribed),
      "events": [
        "at": .list(ValueList(columns.at)), "steps": .list(ValueList(columns.steps)),
        "values": .list(ValueList(columns.values)), "causes": .list(ValueList(columns.causes)),
      ],
    ]
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

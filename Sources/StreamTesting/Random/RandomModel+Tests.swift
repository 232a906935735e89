internal import StreamCore

extension RandomModel {
  /// Returns a test that can be read, but whose expectation need not be met.
  mutating func test() -> Value {
    var members: [(Value, Value)] = [("name", .string(text()))]
    let fed = Self.inputNames.filter { _ in generator.happens(oneIn: 2) }
    if !fed.isEmpty { members.append(("inputs", .map(ValueMap(fed.map { (.string($0), script()) })))) }
    if generator.happens(oneIn: 5) {
      members.append(("calls", ["ask": [["value": value()]]]))
    }
    // Some streams have no end.
    members.append(("for", .int(Int64(1 + generator.below(5)))))
    members.append(("expect", script()))
    return .map(ValueMap(members + extensions()))
  }

  /// Returns a script of events in one of its three forms.
  private mutating func script() -> Value {
    switch generator.below(3) {
    case 0:
      let values: Value = .list((0..<generator.below(4)).map { _ in value(depth: 1) })
      switch generator.below(4) {
      case 0: return ["values": values, "failure": value(depth: 1)]
      case 1: return ["values": values, "finished": .bool(generator.happens(oneIn: 2))]
      default: return ["values": values]
      }
    case 1:
      var time: Int64 = 0
      var events: [Value] = (0..<generator.below(4)).map { _ in
        time += Int64(generator.below(3))
        return ["at": .int(time), "value": value(depth: 1)]
      }
      if generator.happens(oneIn: 2) { events.append(["at": .int(time), "finished": true]) }
      return ["events": .list(events)]
    default:
      let symbols = (0..<(1 + generator.below(6))).map { _ in generator.pick(["-", "--", "p", "q", "(pq)"]) }
      let diagram = symbols.joined() + generator.pick(["", "|", "#"])
      return ["marbles": .string(diagram), "values": ["p": number(), "q": value(depth: 1)]]
    }
  }
}

import StreamCore
import StreamKit
import StreamRuntime
import Testing

/// Sending a list has the same events as sending value by value.
@Suite struct SendingListsTests {
  private static let values: [Value] =
    (0..<3_000).map { .int($0) } + [.null, "text", 2.5, [1]] + (0..<50).map { .double(Double($0)) }

  private static let streams: [Value] = [
    [["map": ["expression": "value * 3"]], ["filter": ["expression": "value % 2 == 0"]], ["last": .map(ValueMap())]],
    [["scan": ["initialValue": 0, "expression": "acc + value"], "onError": "skip"], ["count": .map(ValueMap())]],
    [["scan": ["initialValue": 0, "expression": "acc + value"]]],
    [["filter": ["expression": "value > 100 && value < 110"]]],
    [["map": ["expression": "10 / (value - 7)"], "onError": "skip"]],
    [["prefix": ["count": 5]]], [["first": ["expression": "value == 1500"]]],
    [["delay": ["seconds": 1]]], [["filter": ["expression": "value == 2"]], ["delay": ["seconds": 0]]], [],
  ]

  private func events(
    _ operators: Value, _ demand: Demand, _ send: (Execution, (ExecutionEvent) -> Void) -> Void
  ) throws -> [ExecutionEvent] {
    let model: Value = [
      "inputs": ["a": .map(ValueMap())], "source": ["input": ["name": "a"]], "operators": operators,
    ]
    let execution = Execution(try StreamModel(json: model).compile())
    execution.request(demand)
    var events: [ExecutionEvent] = []
    while let event = execution.next() { events.append(event) }
    send(execution) { events.append($0) }
    execution.finish(0, at: StreamTime(nanoseconds: 5))
    execution.advance(to: StreamTime(nanoseconds: 2_000_000_000))
    while let event = execution.next() { events.append(event) }
    return events
  }

  @Test("A list has the same events as its values", arguments: streams)
  func saysTheSame(_ operators: Value) throws {
    for demand in [Demand.unlimited, Demand(3)] {
      let expected = try events(operators, demand) { execution, hear in
        for value in Self.values {
          execution.send(value, to: 0, at: StreamTime(nanoseconds: 5))
          while let event = execution.next() { hear(event) }
        }
      }
      let actual = try events(operators, demand) { execution, hear in
        var rest = Self.values[...]
        while let event = execution.next(sending: &rest, to: 0, at: StreamTime(nanoseconds: 5)) { hear(event) }
        #expect(rest.isEmpty)
      }
      #expect(actual == expected)
      #expect(!expected.isEmpty)
    }
  }

  @Test("An input of records takes only values with the declared fields")
  func records() throws {
    let type: Value = ["x": "double", "n": "int", "any": "dyn"]
    let model: Value = ["inputs": ["a": ["type": type]], "source": ["input": ["name": "a"]]]
    let execution = Execution(try StreamModel(json: model).compile())
    let taken: [Value] = [["x": 0.5, "n": 1, "any": .null], ["any": [], "n": 1, "x": 0.5, "more": true]]
    let others: [Value] = [["x": 1, "n": 1, "any": 1], ["x": 0.5, "n": 1], .null, ["x": 0.5, "n": "1", "any": 2]]
    #expect(taken.map { execution.takes($0, on: 0) } == [true, true])
    #expect(others.map { execution.takes($0, on: 0) } == [false, false, false, false])
  }
}

import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Testing

/// Every value that is sent to a program has the same events as with operators that run one by one.
@Suite struct SendingValuesTests {
  /// The type of the inputs `a` and `b`, and operators.
  static let streams: [[String]] = [
    [#""dyn""#, #"{"map": {"expression": "value"}}"#],
    [#""dyn""#, #"{"map": {"expression": "value * value"}, "onError": "skip"}"#],
    [#""dyn""#, #"{"map": {"expression": "value > 1"}, "onError": "skip"}, {"filter": {"expression": "value"}}"#],
    [#""dyn""#, #"{"map": {"expression": "string(value)"}, "onError": "skip"}, {"removeDuplicates": {}}"#],
    [#""dyn""#, #"{"filter": {"expression": "value.n > 1"}, "onError": "skip"}, {"enumerated": {}}"#],
    [#""dyn""#, #"{"map": {"expression": "10 / value"}}"#],
    [
      #""dyn""#,
      #"{"merge": {"with": ["b"]}}, {"scan": {"initialValue": 0, "expression": "acc + value"}, "onError": "skip"}"#,
    ],
    [#""int""#, #"{"map": {"expression": "10 / value"}, "onError": "skip"}"#],
    [#""int""#, #"{"scan": {"initialValue": 0, "expression": "acc + value * value"}, "onError": "skip"}"#],
    [#""int""#, #"{"drop": {"count": 3}}, {"prefix": {"count": 4}}, {"map": {"expression": "value * 0.5"}}"#],
    [#""int""#, #"{"prefixWhile": {"expression": "value != 2"}}, {"count": {}}"#],
    [#""int""#, #"{"merge": {"with": ["b"]}}, {"map": {"expression": "7 % value"}}"#],
    [#""double""#, #"{"map": {"expression": "1.0 / value"}}, {"filter": {"expression": "value < 1.0"}}"#],
    [#""double""#, #"{"map": {"expression": "[1, 2][int(value)]"}, "onError": "skip"}"#],
    [#""double""#, #"{"map": {"expression": "int(value)"}}"#],
    // Fails without reading the value. The failure reports the value.
    [#""int""#, #"{"scan": {"initialValue": 0, "expression": "1 / acc"}, "onError": "skip"}"#],
    [#""double""#, #"{"scan": {"initialValue": 0, "expression": "1 / acc"}, "onError": "skip"}"#],
    [
      #""int""#,
      #"{"flatMap": {"stream": {"source": {"input": {"name": "b"}}, "operators": [{"map": {"expression": "value + outer"}}]}}}"#,
    ],
    // Longer than handlers run without a pause.
    [#""int""#, Array(repeating: #"{"map": {"expression": "value + 1"}}"#, count: 90).joined(separator: ", ")],
  ]

  private static let ints: [Value] = [1, 2, 3, 0, 7, -4, .int(.max), .int(.min), 5, 2]
  private static let doubles: [Value] = [1.5, 2.5, 0.0, 0.25, -1.0, .double(.infinity), 1e300, .double(.nan), 0.5]
  private static let others: [Value] = [
    .null, "text", true, false, .uint(3), ["n": 2], ["n": 2.5], ["m": 1], [1, 2], [],
  ]

  /// Runs of values of one type, and values of all types in turn.
  private static func values(_ type: String) -> [Value] {
    switch type {
    case #""int""#: ints + ints
    case #""double""#: doubles + doubles
    default: ints + ints + doubles + others + zip(ints, zip(doubles, others)).flatMap { [$0, $1.0, $1.1] } + ints
    }
  }

  private func pipeline(_ stream: [String], fuses: Bool) throws -> Pipeline {
    var options = CompileOptions()
    options.fuses = fuses
    let inputs = Self.inputs(stream).map { #""\#($0)": {"type": \#(stream[0])}"# }.joined(separator: ", ")
    return try StreamModel(
      parsing: #"""
        {"inputs": {\#(inputs)}, "source": {"input": {"name": "a"}}, "operators": [\#(stream[1])]}
        """#
    ).compile(options)
  }

  /// The inputs that it has: only a stream of one may be let straight in from its start.
  private static func inputs(_ stream: [String]) -> [String] { stream[1].contains(#""b""#) ? ["a", "b"] : ["a"] }

  /// The events of each value.
  private func heard(_ execution: Execution, _ values: [Value], isDirect: Bool) -> [[ExecutionEvent]] {
    let inputs = execution.pipeline.inputs.count
    execution.request(.unlimited)
    var heard: [[ExecutionEvent]] = []
    for (place, value) in values.enumerated() {
      let (input, time) = (place % 3 == 2 ? inputs - 1 : 0, StreamTime(nanoseconds: Int64(place)))
      var events: [ExecutionEvent] = []
      if place == 0 { while let event = execution.next() { events.append(event) } }
      if isDirect {
        if let event = execution.next(sending: value, to: input, at: time) { events.append(event) }
      } else {
        execution.send(value, to: input, at: time)
      }
      while let event = execution.next() { events.append(event) }
      heard.append(events)
    }
    return heard
  }

  @Test("A value says the same to a program, right away, as to operators one by one", arguments: streams)
  func saysTheSame(_ stream: [String]) throws {
    let values = Self.values(stream[0])
    let (direct, queued) = (Execution(try pipeline(stream, fuses: true)), Execution(try pipeline(stream, fuses: true)))
    let plain = Execution(try pipeline(stream, fuses: false))
    let expected = heard(plain, values, isDirect: false)
    #expect(expected.contains { !$0.isEmpty })
    let (actual, other) = (heard(direct, values, isDirect: true), heard(queued, values, isDirect: false))
    #expect(actual == expected)
    #expect(other == expected)
    #expect(direct.time == plain.time)
    // A snapshot continues in the same way. Its text is not compared, since its sets have no order.
    let (later, wanted) = (try restored(direct), try restored(queued))
    let (rest, wantedRest) = (heard(later, values, isDirect: true), heard(wanted, values, isDirect: false))
    #expect(rest == wantedRest)
  }

  private func restored(_ execution: Execution) throws -> Execution {
    try Execution(execution.pipeline, restoring: Snapshot(text: execution.snapshot().text()))
  }
}

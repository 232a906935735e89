import StreamCore
import StreamEngine
import StreamKit
import Testing

/// The order in which `then` of a partition receives the results of all keys.
@Suite struct PartitionResultTests {
  /// A record: the second at which it happens, its key as JSON, and its value.
  private typealias Record = (second: Int64, key: String, value: Int)

  private static func pipeline(_ operators: String, then: String, time: String = #""time": "value.t","#) throws
    -> Pipeline
  {
    try StreamModel(
      parsing: #"""
        {"inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "operators": [\#(operators)],
         "partition": {"key": "value.k", \#(time) "then": [\#(then)]}}
        """#
    ).compile()
  }

  /// Runs records, and returns the events as text, with the second of each. After each record it continues from a snapshot
  /// if `isSaved`.
  private static func run(
    _ pipeline: Pipeline, _ records: [Record], isSaved: Bool = false, demand: Demand = .unlimited
  ) throws -> [String] {
    var execution = Execution(pipeline)
    var found: [String] = []
    func drain() {
      while let event = execution.next() {
        let second = execution.time.nanoseconds / 1_000_000_000
        switch event {
        case .value(let value):
          found.append("\(second) \(JSONWriter.compact(value))")
          if !demand.isUnlimited { execution.request(demand) }
        case .finished: found.append("\(second) |")
        case .failure(let failure): found.append("\(second) \(failure.code)")
        default: found.append("\(second) ?")
        }
      }
    }
    execution.request(demand)
    drain()
    for record in records {
      let value = try JSONDocument(
        reading: Array(#"{"k": \#(record.key), "t": \#(record.second * 1_000), "v": \#(record.value)}"#.utf8), file: "r"
      ).value
      execution.send(value, to: 0, at: StreamTime(nanoseconds: record.second * 1_000_000_000))
      drain()
      if isSaved {
        execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
        drain()
      }
    }
    execution.finish(0, at: StreamTime(nanoseconds: (records.last?.second ?? 0) * 1_000_000_000))
    drain()
    while execution.advanceToNextTimer() { drain() }
    return found
  }

  private static let joined = #"{"scan": {"initialValue": "", "expression": "acc + value"}}"#

  @Test("Results of one time come by the text of the key, then as the key publishes them", arguments: [false, true])
  func areInOrder(isSaved: Bool) throws {
    let pipeline = try Self.pipeline(
      #"{"map": {"expression": "string(value.k) + string(value.v) + ' '"}}"#, then: #"{"last": {}}, \#(Self.joined)"#)
    let records: [Record] = [
      (1, #""b""#, 1), (1, #""a""#, 2), (1, #""b""#, 3), (1, "10", 4), (1, "9", 5), (1, #""a""#, 6), (2, #""b""#, 7),
      (2, #""B""#, 8),
    ]
    let whole = try Self.pipeline(
      #"{"map": {"expression": "string(value.k) + string(value.v) + ' '"}}"#, then: Self.joined)
    #expect(
      try Self.run(whole, records, isSaved: isSaved).suffix(2) == ["2 \"a2 a6 b1 b3 104 95 B8 b7 \"", "2 |"])
    #expect(try Self.run(pipeline, records, isSaved: isSaved) == ["2 \"b7 \"", "2 |"])
  }

  @Test("Equal keys have one text, whatever the types of numbers and the order of members") func equalKeysAreOne()
    throws
  {
    let pipeline = try Self.pipeline(#"{"map": {"expression": "string(value.v)"}}"#, then: Self.joined)
    let records: [Record] = [
      (1, #"{"b": 1, "a": 2}"#, 1), (1, "[2]", 2), (1, "1.0", 3), (1, #"{"a": 2.0, "b": 1}"#, 4), (1, "1", 5),
      (1, "null", 6),
      (1, "true", 7), (1, "1.5", 8), (1, "-1", 9),
    ]
    #expect(try Self.run(pipeline, records).suffix(2) == ["1 \"935826714\"", "1 |"])
  }

  @Test("Timers of keys for one time come in the same order, after the records of that time", arguments: [false, true])
  func includeTimers(isSaved: Bool) throws {
    let pipeline = try Self.pipeline(
      #"{"timeout": {"seconds": 3, "onTimeout": "publish", "expression": "{'k': key, 'v': -1}"}}, {"map": {"expression": "value.k + string(value.v) + ' '"}}"#,
      then: Self.joined)
    let records: [Record] = [(1, #""c""#, 1), (1, #""a""#, 2), (4, #""b""#, 3), (5, #""b""#, 4)]
    #expect(
      try Self.run(pipeline, records, isSaved: isSaved) == [
        "1 \"a2 \"", "1 \"a2 c1 \"", "4 \"a2 c1 a-1 \"", "4 \"a2 c1 a-1 b3 \"", "4 \"a2 c1 a-1 b3 c-1 \"",
        "5 \"a2 c1 a-1 b3 c-1 b4 \"", "5 |",
      ])
  }

  @Test(
    "Results precede the timers of 'then' at their time, also those that a timer of a key publishes",
    arguments: [false, true])
  func precedeTimers(isSaved: Bool) throws {
    let then = #"{"debounce": {"seconds": 2, "onFinish": "flush"}}"#
    let records: [Record] = [(1, #""a""#, 1), (3, #""b""#, 2), (9, #""a""#, 3)]
    for (operators, delay) in [
      (#"{"map": {"expression": "value.v"}}"#, 0),
      (#"{"map": {"expression": "value.v"}}, {"delay": {"seconds": 1}}"#, 1),
    ] {
      let pipeline = try Self.pipeline(operators, then: then)
      #expect(
        try Self.run(pipeline, records, isSaved: isSaved) == ["\(5 + delay) 2", "\(9 + delay) 3", "\(9 + delay) |"])
    }
  }

  @Test(
    "An operator that waits for the end of an instant in a key has its result in the instant", arguments: [false, true])
  func followTheEndOfAnInstant(isSaved: Bool) throws {
    let pipeline = try Self.pipeline(
      #"""
      {"combineLatest": {"atomic": true, "with": [{"source": {"input": {"name": "e"}}}], "names": ["l", "r"],
       "expression": "l.k + string(l.v) + string(r.v) + ' '"}}
      """#, then: Self.joined)
    let records: [Record] = [(1, #""b""#, 1), (1, #""a""#, 2), (1, #""b""#, 3), (2, #""a""#, 4)]
    #expect(
      try Self.run(pipeline, records, isSaved: isSaved) == [
        "1 \"a22 \"", "1 \"a22 b33 \"", "2 \"a22 b33 a44 \"", "2 |",
      ])
  }

  @Test("The end and a failure follow the results of their instant") func completionsFollow() throws {
    let failing = try Self.pipeline(
      #"{"map": {"expression": "10 / value.v"}}"#, then: #"{"map": {"expression": "value"}}"#)
    #expect(
      try Self.run(failing, [(1, #""b""#, 2), (1, #""a""#, 5), (1, #""c""#, 0), (2, #""a""#, 1)]) == [
        "1 2", "1 5", "1 S402",
      ])
    let counting = try Self.pipeline("", then: #"{"count": {}}"#)
    #expect(try Self.run(counting, []) == ["0 0", "0 |"])
    #expect(try Self.run(counting, [(1, #""b""#, 2), (3, #""a""#, 5)]) == ["3 2", "3 |"])
  }

  @Test("Results wait for demand in their order") func waitForDemand() throws {
    let pipeline = try Self.pipeline(
      #"{"map": {"expression": "value.v"}}"#, then: #"{"map": {"expression": "value + 0"}}"#)
    let records: [Record] = [(1, #""b""#, 1), (1, #""a""#, 2), (2, #""b""#, 3), (2, #""a""#, 4)]
    let expected = ["1 2", "1 1", "2 4", "2 3", "2 |"]
    #expect(try Self.run(pipeline, records, demand: Demand(1)) == expected)
    #expect(try Self.run(pipeline, records) == expected)
  }

  @Test("Streams that 'then' shares and starts have their timers after the results, too", arguments: [false, true])
  func innerStreamsFollow(isSaved: Bool) throws {
    let pipeline = try Self.pipeline(
      #"{"map": {"expression": "value.v"}}, {"delay": {"seconds": 1}}"#,
      then:
        #"{"share": {}}, {"flatMap": {"stream": {"stream": [{"value": 0}], "operators": [{"delay": {"seconds": 1}}]}}}, {"scan": {"initialValue": 0, "expression": "acc + 1"}}, {"debounce": {"seconds": 1}}"#
    )
    // At each second the results come before the delays of those of the second before.
    #expect(
      try Self.run(pipeline, [(1, #""b""#, 1), (1, #""a""#, 2), (2, #""b""#, 3), (9, #""b""#, 4)], isSaved: isSaved)
        == ["5 3", "11 |"])
  }

  @Test("Without 'time' results follow as they are published") func followWithoutTime() throws {
    let pipeline = try Self.pipeline(
      #"{"map": {"expression": "value.v"}}"#, then: #"{"map": {"expression": "value"}}"#, time: "")
    #expect(
      try Self.run(pipeline, [(1, #""b""#, 1), (1, #""a""#, 2), (1, #""b""#, 3)]) == ["1 1", "1 2", "1 3", "1 |"])
  }
}

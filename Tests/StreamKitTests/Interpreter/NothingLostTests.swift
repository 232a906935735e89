import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// No value is lost for want of demand without a word: an upstream that can wait is paused, one that cannot fills a
/// queue that fails when it is full, and dropped values are counted.
@Suite struct NothingLostTests {
  /// Number of values of each source.
  private static let count = 2_000

  /// The end of a stream that takes a millisecond for each value, and counts the values.
  private static let slowCount = """
    {"flatMap": {"strategy": "concat", "stream":
      {"source": {"just": {"expression": "outer"}}, "operators": [{"delay": {"seconds": 0.001}}]}}}, {"count": {}}
    """

  private static let numbers = #"{"source": {"range": {"from": 1, "through": 2000}}}"#

  /// The result of a run: the values, the failure, and the number of dropped values.
  private struct Result: Equatable {
    var values: [Value] = []
    var failure: String?
    var dropped = 0
  }

  /// Runs a stream whose only input, if any, is fed by a source that can wait.
  private func run(_ json: String, fuses: Bool = true) throws -> Result {
    let execution = Execution(try stream(json).compile(CompileOptions(fuses: fuses)))
    var result = Result()
    var sent = 0
    func listen() {
      while let event = execution.next() {
        switch event {
        case .value(let value): result.values.append(value)
        case .failure(let failure): result.failure = failure.code
        default: break
        }
      }
    }
    execution.request(.unlimited)
    listen()
    while !execution.isEnded {
      if sent < Self.count, execution.wants(0) {
        sent += 1
        execution.send(.int(Int64(sent)), to: 0, at: execution.time)
        if sent == Self.count { execution.finish(0, at: execution.time) }
      } else if let deadline = execution.nextDeadline {
        execution.advance(to: deadline)
      } else {
        break
      }
      listen()
    }
    result.dropped = execution.drops.reduce(0) { $0 + $1.count }
    return result
  }

  /// An operator, and the number of values that it publishes for the numbers from 1 to 5000.
  struct Case: CustomTestStringConvertible {
    let operators: String
    let expected: Int

    init(_ operators: String, _ expected: Int) { (self.operators, self.expected) = (operators, expected) }

    var testDescription: String { operators }
  }

  /// Without `switchMap` and `exhaustMap`, which request all values: those that they leave out are their meaning.
  static let cases: [Case] = [
    Case(#"{"map": {"expression": "value"}}"#, 2_000),
    Case(#"{"share": {}}"#, 2_000),
    Case(#"{"share": {"replay": 3}}, {"share": {}}"#, 2_000),
    Case(#"{"flatMap": {"stream": {"source": {"just": {"expression": "outer"}}}}}"#, 2_000),
    Case(
      #"{"flatMap": {"maxPublishers": 2, "limit": 3, "stream": {"source": {"sequence": {"values": [1, 2]}}, "operators": [{"delay": {"seconds": 0.0001}}]}}}"#,
      4_000),
    Case(#"{"flatMap": {"strategy": "concat", "stream": {"source": {"sequence": {"values": [1, 2]}}}}}"#, 4_000),
    Case(
      #"{"mergeScan": {"initialValue": 0, "maxPublishers": 1, "stream": {"source": {"just": {"expression": "acc + outer"}}, "operators": [{"delay": {"seconds": 0.0001}}]}}}"#,
      2_000),
    Case(#"{"expand": {"stream": {"source": {"empty": {}}}, "limit": 6000}}"#, 2_000),
    Case(#"{"rateLimit": {"count": 1, "seconds": 0.0001}}"#, 2_000),
    Case(#"{"rateLimit": {"count": 3, "seconds": 0.01, "limit": 5}}"#, 2_000),
    Case(#"{"mergeOrdered": {"with": [\#(numbers)]}}"#, 4_000),
    Case(#"{"mergeOrdered": {"with": [\#(numbers)], "limit": 1}}"#, 4_000),
    Case(#"{"merge": {"with": [\#(numbers)]}}"#, 4_000),
    Case(#"{"zip": {"with": [\#(numbers)]}}"#, 2_000),
    Case(#"{"withLatestFrom": {"with": [{"source": {"just": {"value": 1}}}]}}"#, 2_000),
    Case(#"{"append": {"with": [\#(numbers)]}}"#, 4_000),
    Case(#"{"prepend": {"with": [\#(numbers)]}}"#, 4_000),
    Case(#"{"race": {"with": [{"source": {"never": {}}}]}}"#, 2_000),
    Case(
      #"{"join": {"with": [{"source": {"just": {"value": 1}}}], "left": {"source": {"never": {}}}, "right": {"source": {"never": {}}}}}"#,
      2_000),
    Case(#"{"buffer": {"capacity": 2000}}"#, 2_000),
    Case(#"{"buffer": {"capacity": 7, "prefetch": "keepFull"}}"#, 2_000),
    Case(#"{"collect": {"count": 1}}"#, 2_000),
    Case(#"{"collect": {"count": 2, "startEvery": 1}}"#, 2_000),
    Case(#"{"collectTime": {"seconds": 1, "count": 1}}"#, 2_000),
    Case(#"{"groupBy": {"key": "value % 3", "operators": []}}"#, 2_000),
    Case(#"{"window": {"count": 10, "operators": []}}"#, 2_000),
    Case(#"{"delay": {"seconds": 0.5}}"#, 2_000),
    Case(#"{"delayWhen": {"stream": {"source": {"timer": {"every": 0.001, "count": 1}}}}}"#, 2_000),
    Case(#"{"timeout": {"seconds": 100}}"#, 2_000),
    Case(#"{"catch": {"stream": {"source": {"empty": {}}}}}"#, 2_000),
    Case(#"{"retry": {"count": 1}}"#, 2_000),
    Case(#"{"intersperse": {"value": 0}}"#, 3_999),
    Case(#"{"nwise": {"count": 2}}"#, 1_999),
    Case(#"{"materialize": {}}"#, 2_001),
    Case(#"{"handleEvents": {}}"#, 2_000),
    Case(#"{"dropLast": {"count": 10}}"#, 1_990),
    Case(#"{"repeat": {"count": 1}}"#, 2_000),
  ]

  @Test("A source that can wait loses nothing before a slow operator", arguments: cases)
  func pausesItsSource(_ example: Case) throws {
    for fuses in [true, false] {
      let pulled = try run(
        #"{"source": {"range": {"from": 1, "through": 2000}}, "operators": [\#(example.operators), \#(Self.slowCount)]}"#,
        fuses: fuses)
      #expect(pulled == Result(values: [.int(Int64(example.expected))]))
      let fed = try run(
        #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [\#(example.operators), \#(Self.slowCount)]}"#,
        fuses: fuses)
      #expect(fed == Result(values: [.int(Int64(example.expected))]))
    }
  }

  /// Operators that start streams with the values 8 and 9 in front of what they receive.
  private static let prefixed: [(String, [Value])] = [
    (#"{"groupBy": {"key": "0", "operators": [{"prepend": {"with": ["s"]}}]}}"#, [8, 9, 1, 2, 3]),
    (#"{"window": {"count": 2, "operators": [{"prepend": {"with": ["s"]}}]}}"#, [8, 9, 1, 2, 8, 9, 3]),
    (#"{"window": {"expression": "true", "operators": [{"prepend": {"with": ["s"]}}]}}"#, [8, 9, 1, 8, 9, 2, 8, 9, 3]),
  ]

  @Test("A group that waits for demand before it subscribes to its values receives them", arguments: [false, true])
  func subscribesLate(saves: Bool) throws {
    for (operation, expected) in Self.prefixed {
      let pipeline = try stream(
        """
        {"streams": {"s": {"source": {"sequence": {"values": [8, 9]}}}},
         "source": {"range": {"from": 1, "through": 3}}, "operators": [\(operation)]}
        """
      ).compile()
      var execution = Execution(pipeline)
      var values: [Value] = []
      for _ in 0..<20 {
        if saves { execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text())) }
        execution.request(Demand(1))
        while let event = execution.next() { if case .value(let value) = event { values.append(value) } }
      }
      #expect(values == expected)
      #expect(execution.isEnded)
    }
    // The operators of the group request a part of the values in front of it.
    let numbers = #"{"prepend": {"with": [\#(Self.numbers)]}}"#
    let result = try run(
      #"{"stream": [{"value": 0}], "operators": [{"groupBy": {"key": "0", "operators": [\#(numbers), \#(Self.slowCount)]}}]}"#
    )
    #expect(result == Result(values: [2_001]))
  }

  @Test(
    "A group that subscribes late for another reason than demand misses values", arguments: [false, true])
  func subscribesTooLate(asksForAll: Bool) throws {
    let execution = Execution(
      try stream(
        """
        {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"groupBy": {"key": "0", "operators": [
          {"prepend": {"with": [{"source": {"timer": {"every": 1, "count": 1}}}]}}]}}]}
        """
      ).compile())
    var values: [Value] = []
    func listen() {
      while let event = execution.next() {
        if case .value(let value) = event { values.append(value) }
        if !asksForAll { execution.request(Demand(1)) }
      }
    }
    execution.request(asksForAll ? .unlimited : Demand(1))
    execution.send(7, to: 0, at: .zero)
    listen()
    execution.advance(to: StreamTime(seconds: 1))
    listen()
    execution.send(8, to: 0, at: StreamTime(seconds: 2))
    listen()
    #expect(values == [0, 8])
  }

  @Test(
    "A group whose stream waits for an input misses values, whether or not it has requested them all",
    arguments: [false, true])
  func waitsForInput(asksForAll: Bool) throws {
    let timeout = asksForAll ? "" : #", {"timeout": {"seconds": 1}}"#
    let execution = Execution(
      try stream(
        """
        {"inputs": {"a": {}}, "streams": {"s": {"source": {"input": {"name": "a"}}}}, "source": {"input": {"name": "a"}},
         "operators": [{"append": {"with": [{"source": {"just": {"value": "lost"}}}]}},
           {"groupBy": {"key": "0", "operators": [{"prepend": {"with": ["s"]}}\(timeout)]}}\(timeout)]}
        """
      ).compile())
    execution.request(.unlimited)
    for value in [7, 8] as [Value] { execution.send(value, to: 0, at: .zero) }
    execution.finish(0, at: .zero)
    execution.advance(to: .zero)
    var values: [Value] = []
    while let event = execution.next() { if case .value(let value) = event { values.append(value) } }
    #expect(values == [8])
    #expect(execution.drops.map(\.reason) == [.early])
  }

  @Test("A combination of the newest values waits for demand")
  func combinations() throws {
    for name in ["combineLatest", "combineLatestAll"] {
      let operators =
        name == "combineLatest"
        ? #"{"combineLatest": {"with": [\#(Self.numbers)]}}"#
        : #"{"prefix": {"count": 1}}, {"combineLatestAll": {"stream": \#(Self.numbers)}}"#
      // The first stream has published all of its values when the second one begins.
      let result = try run(
        #"{"source": {"range": {"from": 1, "through": 2000}}, "operators": [\#(operators), \#(Self.slowCount)]}"#)
      #expect(result == Result(values: [2_000]))
    }
    let alternating = try run(
      """
      {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [
        {"combineLatest": {"with": ["a"]}}, \(Self.slowCount)]}
      """)
    #expect(alternating == Result(values: [3_999]))
  }

  /// Sources with the name `s` that may have several subscribers: the declarations of inputs and of streams.
  private static let sharedSources = [
    (#""inputs": {"s": {}}, "#, ""),
    (#""inputs": {"a": {}}, "#, #""s": {"source": {"input": {"name": "a"}}, "operators": [{"share": {}}]}, "#),
    ("", #""s": {"source": {"range": {"from": 1, "through": 2000}}, "operators": [{"share": {"subscribers": 2}}]}, "#),
  ]

  @Test("Several branches of one source see all of its values, at the pace of the slowest")
  func branches() throws {
    for (inputs, streams) in Self.sharedSources {
      let result = try run(
        """
        {\(inputs)"streams": {\(streams)"slow": {"source": {"stream": {"name": "s"}}, "operators": [\(Self.slowCount)]}},
         "source": {"stream": {"name": "s"}}, "operators": [{"count": {}}, {"zip": {"with": ["slow"]}}]}
        """)
      #expect(result == Result(values: [[2_000, 2_000]]))
    }
  }

  @Test("A branch that waits for another one of the same source fails instead of waiting forever")
  func noDeadlock() throws {
    for (inputs, streams) in Self.sharedSources {
      let result = try run(
        """
        {\(inputs)"streams": {\(streams)"late": {"source": {"stream": {"name": "s"}}, "operators": [
          {"filter": {"expression": "value > 4000"}}]}}, "source": {"stream": {"name": "s"}},
          "operators": [{"mergeOrdered": {"with": ["late"], "limit": 10}}, {"count": {}}]}
        """)
      #expect(result.failure == "S409")
    }
  }

  @Test(
    "'share' with a number of subscribers asks a source that can wait once all of them have asked",
    arguments: [
      #"{"sequence": {"values": [1, 2, 3]}}"#, #"{"range": {"from": 1, "through": 3}}"#,
      #"{"generate": {"initialValue": 1, "next": "value + 1", "while": "value < 4"}}"#,
      #"{"record": {"events": [{"at": 0, "value": 1}, {"at": 0, "value": 2}, {"at": 0, "value": 3}, {"at": 0, "finished": true}]}}"#,
    ])
  func sharesWithAll(_ source: String) throws {
    func result(of operators: String) throws -> [Value] {
      try run(
        """
        {"streams": {"s": {"source": \(source), "operators": [{"share": {"subscribers": 2}}]},
                     "sum": {"source": {"stream": {"name": "s"}}, "operators": [{"sum": {}}]}},
         "source": {"stream": {"name": "s"}}, "operators": [\(operators)]}
        """
      ).values
    }
    let expected: [(operators: String, values: [Value])] = [
      (#"{"count": {}}, {"zip": {"with": ["sum"]}}"#, [[3, 6]]),
      (#"{"count": {}}, {"combineLatest": {"with": ["sum"]}}"#, [[3, 6]]),
      (#"{"count": {}}, {"forkJoin": {"with": ["sum"]}}"#, [[3, 6]]),
      (#"{"count": {}}, {"merge": {"with": ["sum"]}}"#, [3, 6]),
      (#"{"count": {}}, {"withLatestFrom": {"with": ["s"]}}"#, [[3, 3]]),
      (
        #"{"prefixUntil": {"stream": {"source": {"stream": {"name": "s"}}, "operators": [{"filter": {"expression": "value == 3"}}]}}}"#,
        [1, 2]
      ),
    ]
    for (operators, values) in expected { #expect(try result(of: operators) == values) }
  }

  @Test("Operators that publish at times of their own fill a queue, then fail")
  func queuesOfTimedOperators() throws {
    let slow = """
      {"flatMap": {"strategy": "concat", "limit": 10, "stream":
        {"source": {"just": {"expression": "outer"}}, "operators": [{"delay": {"seconds": 0.01}}]}}}, {"count": {}}
      """
    let operators = [
      #"{"debounce": {"seconds": 0.0005, "onFinish": "flush"}}"#, #"{"throttle": {"seconds": 0.0005}}"#,
      #"{"throttle": {"seconds": 0.0005, "edges": "trailing"}}"#, #"{"audit": {"seconds": 0.0005}}"#,
      #"{"sample": {"seconds": 0.001}}, {"append": {"with": [{"source": {"just": {"value": 0}}}]}}"#,
    ]
    for operation in operators {
      // 500 values fit into the queues, 2,000 do not.
      let few = try run(
        #"{"source": {"timer": {"every": 0.001, "count": 500}}, "operators": [\#(operation), \#(slow)]}"#)
      let expected: Value = operation.contains("append") ? 501 : 500
      #expect(few == Result(values: [expected], dropped: expected == 501 ? 1 : 0), "\(operation)")
      let many = try run(
        #"{"source": {"timer": {"every": 0.001, "count": 2000}}, "operators": [\#(operation), \#(slow)]}"#)
      #expect(many == Result(failure: "S409"), "\(operation)")
    }
  }

  @Test("Ticks of a timer and values of a full buffer that drops are counted")
  func countsDrops() throws {
    let slow = """
      {"flatMap": {"strategy": "concat", "limit": 10, "stream":
        {"source": {"just": {"expression": "outer"}}, "operators": [{"delay": {"seconds": 0.01}}]}}}, {"count": {}}
      """
    for (source, operators) in [
      (#"{"timer": {"every": 0.001, "count": 2000}}"#, ""),
      (#"{"range": {"from": 1, "through": 2000}}"#, #"{"buffer": {"capacity": 10}},"#),
      (#"{"range": {"from": 1, "through": 2000}}"#, #"{"buffer": {"capacity": 10, "whenFull": "dropOldest"}},"#),
      (#"{"range": {"from": 1, "through": 2000}}"#, #"{"rateLimit": {"count": 5, "seconds": 1, "whenFull": "drop"}},"#),
    ] {
      let result = try run(#"{"source": \#(source), "operators": [\#(operators) \#(slow)]}"#)
      guard case .int(let count)? = result.values.first else {
        Issue.record("\(source) \(operators): \(result)")
        continue
      }
      #expect(result.dropped > 1_000 && Int(count) + result.dropped == 2_000, "\(source) \(operators)")
    }
  }

  @Test("Values of a group before its stream subscribes are counted")
  func earlyValues() throws {
    let late = #"{"prepend": {"with": [{"source": {"timer": {"every": 1, "count": 1}}}]}}"#
    for (operators, drops) in [
      (late, ["'groupBy' dropped 3 values that came before their stream had subscribed to them"]),
      // An array of a fixed size requests all of its values, as without it.
      (
        late + #", {"collect": {"count": 2}}"#,
        ["'groupBy' dropped 3 values that came before their stream had subscribed to them"]
      ),
      (#"{"collect": {"count": 2}}"#, []),
    ] {
      let pipeline = try stream(
        #"{"source": {"sequence": {"values": [1, 2, 3]}}, "operators": [{"groupBy": {"key": "0", "operators": [\#(operators)]}}]}"#
      ).compile()
      let run = VirtualRun(Execution(pipeline))
      run.run()
      let found = run.execution.drops.map(\.warning.message)
      #expect(found == drops, "\(operators)")
    }
  }

  @Test("The number of dropped values is part of a snapshot")
  func countsAfterRestoring() throws {
    let pipeline = try stream(#"{"source": {"timer": {"every": 1, "count": 3}}}"#).compile()
    var execution = Execution(pipeline)
    execution.request(Demand(1))
    execution.advance(to: StreamTime(seconds: 2))
    while execution.next() != nil {}
    execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
    execution.advance(to: StreamTime(seconds: 4))
    while execution.next() != nil {}
    #expect(execution.drops.map(\.count) == [2])
    #expect(execution.drops.first?.warning.message == "'timer' dropped 2 values that downstream had not requested")
  }

  @Test("An input without a buffer keeps 1024 values without demand, then fails")
  func queueOfAnInput() throws {
    let pipeline = try stream(#"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}"#).compile()
    let execution = Execution(pipeline)
    execution.request(Demand(1))
    for value in 1...1_025 { execution.send(.int(Int64(value)), to: 0, at: .zero) }
    var count = 0
    while execution.next() != nil { count += 1 }
    execution.request(Demand(1_024))
    while execution.next() != nil { count += 1 }
    #expect(count == 1_025)
    for value in 1...1_025 { execution.send(.int(Int64(value)), to: 0, at: .zero) }
    guard case .failure(let failure)? = execution.next() else {
      Issue.record("the input does not fail")
      return
    }
    #expect(failure.code == "S409")
  }
}

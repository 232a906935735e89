import StreamCore
import StreamKit
import StreamRuntime
import StreamTesting
import Testing

/// What the examples of the time operators leave open: demand, order within a moment, exact times, saving.
@Suite struct TimeTests {
  private let endless = #""source": {"range": {"from": 1, "through": 9223372036854775807}}"#

  @Test("timeout and rateLimit read a source without an end no further than their limit")
  func lookAhead() throws {
    let timeout = try run(
      #"{\#(endless), "operators": [{"timeout": {"seconds": 1, "limit": 10}}, {"prefix": {"count": 3}}]}"#)
    let rate = try run(
      #"{\#(endless), "operators": [{"rateLimit": {"count": 1, "seconds": 0.5, "limit": 2}}, {"prefix": {"count": 3}}]}"#
    )
    #expect(timeout == ["1@0", "2@0", "3@0", "|@0"])
    #expect(rate == ["1@0", "2@500", "3@1000", "|@1000"])
  }

  @Test("Tokens come evenly and to the nanosecond, however long it goes on")
  func tokens() throws {
    let events = try run(
      #"{"source": {"range": {"from": 1, "through": 3004}}, "operators": [{"rateLimit": {"count": 3, "seconds": 0.01}}]}"#
    )
    let last = events.suffix(2)
    // The first three pass at once; the 3,001 others take a third of ten milliseconds each.
    #expect(events.prefix(5) == ["1@0", "2@0", "3@0", "4@3", "5@6"])
    #expect(last == ["3004@10003", "|@10003"])
  }

  @Test("A bucket fills no further than to its size")
  func burst() throws {
    let events = try run(
      """
      {"source": {"marbles": {"diagram": "[ab] 1s [cdef]|"}}, "operators": [{"rateLimit": {"count": 2, "seconds": 0.01}}]}
      """)
    #expect(events == [#""a"@0"#, #""b"@0"#, #""c"@1001"#, #""d"@1001"#, #""e"@1006"#, #""f"@1011"#, "|@1011"])
  }

  @Test("throttle publishes the newest of a moment, and what a synchronous source says is not lost")
  func throttleWithinOneMoment() throws {
    let items = #""stream": [{"value": 1}, {"value": 2}, {"value": 3}]"#
    let newest = try run(#"{\#(items), "operators": [{"throttle": {"seconds": 1}}]}"#)
    let first = try run(#"{\#(items), "operators": [{"throttle": {"seconds": 1, "latest": false}}]}"#)
    let leading = try run(#"{\#(items), "operators": [{"throttle": {"seconds": 1, "edges": "leading"}}]}"#)
    #expect(newest == ["3@0", "|@0"])
    #expect(first == ["1@0", "|@0"])
    #expect(leading == ["1@0", "|@0"])
  }

  @Test("What goes through the scheduler comes after what does not")
  func orderWithinOneMoment() throws {
    let events = try run(
      """
      {"streams": {"s": {"stream": [{"value": 1}, {"value": 2}]}},
       "source": {"stream": {"name": "s"}}, "operators": [{"timeout": {"seconds": 1}}, {"merge": {"with": ["s"]}}]}
      """)
    #expect(events == ["1@0", "2@0", "1@0", "2@0", "|@0"])
  }

  @Test("Lists that nobody has asked for wait, and so does the end")
  func listsWait() throws {
    let marbles = #""source": {"marbles": {"diagram": "a-b-c-d|"}}"#
    let byTime = try answers(#"{\#(marbles), "operators": [{"collectTime": {"seconds": 0.0025}}]}"#, [1, 1, 9])
    let byStream = try answers(
      #"{\#(marbles), "operators": [{"collectUntil": {"stream": {"source": {"timer": {"every": 0.0025}}}}}]}"#,
      [1, 9])
    #expect(byTime == [[#"["a","b"]"#], [#"["c"]"#], [#"["d"]"#, "|"]])
    #expect(byStream == [[#"["a","b"]"#], [#"["c"]"#, #"["d"]"#, "|"]])
  }

  @Test("collect by overlapping lists asks for what they need, and publishes the rest as it is asked for")
  func overlappingLists() throws {
    let json = """
      {"source": {"range": {"from": 1, "through": 5}}, "operators": [{"collect": {"count": 3, "startEvery": 1}}]}
      """
    let texts = try answers(json, [1, 1, 1, 1, 1])
    #expect(texts == [["[1,2,3]"], ["[2,3,4]"], ["[3,4,5]"], ["[4,5]"], ["[5]", "|"]])
  }

  @Test("The lists that overlap at the end are bounded")
  func overlappingLimit() throws {
    let events = try run(
      """
      {"source": {"range": {"from": 1, "through": 99}},
       "operators": [{"collect": {"count": 100, "startEvery": 1, "limit": 1000}}]}
      """)
    #expect(events == ["#S409@0"])
  }

  @Test("What an expression collects is asked for until a list is complete")
  func collectUntilAsks() throws {
    let json = """
      {"source": {"range": {"from": 1, "through": 7}}, "operators": [{"collectUntil": {"expression": "value % 3 == 0"}}]}
      """
    let texts = try answers(json, [1, 1, 1])
    #expect(texts == [["[1,2,3]"], ["[4,5,6]"], ["[7]", "|"]])
  }

  @Test("A stream that completes lists knows which list it is for")
  func numberOfList() throws {
    let events = try run(
      """
      {"source": {"timer": {"every": 0.001, "count": 9, "startingAfter": 0.0005}},
       "operators": [{"collectUntil": {"each": true, "stream":
         {"source": {"timer": {"every": 0.001}}, "operators": [{"filter": {"expression": "value == outerIndex"}}]}}},
         {"map": {"expression": "size(value)"}}]}
      """)
    #expect(events == ["1@1", "2@3", "3@6", "3@8", "|@8"])
  }

  @Test("The order of values is that in which their streams publish")
  func overtaking() throws {
    let events = try run(
      """
      {"stream": [{"value": 30}, {"value": 10}, {"value": 20}],
       "operators": [{"delayWhen": {"stream": {"source": {"timer": {"every": 0.01}},
         "operators": [{"filter": {"expression": "(value + 1) * 10 == outer"}}]}}}]}
      """)
    #expect(events == ["10@10", "20@20", "30@30", "|@30"])
  }

  @Test("What was asked for goes to the stream that takes over")
  func timeoutDemand() throws {
    let json = """
      {"source": {"marbles": {"diagram": "a----------b|"}},
       "operators": [{"timeout": {"seconds": 0.003, "with": {"source": {"range": {"from": 1, "through": 9}}}}}]}
      """
    let texts = try answers(json, [3, 1])
    #expect(texts == [[#""a""#, "1", "2"], ["3"]])
  }

  @Test("timeout says what it was told to, and where it stands")
  func timeoutError() throws {
    let pipeline = try stream(
      #"{"source": {"never": {}}, "operators": [{"timeout": {"seconds": 1, "error": {"message": "too late", "code": 7}}}]}"#
    ).compile()
    let history = VirtualRun(Execution(pipeline)).run()
    guard case .failure(let failure)? = history.completion else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.message == "too late")
    #expect(failure.payload == ["message": "too late", "code": 7])
    #expect(failure.pointer == JSONPointer(["operators", "0"]))
  }

  @Test("null is a value that can wait, also in a saved stream")
  func null() throws {
    let operators = [
      #"{"throttle": {"seconds": 0.002}}"#, #"{"throttle": {"seconds": 0.002, "edges": "trailing"}}"#,
      #"{"audit": {"seconds": 0.002}}"#, #"{"debounce": {"seconds": 0.002}}"#, #"{"delay": {"seconds": 0.002}}"#,
      #"{"delayWhen": {"stream": {"source": {"timer": {"every": 0.002}}}}}"#, #"{"timeout": {"seconds": 1}}"#,
    ]
    for json in operators {
      let pipeline = try stream(#"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [\#(json)]}"#)
        .compile()
      let execution = Execution(pipeline)
      execution.request(.unlimited)
      execution.send(.null, to: 0, at: .zero)
      let before = execution.next()
      let restored = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
      restored.advance(to: StreamTime(seconds: 0.01))
      let after = restored.next()
      #expect(before ?? after == .value(.null), "\(json)")
    }
  }

  @Test("The timestamp is that of the execution's clock")
  func timestamps() throws {
    let pipeline = try stream(
      #"{"source": {"timer": {"every": 1, "count": 1}}, "operators": [{"timestamp": {}}, {"map": {"expression": "string(value.timestamp)"}}]}"#
    ).compile()
    let execution = Execution(pipeline, origin: Timestamp(seconds: 86_400))
    let history = VirtualRun(execution).run()
    #expect(history.texts() == [#""1970-01-02T00:00:01Z"@1000"#, "|@1000"])
  }
}

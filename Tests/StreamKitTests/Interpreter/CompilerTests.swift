import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

@Suite struct CompilerTests {
  @Test("Items follow one another, each with its own operators")
  func items() throws {
    let events = try run(
      """
      {"stream": [{"value": 1}, {"value": 2}, {"value": 3, "operators": [{"delay": {"seconds": 1}}]}, {"value": 4}],
       "operators": [{"map": {"expression": "value * 10"}}]}
      """)
    #expect(events == ["10@0", "20@0", "30@1000", "40@1000", "|@1000"])
  }

  @Test("A stream that is named twice is subscribed to twice")
  func namedTwice() throws {
    let events = try run(
      """
      {"streams": {"s": {"source": {"range": {"from": 1, "through": 2}}}},
       "source": {"stream": {"name": "s"}}, "operators": [{"append": {"with": ["s"]}}]}
      """)
    #expect(events == ["1@0", "2@0", "1@0", "2@0", "|@0"])
  }

  @Test("A model in place sees the names around it")
  func nestedScopes() throws {
    let events = try run(
      """
      {"streams": {"s": {"stream": [{"value": "s"}]}}, "stream": [{"value": 0}],
       "operators": [{"append": {"with": [{"streams": {"t": {"source": {"stream": {"name": "s"}}}},
         "source": {"stream": {"name": "t"}}}]}}]}
      """)
    #expect(events == ["0@0", "\"s\"@0", "|@0"])
  }

  @Test("A stream of another file brings its own names with it")
  func files() throws {
    let loader = FilesInMemory(files: [
      "b.json": #"{"streams": {"s": {"stream": [{"value": "b"}]}}, "source": {"stream": {"name": "s"}}}"#
    ])
    let events = try run(
      #"{"source": {"stream": {"file": "b.json"}}, "operators": [{"map": {"expression": "value + '!'"}}]}"#,
      loader: loader)
    #expect(events == ["\"b!\"@0", "|@0"])
  }

  @Test("An error in another file is reported in that file")
  func errorsInFiles() {
    let loader = FilesInMemory(files: ["b.json": #"{"stream": [], "operators": [{"map": {"expression": "valu"}}]}"#])
    var found: Diagnostics?
    do {
      _ = try stream(#"{"source": {"stream": {"file": "b.json"}}}"#).compile(CompileOptions(loader: loader))
    } catch {
      found = error
    }
    #expect(found?.all.first?.location?.file == "b.json")
    #expect(found?.all.first?.code == .unknownName)
  }

  @Test(
    "Each fault has its code and its place",
    arguments: [
      (
        #"{"streams": {"a": {"source": {"stream": {"name": "b"}}}, "b": {"source": {"stream": {"name": "a"}}}}, "source": {"stream": {"name": "a"}}}"#,
        ["S110 /streams/b/source/stream/name"]
      ),
      (#"{"source": {"stream": {"name": "x"}}}"#, ["S109 /source/stream/name"]),
      (#"{"source": {"input": {"name": "x"}}}"#, ["S301 /source/input/name"]),
      (#"{"source": {"stream": {"file": "none.json"}}}"#, ["S502 /source/stream/file"]),
      (
        #"{"stream": [], "operators": [{"map": {"expression": "value +"}}, {"filter": {"expression": "1"}}]}"#,
        ["S201 /operators/0/map/expression", "S203 /operators/1/filter/expression"]
      ),
      (
        #"{"stream": [{"value": "a"}], "operators": [{"map": {"expression": "value - 1"}}]}"#,
        ["S203 /operators/0/map/expression"]
      ),
      (
        #"{"inputs": {"a": {"type": {"x": "double"}}}, "source": {"input": {"name": "a"}}, "operators": [{"map": {"expression": "value.y"}}]}"#,
        ["S206 /operators/0/map/expression"]
      ),
      (
        #"{"streams": {"unused": {"stream": [], "operators": [{"map": {"expression": "nobody"}}]}}, "stream": []}"#,
        ["S202 /streams/unused/operators/0/map/expression"]
      ),
      (#"{"inputs": {"a": {}}, "streams": {"a": {"stream": []}}, "stream": []}"#, ["S118 /streams/a"]),
    ])
  func faults(_ json: String, _ expected: [String]) {
    let actual = problems(json, loader: FilesInMemory(files: [:]))
    #expect(actual == expected)
  }

  @Test("All errors of a file, also of its expressions, are reported at once in the order of the text")
  func allAtOnce() {
    let found = problems(
      """
      {"stream": [{"valu": 1}], "nam": "x", "operators": [{"delay": {"second": 1}}, {"map": {"expression": "valu"}},
       {"zip": {"with": [1, {"stream": 2}]}}, {"filter": {"expression": "value +"}}, {"prefix": {"count": "1", "limit": 2}}]}
      """)
    #expect(
      found == [
        "S101 /stream/0/valu", "S101 /nam", "S101 /operators/0/delay/second", "S202 /operators/1/map/expression",
        "S102 /operators/2/zip/with/0", "S102 /operators/2/zip/with/1/stream", "S201 /operators/3/filter/expression",
        "S102 /operators/4/prefix/count", "S101 /operators/4/prefix/limit",
      ])
  }

  @Test("Operators after an unreadable operator are checked, but not against an unknown type")
  func unknownTypes() {
    let found = problems(
      #"{"stream": [{"value": 1}], "operators": [{"mapp": {"expression": "'a'"}}, {"map": {"expression": "value + 'b'"}}]}"#
    )
    #expect(found == ["S105 /operators/0/mapp"])
  }

  @Test("A file that is named a hundred times over is compiled once")
  func filesAreCompiledOnce() throws {
    var files = ["f0.json": #"{"stream": [{"value": 1}]}"#]
    for level in 1...100 {
      let below = #"{"source": {"stream": {"file": "f\#(level - 1).json"}}}"#
      files["f\(level).json"] =
        #"{"source": {"stream": {"file": "f\#(level - 1).json"}}, "operators": [{"append": {"with": [\#(below)]}}, {"prefix": {"count": 1}}]}"#
    }
    let found = problems(#"{"source": {"stream": {"file": "f100.json"}}}"#, loader: FilesInMemory(files: files))
    #expect(found.first?.hasPrefix("S114") == true)
  }

  @Test("An endless stream without events can be left at any time")
  func endlessWork() throws {
    let pipeline = try stream(
      #"{"source": {"range": {"from": 1, "through": 9223372036854775807}}, "operators": [{"filter": {"expression": "value < 0"}}]}"#
    ).compile()
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    let first = execution.step(atMost: 1_000)
    let restored = try Execution(pipeline, restoring: execution.snapshot())
    let second = restored.step(atMost: 1_000)
    restored.cancel()
    let last = restored.step(atMost: 1_000)
    #expect(first == .unfinished)
    #expect(second == .unfinished)
    #expect(last == .idle)
  }

  @Test("Files that name each other in a circle are an error")
  func cycleOfFiles() {
    let loader = FilesInMemory(files: [
      "b.json": #"{"source": {"stream": {"file": "c.json"}}}"#,
      "c.json": #"{"source": {"stream": {"file": "b.json"}}}"#,
    ])
    let found = problems(#"{"source": {"stream": {"file": "b.json"}}}"#, loader: loader)
    #expect(found == ["S110 /source/stream/file"])
  }

  @Test("Streams that double at each level are refused, not run")
  func subscriptionBomb() {
    var streams = #""s0": {"stream": [{"value": 1}]}"#
    for level in 1...40 {
      let name = "s\(level - 1)"
      streams +=
        #", "s\#(level)": {"source": {"stream": {"name": "\#(name)"}}, "operators": [{"merge": {"with": ["\#(name)"]}}]}"#
    }
    let found = problems(#"{"streams": {\#(streams)}, "source": {"stream": {"name": "s40"}}}"#)
    #expect(found.first?.hasPrefix("S114") == true)
  }

  @Test("Names that refer to each other two thousand deep are an error, not a crash")
  func deepReferences() {
    var streams = #""s0": {"stream": []}"#
    for level in 1...2_000 {
      streams += #", "s\#(level)": {"source": {"stream": {"name": "s\#(level + 1)"}}}"#
    }
    let found = problems(#"{"streams": {\#(streams)}, "stream": []}"#)
    #expect(found.contains { $0.hasPrefix("S004") })
  }

  @Test("Ten thousand operators are compiled and run; one more is refused")
  func manyOperators() throws {
    func file(_ count: Int) -> String {
      let operators = Array(repeating: #"{"drop": {"count": 0}}"#, count: count).joined(separator: ",")
      return #"{"stream": [{"value": 1}], "operators": [\#(operators)]}"#
    }
    let events = try run(file(10_000))
    let found = problems(file(10_001))
    #expect(events == ["1@0", "|@0"])
    #expect(found == ["S104 /operators"])
  }

  @Test("A run-time error names operator, expression, column and value")
  func runtimeErrors() throws {
    let pipeline = try stream(
      #"{"stream": [{"value": 1}, {"value": 0}], "operators": [{"map": {"expression": "10 / value"}}]}"#
    ).compile()
    let history = VirtualRun(Execution(pipeline)).run()
    guard case .failure(let failure)? = history.completion else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.code == "S402")
    #expect(failure.pointer == JSONPointer(["operators", "0", "map", "expression"]))
    #expect(failure.range == 0..<10)
    #expect(failure.value == 0)
  }

  @Test("`onError` `skip` drops and reports the value; the state does not change")
  func skips() throws {
    let events = try run(
      """
      {"stream": [{"value": 1}, {"value": 0}, {"value": 2}],
       "operators": [{"scan": {"initialValue": 0, "expression": "acc + 10 / value"}, "onError": "skip"}]}
      """)
    #expect(events == ["10@0", "skipped S402@0", "15@0", "|@0"])
  }

  @Test("An endless source under prefix ends")
  func endless() throws {
    let timer = try run(#"{"source": {"timer": {"every": 1}}, "operators": [{"prefix": {"count": 2}}]}"#)
    let range = try run(
      #"{"source": {"range": {"from": 1, "through": 9223372036854775807}}, "operators": [{"prefix": {"count": 2}}]}"#)
    #expect(timer == ["0@1000", "1@2000", "|@2000"])
    #expect(range == ["1@0", "2@0", "|@0"])
  }

  @Test("`now()` is the execution's clock")
  func clock() throws {
    let events = try run(
      #"{"source": {"timer": {"every": 1, "count": 2}}, "operators": [{"map": {"expression": "string(now())"}}]}"#)
    #expect(events == ["\"1970-01-01T00:00:01Z\"@1000", "\"1970-01-01T00:00:02Z\"@2000", "|@2000"])
  }

  @Test("A value that nests deeper with every step fails the stream, and does not crash it")
  func deepAccumulation() throws {
    for name in ["scan", "reduce"] {
      let events = try run(
        """
        {"source": {"range": {"from": 1, "through": 100000}},
         "operators": [{"\(name)": {"initialValue": [], "expression": "[acc]"}}, {"drop": {"count": 100000}}]}
        """)
      #expect(events == ["#S409@0"])
    }
  }

  @Test("Subscribers of one input may end one after the other, in any order")
  func subscribersEnd() throws {
    let orders = [[2, 1, 9], [1, 2, 9], [9, 1, 2], [3, 1, 2], [2, 1, 1, 9, 3]]
    for counts in orders {
      let parts = counts.map {
        #"{"source": {"input": {"name": "a"}}, "operators": [{"prefix": {"count": \#($0)}}]}"#
      }
      let pipeline = try stream(
        #"{"inputs": {"a": {}}, "source": {"never": {}}, "operators": [{"merge": {"with": [\#(parts.joined(separator: ","))]}}]}"#
      ).compile()
      let execution = Execution(pipeline)
      execution.request(.unlimited)
      var published = 0
      for value in 1...10 {
        execution.send(.int(Int64(value)), to: 0, at: StreamTime(seconds: Double(value)))
        while execution.next() != nil { published += 1 }
      }
      #expect(published == counts.reduce(0, +))
    }
  }
}

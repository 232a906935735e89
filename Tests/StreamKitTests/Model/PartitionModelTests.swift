import StreamCore
import StreamEngine
import StreamKit
import Testing

/// The member `partition` of a stream file.
@Suite struct PartitionModelTests {
  private static let inputs = #""inputs": {"e": {}, "other": {}}, "source": {"input": {"name": "e"}}"#

  /// Compiles a file, and returns the errors as `code pointer`.
  private func problems(_ members: String) -> [String] {
    do throws(Diagnostics) {
      let document = try JSONDocument(reading: Array("{\(members)}".utf8), file: "stream.json")
      _ = try StreamFile(document, identity: "stream.json").compile()
      return []
    } catch {
      return error.all.map { "\($0.code.rawValue) \($0.pointer.description)" }
    }
  }

  @Test(arguments: [
    (#""partition": {"key": "value.k"}, "operators": [{"debounce": {"seconds": 1}}]"#, "S123 /operators/0/debounce"),
    (#""partition": {"key": "value.k"}, "operators": [{"sample": {"seconds": 1}}]"#, "S123 /operators/0/sample"),
    (#""partition": {"key": "value.k"}, "operators": [{"dropFor": {"seconds": 1}}]"#, "S123 /operators/0/dropFor"),
    (#""partition": {"key": "value.k"}, "operators": [{"prefixFor": {"seconds": 1}}]"#, "S123 /operators/0/prefixFor"),
    (
      #""partition": {"key": "value.k"}, "operators": [{"window": {"seconds": 1, "operators": []}}]"#,
      "S123 /operators/0/window"
    ),
    (
      #""partition": {"key": "value.k"}, "operators": [{"groupBy": {"key": "value", "idle": 1, "operators": []}}]"#,
      "S123 /operators/0/groupBy"
    ),
    (#""partition": {"key": "value.k"}, "operators": [{"retry": {"seconds": 1}}]"#, "S123 /operators/0/retry"),
    (
      #""partition": {"key": "value.k"}, "operators": [{"withLatestFrom": {"with": [{"source": {"timer": {"every": 1}}}]}}]"#,
      "S123 /operators/0/withLatestFrom/with/0/source/timer"
    ),
    (
      #""partition": {"key": "value.k"}, "operators": [{"prepend": {"with": [{"source": {"marbles": {"diagram": "a|"}}}]}}]"#,
      "S123 /operators/0/prepend/with/0/source/marbles"
    ),
    (#""partition": {"key": "index % 2"}"#, "S202 /partition/key"),
    (
      #""partition": {"key": "value.k"}, "operators": [{"withLatestFrom": {"with": ["other"]}}]"#,
      "S123 /operators/0/withLatestFrom/with/0"
    ),
    (
      #""partition": {"key": "value.k"}, "streams": {"s": {"source": {"input": {"name": "other"}}}}"#,
      "S123 /streams/s/source/input/name"
    ),
    (
      #""partition": {"key": "value.k"}, "streams": {"s": {"source": {"file": {"path": "a.ndjson", "format": "ndjson"}}}}"#,
      "S505 /streams/s/source/file/path"
    ),
    (
      #""partition": {"key": "value.k"}, "streams": {"s": {"source": {"just": {"value": 1}}, "partition": {"key": "value"}}}"#,
      "S123 /streams/s/partition"
    ),
    (#""partition": {"time": "value.t"}"#, "S103 /partition"),
    (#""partition": {"key": "value.k", "lateness": 1}"#, "S103 /partition/lateness"),
    (#""partition": {"key": "value.k", "time": "value.t", "lateness": -1}"#, "S104 /partition/lateness"),
    (#""partition": {"key": "value.k", "time": "value.t", "late": "dropp"}"#, "S104 /partition/late"),
    (#""partition": {"key": "value.k", "time": "'noon'"}"#, "S305 /partition/time"),
    (#""partition": {"key": "valeu.k"}"#, "S202 /partition/key"),
    (#""partition": {"key": "value.k", "kye": 1}"#, "S101 /partition/kye"),
    (#""partition": {"key": "value.k", "as": "value"}"#, "S112 /partition/as"),
    (
      #""partition": {"key": "value.k", "as": "u"}, "operators": [{"map": {"expression": "key"}}]"#,
      "S202 /operators/0/map/expression"
    ),
    (
      #""partition": {"key": "value.k", "then": [{"merge": {"with": ["other"]}}]}"#,
      "S109 /partition/then/0/merge/with/0"
    ),
  ])
  func refuses(_ members: String, _ expected: String) throws {
    let found = problems(Self.inputs + ", " + members)
    #expect(found.contains(expected), "\(members): \(found)")
  }

  @Test func onlyAnInputIsDivided() {
    #expect(problems(#""source": {"just": {"value": 1}}, "partition": {"key": "value"}"#) == ["S123 /partition"])
    let initial =
      #""inputs": {"e": {"initialValue": 1}}, "source": {"input": {"name": "e"}}, "partition": {"key": "value"}"#
    #expect(problems(initial) == ["S123 /inputs/e/initialValue"])
  }

  @Test func isWrittenAsItWasRead() throws {
    let text =
      #"{"inputs":{"e":{}},"source":{"input":{"name":"e"}},"partition":{"key":"value.k","as":"user","time":"value.t","#
      + #""lateness":2,"late":"drop","then":[{"count":{}}],"x-note":1},"operators":[{"count":{}}]}"#
    let model = try StreamModel(parsing: text)
    #expect(JSONWriter.compact(model.json) == text)
    #expect(model.partition?.then?.all.count == 1)
  }

  /// An operator that refers to the input of the partition gets the values of its key.
  @Test func theInputIsThatOfTheKey() throws {
    let model = try StreamModel(
      parsing: #"""
        {"inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "partition": {"key": "value % 2"},
         "streams": {"counts": {"source": {"input": {"name": "e"}}, "operators": [{"scan": {"initialValue": 0, "expression": "acc + 1"}}]}},
         "operators": [{"map": {"expression": "value * 10"}}, {"merge": {"with": ["counts"]}}, {"map": {"expression": "[key, value]"}}]}
        """#)
    let execution = Execution(try model.compile())
    execution.request(.unlimited)
    var found: [String] = []
    for number in 1...4 {
      execution.send(.int(Int64(number)), to: 0, at: StreamTime(nanoseconds: Int64(number)))
      while case .value(let value)? = execution.next() { found.append(JSONWriter.compact(value)) }
    }
    #expect(found == ["[1,10]", "[1,1]", "[0,20]", "[0,1]", "[1,30]", "[1,2]", "[0,40]", "[0,2]"])
  }

  @Test func anotherKeyLosesTheState() throws {
    func version(_ partition: String, _ factor: Int) throws -> StreamVersion {
      try StreamVersion(
        StreamModel(
          parsing: #"""
            {"inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "partition": {"key": "\#(partition)"},
             "operators": [{"scan": {"initialValue": 0, "expression": "acc + value"}}, {"map": {"expression": "value * \#(factor)"}}]}
            """#))
    }
    let old = try version("value % 2", 1)
    let execution = Execution(old.pipeline)
    execution.request(.unlimited)
    execution.send(.int(3), to: 0, at: .zero)
    while execution.next() != nil {}
    let snapshot = try execution.snapshot()
    for (new, expected) in [(try version("value % 2", 100), "800"), (try version("value % 3", 100), "500")] {
      let swapped = try Execution(
        new.pipeline, restoring: StreamSwap(of: snapshot, from: old, to: new).snapshot)
      swapped.send(.int(5), to: 0, at: .zero)
      guard case .value(let value)? = swapped.next() else {
        Issue.record("no value")
        continue
      }
      #expect(JSONWriter.compact(value) == expected)
    }
  }
}

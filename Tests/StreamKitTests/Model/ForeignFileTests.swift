import StreamCore
import TestSupport
import Testing

@testable import StreamKit

/// Help for stream files that are written as other tools read them.
@Suite struct ForeignFileTests {
  static let operators: [(json: String, help: String)] = [
    (#"{"map": "value * 2"}"#, #"write {"map": {"expression": "value * 2"}}"#),
    (#"{"delay": 5}"#, #"write {"delay": {"seconds": 5}}"#),
    (#"{"delay": "500ms"}"#, #"write {"delay": {"seconds": 0.5}}"#),
    (#"{"delay": {"seconds": "5s"}}"#, "write 5"),
    (#"{"debounce": {"ms": 300}}"#, #"write "seconds": 0.3"#),
    (#"{"window": {"minutes": 1, "operators": []}}"#, #"write "seconds": 60"#),
    (#"{"prefix": 3}"#, #"write {"prefix": {"count": 3}}"#),
    (#"{"collect": {"count": 2.0}}"#, "write 2"),
    (#"{"union": {}}"#, "did you mean 'merge'?"), (#""count""#, #"write {"count": {}}"#),
    (#"{"count": []}"#, #"write {"count": {}}"#), (#"{"retry": {"delay": 5}}"#, #"write "seconds": 5"#),
    (#"{"merge": {"with": "b"}}"#, #"write ["b"]"#),
    (#"{"merge": "b"}"#, #"write {"merge": {"with": ["b"]}}"#),
    (#"{"groupBy": {"key": ["a", "b"], "operators": []}}"#, #"write "[value.a, value.b]""#),
    (#"{"scan": {"seed": 0, "expression": "acc"}}"#, "did you mean 'initialValue'?"),
    (#"{"pairwise": {}}"#, "did you mean 'nwise'?"), (#"{"tap": {}}"#, "did you mean 'handleEvents'?"),
    (#"{"shareReplay": {}}"#, "did you mean 'share'?"), (#"{"dedupe": {}}"#, "did you mean 'distinct'?"),
    (#"{"tumble": {}}"#, "did you mean 'window'?"), (#"{"avg": {}}"#, "did you mean 'average'?"),
    (#"{"limit": {}}"#, "did you mean 'prefix'?"), (#"{"aggregate": {}}"#, "did you mean 'reduce'?"),
  ]

  @Test("An operator of another tool is advised in the form of this one", arguments: operators)
  func isAdvised(_ json: String, _ help: String) {
    let found = problems(#"{"stream": [{"value": 1}], "operators": [\#(json)]}"#)
    let helps = found.map { $0.help ?? "" }
    #expect(helps.contains(help), "\(helps)")
  }

  static let files: [(json: String, help: String)] = [
    (#"{"source": {"kafka": {}}}"#, "pipe the records into streamrun"),
    (#"{"source": {"file": "x.csv"}}"#, #"write {"file": {"path": "x.csv"}}"#),
    (#"{"source": {"file": {"path": "x", "format": "jsonl"}}}"#, #"did you mean "ndjson"?"#),
    (#"{"stream": [1, 2]}"#, #"write {"value": 1}"#),
    (
      #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "partition": {"key": ["a", "b"]}}"#,
      #"write "[value.a, value.b]""#
    ),
    (
      #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "partition": {"key": "1", "lateness": "5s"}}"#,
      "write 5"
    ),
    (#"{"stream": [], "tests": [{"name": "t", "for": "5s", "expect": {"values": []}}]}"#, "write 5"),
    (#"{"inputs": {"a": {"type": "optional(int)"}}, "source": {"input": {"name": "a"}}}"#, #"write {"x?": "int"}"#),
    (#"{"source": {"interval": {}}}"#, "did you mean 'timer'?"),
    (#"{"source": {"input": "a"}}"#, #"write {"input": {"name": "a"}}"#),
    (#"{"source": "input"}"#, #"write {"input": {…}}"#),
    (#"{"inputs": {"a": "int"}, "source": {"input": {"name": "a"}}}"#, #"write {"type": "int"}"#),
    (#"{"inputs": {"a": {"type": ["int", "null"]}}, "source": {"input": {"name": "a"}}}"#, #"write "int?""#),
    (#"{"inputs": {"a": {"type": "integer"}}, "source": {"input": {"name": "a"}}}"#, #"did you mean "int"?"#),
    (#"{"inputs": {"a": {"type": "number"}}, "source": {"input": {"name": "a"}}}"#, #"did you mean "double"?"#),
    (#"{"inputs": {"a": {"type": "array"}}, "source": {"input": {"name": "a"}}}"#, #"did you mean "list(dyn)"?"#),
    (#"[{"map": {"expression": "value"}}]"#, #"write {"inputs": {"a": {}}"#),
  ]

  @Test("A file of another tool is advised in the form of this one", arguments: files)
  func fileIsAdvised(_ json: String, _ help: String) {
    let helps = problems(json).map { $0.help ?? "" }
    #expect(helps.contains { $0.hasPrefix(help) }, "\(helps)")
  }

  @Test("Every operator that is advised exists")
  func targets() {
    let known = Set(Operator.table.map(\.spec.name))
    for target in Set(Operator.aliases.values) { #expect(known.contains(target), "\(target)") }
    for name in Operator.aliases.keys { #expect(!known.contains(name), "\(name)") }
    for name in Operator.advice.keys { #expect(!known.contains(name), "\(name)") }
  }

  private func problems(_ json: String) -> [Diagnostic] {
    do {
      _ = try StreamModel(parsing: json).compile()
      return []
    } catch {
      return error.all
    }
  }
}

import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// A test in a file passes only if the stream ends as the test says.
@Suite struct StrictTestTests {
  private func outcomes(_ json: String, _ files: [String: String] = [:]) throws -> [TestOutcome] {
    var options = CompileOptions()
    options.files = ValueFilesInMemory(files)
    return try TestRunner(stream(json), options: options).run()
  }

  /// Streams that publish 1 and then fail, each for a reason of its own; the code of the failure.
  static let failing: [(what: String, members: String, code: String)] = [
    (
      "an expression", #""stream": [{"value": 4}, {"value": 0}], "operators": [{"map": {"expression": "4 / value"}}]"#,
      "S402"
    ),
    (
      "a source",
      #""source": {"record": {"events": [{"at": 0, "value": 1}, {"at": 1, "failure": "error"}]}}"#, "error"
    ),
    (
      "a limit",
      """
      "source": {"sequence": {"values": [1, 2, 3]}},
      "operators": [{"distinct": {"limit": 1}}]
      """, "S409"
    ),
    (
      "a call",
      #""stream": [{"value": 1}], "operators": [{"append": {"with": [{"source": {"call": {"function": "f.g"}}}]}}]"#,
      "down"
    ),
    (
      "an operator",
      #""stream": [{"value": 1}], "operators": [{"append": {"with": [{"source": {"fail": {"error": "no"}}}]}}]"#,
      "no"
    ),
    (
      "a data file", #""source": {"file": {"path": "a.ndjson", "format": "ndjson"}}"#, "S001"
    ),
    (
      "an input", #""inputs": {"a": {}}, "source": {"input": {"name": "a"}}"#, "gone"
    ),
  ]

  private static func file(_ members: String, expect: String) -> String {
    """
    {\(members), "tests": [{"name": "t",
      \(members.contains("inputs") ? #""inputs": {"a": {"values": [1], "failure": "gone"}},"# : "")
      "calls": {"f.g": {"failure": "down"}}, "expect": \(expect)}]}
    """
  }

  @Test("A failing stream fails a test of the form 'values' without a failure", arguments: failing)
  func failure(_ what: String, _ members: String, _ code: String) throws {
    let files = ["a.ndjson": "1\nx\n"]
    let silent = try outcomes(Self.file(members, expect: #"{"values": [1]}"#), files)
    #expect(silent.map(\.hasPassed) == [false], "\(what)")
    #expect(silent[0].differences.contains { $0.contains("expected finished") }, "\(silent[0].differences)")
    for failure in ["true", "\"\(code)\""] {
      let said = try outcomes(Self.file(members, expect: #"{"values": [1], "failure": \#(failure)}"#), files)
      #expect(said.map(\.hasPassed) == [true], "\(what): \(said[0].differences)")
    }
    for ending in [#""failure": "S999""#, #""finished": false"#, #""finished": true"#] {
      let other = try outcomes(Self.file(members, expect: #"{"values": [1], \#(ending)}"#), files)
      #expect(other.map(\.hasPassed) == [false], "\(what), \(ending)")
    }
    let updated = try #require(silent[0].newExpectation)
    let again = try outcomes(Self.file(members, expect: JSONWriter.compact(updated)), files)
    #expect(updated.member("failure") != nil)
    #expect(again.map(\.hasPassed) == [true], "\(again[0].differences)")
  }

  /// Streams that publish 1 and never end.
  static let open = [
    #""stream": [{"value": 1}], "operators": [{"append": {"with": [{"source": {"never": {}}}]}}]"#,
    #""inputs": {"a": {}}, "source": {"input": {"name": "a"}}"#,
    #""source": {"record": {"events": [{"at": 0, "value": 1}]}}"#,
    #""source": {"marbles": {"diagram": "a", "values": {"a": 1}}}"#,
  ]

  @Test("An endless stream fails a test of the form 'values' without 'open'", arguments: open)
  func unfinished(_ members: String) throws {
    func passes(_ expect: String, _ more: String = "") throws -> Bool {
      let inputs = members.contains("inputs") ? #""inputs": {"a": {"events": [{"at": 0, "value": 1}]}},"# : ""
      let outcome = try outcomes(
        #"{\#(members), "tests": [{"name": "t", \#(inputs) \#(more) "expect": \#(expect)}]}"#)[0]
      if !outcome.hasPassed, let updated = outcome.newExpectation {
        #expect(
          try outcomes(
            #"{\#(members), "tests": [{"name": "t", \#(inputs) \#(more) "expect": \#(JSONWriter.compact(updated))}]}"#
          )[0].hasPassed)
      }
      if more.isEmpty, !expect.contains("failure"), !outcome.hasPassed {
        #expect(outcome.differences.last?.contains(#""finished": false"#) == true, "\(outcome.differences)")
      }
      return outcome.hasPassed
    }
    #expect(try !passes(#"{"values": [1]}"#))
    #expect(try !passes(#"{"values": [1], "finished": true}"#))
    #expect(try !passes(#"{"values": [1], "failure": true}"#))
    #expect(try passes(#"{"values": [1], "finished": false}"#))
    #expect(try passes(#"{"values": [1]}"#, #""for": 5,"#))
    #expect(try !passes(#"{"values": [1], "finished": true}"#, #""for": 5,"#))
  }

  @Test("A stream that ends fails a test that expects it to stay open")
  func finished() throws {
    let found = try outcomes(
      #"{"stream": [{"value": 1}], "tests": [{"name": "t", "expect": {"values": [1], "finished": false}}]}"#)
    #expect(found.map(\.hasPassed) == [false])
    #expect(found[0].newExpectation == ["values": [1]])
  }

  @Test("A timer without a count is cut off by 'for', and stopped with a help without it")
  func timer() throws {
    let found = try outcomes(
      """
      {"source": {"timer": {"every": 1}},
       "tests": [{"name": "cut", "for": 2, "expect": {"values": [0, 1]}}, {"name": "endless", "expect": {"values": [0]}}]}
      """)
    #expect(found.map(\.hasPassed) == [true, false])
    #expect(found[1].differences.contains { $0.hasSuffix("add 'for' to the test") })
    #expect(found[1].newExpectation == nil)
  }

  @Test("A failure is expected in the same words in each form")
  func words() throws {
    for failure in ["true", #""S402""#, #"{"code": "S402"}"#] {
      for expect in [#"{"values": [], "failure": \#(failure)}"#, #"{"events": [{"at": 0, "failure": \#(failure)}]}"#] {
        let found = try outcomes(
          #"""
          {"stream": [{"value": 0}], "operators": [{"map": {"expression": "4 / value"}}],
           "tests": [{"name": "t", "expect": \#(expect)}]}
          """#)
        #expect(found[0].differences == [])
      }
    }
  }

  @Test("The ending of values is written beside 'values' alone, and once")
  func misplaced() {
    for (expect, code) in [
      (#"{"marbles": "|", "finished": true}"#, "S116"), (#"{"events": [], "failure": 1}"#, "S116"),
      (#"{"values": [], "failure": 1, "finished": true}"#, "S111"), (#"{"values": [], "finished": 1}"#, "S102"),
    ] {
      let found = #expect(throws: Diagnostics.self) {
        try stream(#"{"stream": [], "tests": [{"name": "t", "expect": \#(expect)}]}"#)
      }
      #expect(found?.all.map(\.code.rawValue) == [code], "\(expect)")
    }
  }

  @Test("A script that replaces a named stream may fail or stay open")
  func replacement() throws {
    let found = try outcomes(
      """
      {"streams": {"s": {"source": {"timer": {"every": 1}}}}, "source": {"stream": {"name": "s"}},
       "tests": [
         {"name": "fails", "inputs": {"s": {"values": [1], "failure": "no"}}, "expect": {"values": [1], "failure": "no"}},
         {"name": "stays", "inputs": {"s": {"values": [1], "finished": false}},
          "expect": {"values": [1], "finished": false}}]}
      """)
    #expect(found.map(\.differences) == [[], []])
  }
}

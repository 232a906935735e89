import StreamCore
import StreamKit
import TestSupport
import Testing

@Suite struct TestRunnerTests {
  private func differences(_ json: String) throws -> [[String]] {
    try TestRunner(stream(json)).run().map(\.differences)
  }

  @Test("`for` ends the run: no timer and no fed value comes after it")
  func ends() throws {
    let found = try differences(
      """
      {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"delay": {"seconds": 0.002}}],
       "tests": [{"name": "cut", "for": 0.003, "inputs": {"a": {"marbles": "ab-c|"}},
                  "expect": {"marbles": "--ab"}}]}
      """)
    #expect(found == [[]])
  }

  @Test("A test may put something in the place of a named stream")
  func replaces() throws {
    let found = try differences(
      """
      {"streams": {"s": {"source": {"timer": {"every": 1}}}}, "source": {"stream": {"name": "s"}},
       "operators": [{"map": {"expression": "value * 2"}}],
       "tests": [{"name": "replaced", "inputs": {"s": {"values": [1, 2]}}, "expect": {"values": [2, 4]}}]}
      """)
    #expect(found == [[]])
  }

  @Test("A difference is reported with its place, the expected and the actual event")
  func tells() throws {
    let found = try differences(
      """
      {"stream": [{"value": 1}, {"value": 2}, {"value": 3}],
       "tests": [{"name": "value", "expect": {"values": [1, 5, 3]}},
                 {"name": "too few", "expect": {"events": [{"at": 0, "value": 1}]}},
                 {"name": "time", "expect": {"marbles": "a", "values": {"a": 1}}},
                 {"name": "failure", "expect": {"events": [{"at": 0, "failure": {"code": "S402"}}]}}]}
      """)
    #expect(
      found == [
        [
          "expected  153|", "     got  123|", "           ^", "the first event is as expected, then:", "expected 5",
          "     got 2", "(expected 4 in all, got 4)",
        ],
        [
          "expected  1", "     got  [123|]", "          ^", "- = 1ms", "the first event is as expected, then:",
          "expected nothing more", "     got at 0: 2",
          "(expected 1 in all, got 4)",
        ],
        [
          "expected  1", "     got  [123|]", "          ^", "- = 1ms", "the first event is as expected, then:",
          "expected nothing more", "     got at 0: 2",
          "(expected 1 in all, got 4)",
        ],
        [
          "expected  #", "     got  [123|]", "          ^", "- = 1ms", "# = {\"code\":\"S402\"}",
          "expected at 0: failure {\"code\":\"S402\"}", "     got at 0: 1", "(expected 1 in all, got 4)",
        ],
      ])
  }

  @Test("A failure is compared by the members that are named; numbers by their value")
  func failures() throws {
    let found = try differences(
      """
      {"stream": [{"value": 1}, {"value": 0}], "operators": [{"map": {"expression": "4 / value"}}],
       "tests": [{"name": "code", "expect": {"events": [{"at": 0, "value": 4.0}, {"at": 0, "failure": {"code": "S402"}}]}}]}
      """)
    #expect(found == [[]])
  }

  @Test("A stream without an end does not keep a test from ending")
  func endless() throws {
    let found = try differences(
      """
      {"source": {"timer": {"every": 1}},
       "tests": [{"name": "three", "for": 3, "expect": {"values": [0, 1, 2]}}, {"name": "wrong", "expect": {"values": [0]}}]}
      """)
    #expect(found[0] == [])
    #expect(!found[1].isEmpty)
  }

  @Test("An unknown name is an error at its place")
  func unknownNames() throws {
    var found: Diagnostics?
    do {
      _ = try differences(
        #"{"inputs": {"ab": {}}, "stream": [], "tests": [{"name": "x", "inputs": {"ac": {"values": []}}, "expect": {"values": []}}]}"#
      )
    } catch let error as Diagnostics {
      found = error
    }
    #expect(found?.all.map { "\($0.code.rawValue) \($0.pointer)" } == ["S116 /tests/0/inputs/ac"])
    #expect(found?.all.first?.help == "did you mean 'ab'?")
  }
}

import StreamCore
import StreamEditing
import StreamKit
import TestSupport
import Testing

/// Expectations that fail are rewritten: then they pass, and nothing else has changed.
@Suite struct ExpectationTests {
  /// The text of a file after the actual values have replaced the expected ones.
  private func updated(_ json: String) throws -> String {
    let stream = try stream(json)
    var edits: [StreamEdit] = []
    for outcome in try TestRunner(stream).run() where !outcome.hasPassed {
      edits += outcome.updatingEdits(in: stream.document) ?? []
    }
    var editor = StreamEditor(stream.document)
    try editor.apply(edits)
    return editor.text
  }

  private func file(_ expect: String, inputs: String = #""a": {"marbles": "-a-b|", "values": {"a": 1, "b": 2}}"#)
    -> String
  {
    #"""
    {"inputs": {"a": {}},   "source": {"input": {"name": "a"}},
     "operators": [{"map": {"expression": "4 / value"}}],
     "tests": [{"name": "t",  "inputs": {\#(inputs)}, "expect": \#(expect)}]}
    """#
  }

  static let expectations: [(String, String)] = [
    (#"{"values": [4, 3]}"#, #"{"values": [4, 2]}"#),
    (#"{"values": [4]}"#, #"{"values": [4, 2]}"#),
    (#"{"values": [4.0, 2, 0, 1]}"#, #"{"values": [4.0, 2]}"#),
    (
      #"{"marbles": "-x-y-|", "values": {"x": 4.0, "y": 2}, "x-a": 1.50}"#,
      #"{"marbles": "-x-y|", "values": {"x": 4.0, "y": 2}, "x-a": 1.50}"#
    ),
    (#"{"marbles": "-x|", "values": {"x": 4}}"#, #"{"marbles": "-x-2|", "values": {"x": 4, "2": 2}}"#),
    (
      #"{"events": [{"at": 0.001, "value": 4e0}, {"at": 0.002, "value": 2}, {"at": 0.004, "finished": true}]}"#,
      #"{"events": [{"at": 0.001, "value": 4e0}, {"at": 0.003, "value": 2}, {"at": 0.004, "finished": true}]}"#
    ),
  ]

  @Test("Only what differs is touched", arguments: expectations)
  func writes(_ wrong: String, _ right: String) throws {
    let text = try updated(file(wrong))
    #expect(text == file(right))
    let outcomes = try TestRunner(stream(text)).run()
    #expect(outcomes.map(\.hasPassed) == [true])
  }

  @Test("An event is inserted as its neighbors are laid out")
  func layout() throws {
    func file(_ events: String) -> String {
      #"""
      { "inputs": { "a": {} }, "source": { "input": { "name": "a" } },
        "tests": [
          { "name": "x", "inputs": { "a": { "values": [1, 2, 3] } },
            "expect": { "events": [\#(events)] } }
        ] }
      """#
    }
    let inLine = try updated(file(#" { "at": 0, "value": 1 }, { "at": 0, "finished": true } "#))
    #expect(
      inLine
        == file(
          #"""
           { "at": 0, "value": 1 }, { "at": 0, "value": 2 },
                  { "at": 0, "value": 3 },
                  { "at": 0, "finished": true }\#u{20}
          """#))
    let empty = try updated(file(""))
    for event in [#"{ "at": 0, "value": 2 }"#, #"{ "at": 0, "finished": true }"#] { #expect(empty.contains(event)) }
  }

  @Test("A failure that no diagram can say becomes an event")
  func failure() throws {
    let text = try updated(file(#"{"marbles": "-a|"}"#, inputs: #""a": {"values": [0]}"#))
    #expect(text.contains(#""failure": {"code": "S402""#))
    #expect(!text.contains(#""expect": {"marbles""#))
    #expect(try TestRunner(stream(text)).run().map(\.hasPassed) == [true])
  }

  @Test("An endless stream is not recorded")
  func endless() throws {
    let stream = try stream(
      #"{"source": {"timer": {"every": 1}}, "tests": [{"name": "t", "expect": {"values": [7]}}]}"#)
    let outcomes = try TestRunner(stream).run()
    #expect(outcomes.map(\.hasPassed) == [false])
    #expect(outcomes.first?.newExpectation == nil)
  }

  @Test("Neither is one that waits for an answer")
  func unanswered() throws {
    let stream = try stream(
      #"{"source": {"call": {"function": "f.g"}}, "tests": [{"name": "t", "expect": {"values": [7]}}]}"#)
    let outcomes = try TestRunner(stream).run()
    #expect(outcomes.first?.newExpectation == nil)
  }
}

import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// `merge` beyond its examples and the laws.
@Suite struct MergeTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test("A value sent during a delivery comes after it, in order for all")
  func reentrancy() throws {
    let json = """
      {"inputs": {"i": {}}, "streams": {
         "B": {"source": {"input": {"name": "i"}}, "operators": [{"map": {"expression": "'B' + string(value)"}}]}},
       "source": {"input": {"name": "i"}},
       "operators": [{"map": {"expression": "'A' + string(value)"}}, {"merge": {"with": ["B"]}}]}
      """
    let execution = Execution(try stream(json).compile())
    execution.request(.unlimited)
    execution.send(1, to: 0, at: .zero)
    var heard: [Value] = []
    while let event = execution.next() {
      if case .value(let value) = event { heard.append(value) }
      if event == .value("A1") { execution.send(2, to: 0, at: .zero) }
    }
    #expect(heard == ["A1", "B1", "A2", "B2"])
  }

  @Test("`merge` holds one value of each stream")
  func demand() throws {
    let texts = try answers(
      #"{\#(source), "operators": [{"merge": {"with": [{"stream": [{"value": "a"}, {"value": "b"}]}]}}]}"#,
      [1, 1, 1, 9])
    #expect(texts.joined().sorted() == ["\"a\"", "\"b\"", "1", "2", "3", "4", "|"])
    #expect(texts.map(\.count) == [1, 1, 1, 4])
  }

  @Test("At most so many streams are merged at once")
  func boundedMerge() throws {
    let texts = try run(
      #"""
      {"source": {"marbles": {"diagram": "-a|"}},
       "operators": [{"merge": {"with": [{"source": {"marbles": {"diagram": "-b|"}}}, {"source": {"marbles": {"diagram": "-c|"}}}], "maxPublishers": 1}}]}
      """#)
    #expect(texts == ["\"a\"@1", "\"b\"@3", "\"c\"@5", "|@6"])
  }
}

import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// `buffer` beyond its examples and the laws.
@Suite struct BufferTests {
  @Test(
    "A full buffer follows its policy",
    arguments: [
      ("dropOldest", [["1"], ["3", "4"]]), ("dropNewest", [["1"], ["2", "3"]]),
      ("fail", [["1"], ["2", "3", "#S409"]]),
    ])
  func whenFull(_ policy: String, _ expected: [[String]]) throws {
    let json = #"""
      {"inputs": {"a": {}}, "source": {"input": {"name": "a"}},
       "operators": [{"buffer": {"capacity": 2, "whenFull": "\#(policy)"}}]}
      """#
    let execution = Execution(try stream(json).compile())
    execution.request(Demand(1))
    for value in 1...4 { execution.send(.int(Int64(value)), to: 0, at: .zero) }
    var texts: [[String]] = []
    for demand in [0, 2] {
      execution.request(Demand(demand))
      var answers: [String] = []
      while let event = execution.next() { answers.append(event.text()) }
      texts.append(answers)
    }
    #expect(texts == expected)
  }

  @Test("A buffer that is kept full asks for no more than it has room for, and its end waits to be asked for")
  func keepFull() throws {
    let json = #"""
      {"source": {"range": {"from": 1, "through": 3}}, "operators": [{"buffer": {"capacity": 2, "prefetch": "keepFull", "whenFull": "fail"}}]}
      """#
    let texts = try answers(json, [0, 1, 2, 1])
    #expect(texts == [[], ["1"], ["2", "3"], ["|"]])
  }
}

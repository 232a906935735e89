import StreamCore
import StreamKit
import StreamRuntime
import Testing

/// Several streams as one: order, demand and bounds.
@Suite struct CombiningTests {
  @Test("Sorted streams of any length merge in bounded memory")
  func mergeOrderedIsBounded() throws {
    let texts = try run(
      #"""
      {"source": {"range": {"from": 0, "through": 199998, "by": 2}},
       "operators": [{"mergeOrdered": {"with": [{"source": {"range": {"from": 1, "through": 199999, "by": 2}}}], "limit": 16}},
                     {"filter": {"expression": "value != index"}}, {"count": {}}]}
      """#)
    #expect(texts == ["0@0", "|@0"])
  }

  @Test("Sorted streams publish as many as are asked for")
  func mergeOrderedDemand() throws {
    let texts = try answers(
      #"{"stream": [{"value": 1}, {"value": 4}], "operators": [{"mergeOrdered": {"with": [{"stream": [{"value": 2}, {"value": 3}]}]}}]}"#,
      [1, 2, 2])
    #expect(texts == [["1"], ["2", "3"], ["4", "|"]])
  }

  @Test(
    "A full buffer does what it is told",
    arguments: [
      ("dropOldest", [["1"], ["3", "4"]]), ("dropNewest", [["1"], ["2", "3"]]),
      ("fail", [["1"], ["2", "3", "#S409"]]),
    ])
  func buffer(_ policy: String, _ expected: [[String]]) throws {
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
      while let event = execution.next() {
        switch event {
        case .value(let value): answers.append(JSONWriter.compact(value))
        case .failure(let failure): answers.append("#\(failure.code)")
        default: break
        }
      }
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

  @Test("Of one instant only the last combination is published, whatever makes it")
  func atomic() throws {
    let json = #"""
      {"streams": {"ticks": {"source": {"timer": {"every": 0.001, "count": 3}}}},
       "source": {"stream": {"name": "ticks"}},
       "operators": [{"combineLatest": {"with": ["ticks"], "atomic": true}}]}
      """#
    let texts = try run(json)
    #expect(texts == ["[0,0]@1", "[1,1]@2", "[2,2]@3", "|@3"])
  }

  @Test("Pairs are published as they are asked for, and none twice")
  func joinDemand() throws {
    let json = #"""
      {"stream": [{"value": 1}, {"value": 2}],
       "operators": [{"join": {"with": [{"stream": [{"value": 10}, {"value": 20}]}], "left": {"source": {"never": {}}},
                               "right": {"source": {"never": {}}}, "expression": "left + right"}}]}
      """#
    let texts = try answers(json, [1, 1, 1, 1, 1])
    #expect(texts.joined().sorted() == ["11", "12", "21", "22", "|"])
    #expect(texts.dropLast(2).allSatisfy { $0.count == 1 })
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

  @Test("The loser of a race is canceled, and asked for nothing more")
  func race() throws {
    let texts = try answers(
      #"{"source": {"range": {"from": 1, "through": 3}}, "operators": [{"race": {"with": [{"source": {"range": {"from": 11, "through": 13}}}]}}]}"#,
      [1, 9])
    #expect(texts == [["1"], ["2", "3", "|"]])
  }
}

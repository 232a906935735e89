import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Testing

/// Groups whose operators wait for timers, as rows of one program, beside such groups as stages.
@Suite struct KeyedTimerTests {
  private static let before = [
    "", "", #"{"map": {"expression": "value + 1"}}"#, #"{"filter": {"expression": "value % 3 != 0"}}"#,
    #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#, #"{"drop": {"count": 2}}"#,
    #"{"removeDuplicates": {}}"#, #"{"map": {"expression": "10 / (value % 7)"}, "onError": "skip"}"#,
    #"{"map": {"expression": "value % 3 == 0 ? dyn(string(value)) : dyn(value)"}}"#,
    #"{"filter": {"expression": "value > 9"}}, {"enumerated": {}}, {"map": {"expression": "value.index + value.value"}}"#,
    #"{"map": {"expression": "100 / (value % 50)"}}"#, #"{"prefix": {"count": 3}}"#,
    #"{"validate": {"expression": "value % 59 != 0"}}"#,
  ]
  private static let timed = [
    #"{"debounce": {"seconds": 0.002}}"#, #"{"debounce": {"seconds": 0.002, "onFinish": "flush"}}"#,
    #"{"debounce": {"seconds": 0.007, "onFinish": "flush"}}"#,
    #"{"timeout": {"seconds": 0.004}}"#, #"{"timeout": {"seconds": 0.004, "first": 0.002}}"#,
    #"{"timeout": {"first": 0.003}}"#, #"{"timeout": {"seconds": 0.02, "error": "late"}}"#,
    #"{"timeout": {"seconds": 0.003, "with": {"source": {"just": {"expression": "[key, 'late']"}}}}}"#,
    #"{"timeout": {"seconds": 0.003, "with": {"source": {"just": {"value": -1}}}}}"#,
    #"{"timeout": {"seconds": 0.003, "with": {"source": {"just": {"expression": "10 / (key == 2 ? 0 : 1)"}}}}}"#,
    #"{"timeout": {"seconds": 0.004, "limit": 2}}"#, #"{"timeout": {"seconds": 0.004, "limit": 1}}"#,
  ]
  private static let behind = [
    "", "", #"{"map": {"expression": "[key, value]"}}"#, #"{"scan": {"expression": "value"}}, {"enumerated": {}}"#,
    #"{"scan": {"initialValue": 0, "expression": "acc + 1"}}"#, #"{"prefix": {"count": 2}}"#,
    #"{"count": {}}"#, #"{"last": {}}"#, #"{"first": {}}, {"map": {"expression": "[key, value]"}}"#,
    #"{"map": {"expression": "10 / (value % 4)"}, "onError": "skip"}"#, #"{"prefix": {"count": 2}}, {"count": {}}"#,
    #"{"map": {"expression": "100 / (value % 40)"}}"#, #"{"removeDuplicates": {}}"#,
    #"{"filter": {"expression": "value != 7"}}, {"count": {}}, {"map": {"expression": "10 / (value % 3)"}}"#,
    #"{"validate": {"expression": "value % 7 != 0"}, "onError": "skip"}, {"drop": {"count": 1}}"#,
  ]

  private static func model(_ generator: inout SeededGenerator) -> String {
    let inner = [generator.pick(before), generator.pick(timed), generator.pick(behind)]
      .filter { !$0.isEmpty }.joined(separator: ", ")
    let type = generator.happens(oneIn: 2) ? #"{"type": "int"}"# : "{}"
    let key = generator.pick(["value % 7", "string(value % 5)", "[value % 3]", "index % 4", "value % 2"])
    let limit = generator.happens(oneIn: 6) ? #", "limit": 3"# : ""
    let skips = generator.happens(oneIn: 3) ? #", "onError": "skip""# : ""
    let outer = generator.pick([
      "", "", #", {"map": {"expression": "[value]"}}"#, #", {"prefix": {"count": 20}}"#, #", {"print": {}}"#,
      #", {"debounce": {"seconds": 0.003}}"#, #", {"timeout": {"seconds": 0.5}}, {"enumerated": {}}"#,
      #", {"delay": {"seconds": 0.001}}"#,
    ])
    return """
      {"inputs": {"a": \(type)}, "source": {"input": {"name": "a"}}, "operators": [
        {"groupBy": {"key": "\(key)", "operators": [\(inner)]\(limit)}\(skips)}\(outer)]}
      """
  }

  @Test("Rows with timers say the same as stages, saved and restored anywhere", arguments: 0..<20)
  func saysTheSame(_ block: UInt64) throws {
    try FormComparison.checkStreams(PropertyCount.cases(byDefault: 20), seed: block, Self.model)
  }

  @Test(
    "An operator with a timer is part of the program",
    arguments: [
      #"{"debounce": {"seconds": 1}}"#, #"{"map": {"expression": "value"}}, {"debounce": {"seconds": 1}}"#,
      #"{"timeout": {"seconds": 1}}, {"map": {"expression": "value"}}, {"count": {}}"#,
      #"{"timeout": {"seconds": 1, "with": {"source": {"just": {"expression": "key"}}}}}"#,
    ])
  func isPartOfTheProgram(_ operators: String) throws {
    let text =
      #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"groupBy": {"key": "value", "operators": [\#(operators)]}}]}"#
    #expect(try StreamModel(parsing: text).compile().keepsRows)
  }
}

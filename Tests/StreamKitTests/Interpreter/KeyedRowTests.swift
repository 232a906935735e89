import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Testing

/// Groups as rows of one program, beside groups as stages of their own.
@Suite struct KeyedRowTests {
  private static let inner = [
    #"{"scan": {"initialValue": 0, "expression": "acc + value"}}, {"map": {"expression": "[key, value]"}}"#,
    #"{"scan": {"expression": "acc + value"}}, {"map": {"expression": "{'user': key, 'total': value, 'index': index}"}}"#,
    #"{"count": {}}"#, #"{"count": {}}, {"map": {"expression": "[key, value]"}}"#,
    #"{"reduce": {"initialValue": 0, "expression": "acc + value"}}, {"map": {"expression": "{'user': key, 'total': value}"}}, {"scan": {"initialValue": [], "expression": "acc + [value]"}}"#,
    #"{"first": {}}, {"map": {"expression": "[key, value]"}}"#,
    #"{"sum": {}}, {"filter": {"expression": "value % 2 == 0"}}, {"count": {}}, {"enumerated": {}}"#,
    #"{"last": {}}, {"map": {"expression": "10 / (value % 3)"}, "onError": "skip"}"#,
    #"{"reduce": {"initialValue": 0, "expression": "acc + value"}}"#, #"{"first": {}}"#,
    #"{"prefix": {"count": 2}}, {"map": {"expression": "value"}}"#, #"{"last": {}}"#, #"{"max": {}}"#,
    #"{"removeDuplicates": {}}"#,
    #"{"drop": {"count": 1}}, {"withPrevious": {"expression": "[key, previous, value]"}}"#,
    #"{"map": {"expression": "value % 3 == 0 ? string(value) : value"}}, {"scan": {"expression": "value"}}"#,
    #"{"map": {"expression": "10 / (value % 4)"}, "onError": "skip"}, {"enumerated": {}}"#,
    #"{"map": {"expression": "10 / (value % 40)"}}"#, #"{"prefixWhile": {"expression": "value < 50"}}"#,
    #"{"filter": {"expression": "value % 2 == 0"}}, {"map": {"expression": "index"}}"#,
    #"{"map": {"expression": "value + offset"}}"#, #"{"prefix": {"count": 2}}, {"sum": {}}"#,
    #"{"prefix": {"count": 2}}, {"map": {"expression": "10 / (value % 3)"}, "onError": "skip"}, {"sum": {}}"#,
    #"{"prefixWhile": {"expression": "value < 40"}}, {"count": {}}, {"map": {"expression": "[key, value]"}}"#,
    #"{"prefixWhile": {"expression": "value < 40"}}, {"last": {}}, {"map": {"expression": "1 / (value % 2)"}}"#,
    #"{"scan": {"initialValue": 9223372036854775000, "expression": "acc + value"}}"#,
  ]
  private static let keys = [
    "value % 7", "string(value % 5)", "value % 2 == 0", "value % 3 == 0 ? dyn('x') : dyn(value % 4)",
    "double(value % 6) / 2.0", "[value % 3]", "index % 4", "10 / (value % 11)",
  ]

  private static func model(_ generator: inout SeededGenerator) -> String {
    let inner = generator.pick(inner)
    let skips = generator.happens(oneIn: 3) ? #", "onError": "skip""# : ""
    let limit = generator.happens(oneIn: 6) ? #", "limit": 3"# : ""
    let type = generator.happens(oneIn: 2) ? #"{"type": "int"}"# : "{}"
    let idle = generator.happens(oneIn: 2) ? #", "idle": 0.004"# : ""
    let grouping =
      #"{"groupBy": {"key": "\#(generator.pick(keys))", "operators": [\#(inner.replacing("offset", with: "1"))]\#(limit)\#(idle)}\#(skips)}"#
    let before = generator.pick([
      "", #"{"map": {"expression": "value * 3"}}, "#, #"{"filter": {"expression": "value != 5"}}, "#,
    ])
    let behind = generator.pick(["", #", {"map": {"expression": "[value]"}}"#, #", {"prefix": {"count": 20}}"#])
    return
      #"{"inputs": {"a": \#(type)}, "source": {"input": {"name": "a"}}, "operators": [\#(before)\#(grouping)\#(behind)]}"#
  }

  @Test("Groups as rows say the same as groups as stages, saved and restored anywhere", arguments: 0..<20)
  func saysTheSame(_ block: UInt64) throws {
    try FormComparison.checkStreams(PropertyCount.cases(byDefault: 15), seed: block, Self.model)
  }
}

import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// A stream takes runs of many values at once, without a visible difference.
@Suite struct LongRunTests {
  /// Operators over numbers. Some of them fail, or end the stream, for one value among many.
  private static let operators: [Value] = [
    ["map": ["expression": "value + 1"]], ["map": ["expression": "value * 3"]], ["map": ["expression": "-value"]],
    ["map": ["expression": "value / 7"]], ["map": ["expression": "value % 10"]],
    ["map": ["expression": "value > 40 ? value : 1"]], ["map": ["expression": "double(value) * 0.25"]],
    ["map": ["expression": "value * 4611686018427387"]], ["map": ["expression": "100 / (value - 1500)"]],
    ["filter": ["expression": "value % 2 == 0"]], ["filter": ["expression": "value % 3 != 1"]],
    ["filter": ["expression": "value > 10"]], ["filter": ["expression": "value < 1700 || value > 1800"]],
    ["filter": ["expression": "value % 5 != 0 && value % 7 != 0"]],
    ["scan": ["initialValue": 0, "expression": "acc + value"]],
    ["scan": ["initialValue": 0.5, "expression": "acc + value"]],
    ["scan": ["initialValue": 1, "expression": "acc > value ? acc : value"]],
    ["map": ["expression": "value"]], ["map": ["expression": "value % 2 == 0 ? value : value"]],
    ["map": ["expression": "(value % 17 > 2 ? 7 : 3) + value"]], ["map": ["expression": "value % 3 > 0 ? 12 : 35"]],
    ["map": ["expression": "value > 90 ? (value % 4 == 1 ? value : 8) : (value > 9 ? 8 : value)"]],
    ["map": ["expression": "value % 2 > 0 ? (value % 3 > 0 ? value : value) : value"]],
    ["removeDuplicates": .map(ValueMap())], ["drop": ["count": 100]], ["prefix": ["count": 1_200]],
    ["prefixWhile": ["expression": "value < 1900"]], ["enumerated": .map(ValueMap())],
  ]

  private static let summaries: [Value] = [
    ["last": .map(ValueMap())], ["count": .map(ValueMap())], ["max": .map(ValueMap())], ["min": .map(ValueMap())],
    ["sum": .map(ValueMap())], ["reduce": ["initialValue": 0, "expression": "acc + value"]],
    ["first": ["expression": "value == 1999"]], ["contains": ["expression": "value == 900"]],
    ["allSatisfy": ["expression": "value != 1400"]],
  ]

  private static let sources: [Value] = [
    ["range": ["from": 1, "through": 2_500]], ["range": ["from": 5_000, "through": 1, "by": -3]],
    ["sequence": ["values": .list((0..<2_400).map { .int($0 * 7 % 2_003) })]],
    ["sequence": ["values": .list((0..<2_400).map { .double(Double($0 * 7 % 2_003) / 4) })]],
    ["sequence": ["values": .list((0..<2_400).map { $0 == 1_350 ? 0.5 : .int($0) })]],
    ["sequence": ["values": .list((0..<2_400).map { $0 == 2_100 ? "text" : .int($0) })]],
  ]

  /// The events, and the snapshots between them.
  private func run(_ model: StreamModel, fuses: Bool) throws -> [String] {
    var options = CompileOptions()
    options.fuses = fuses
    let execution = Execution(try model.compile(options))
    execution.request(.unlimited)
    var told: [String] = []
    while let event = execution.next() {
      told.append(event.text(.all))
      if told.count % 50 == 1, try execution.snapshot().isAtRest { told.append(try execution.snapshot().text()) }
    }
    return told
  }

  /// An operator that computes with many values at once before it fails for one of them.
  private static let failing: Value = ["map": ["expression": "1000 / ((value * 3 + 7) * 2 - 9014)"]]

  /// Both arms of a choice leave the number in the register that an operator before it has written.
  @Test(
    "A choice with equal arms passes its input",
    arguments: [
      ("(value % 17 > 2 ? 7 : 3) + value", "value % 2 == 0 ? value : value", "value % 5 < 3", 300),
      ("(value > 50 ? 2 : 1) * 100", "value > 150 ? value : value", "value > 50", 500),
      ("(value != 7 ? 10 : 5) * 2", "value != 9 ? value : value", "value == 10", 1),
    ] as [(String, String, String, Int64)])
  func equalArms(_ first: String, _ choice: String, _ condition: String, _ count: Int64) throws {
    let model = try StreamModel(json: [
      "source": ["range": ["from": 0, "through": 499]],
      "operators": [
        ["map": ["expression": .string(first)]], ["map": ["expression": .string(choice)]],
        ["filter": ["expression": .string(condition)]], ["count": .map(ValueMap())],
      ],
    ])
    let told = try run(model, fuses: true)
    let expected = ["\(count)", "|"]
    #expect(told == expected, "\(told)")
  }

  /// The expression fails in typed code, and is computed again from the state of `scan` before the value.
  @Test("A failing value that an operator keeps is reported among many", arguments: ["fail", "skip"])
  func failsAfterScan(_ policy: String) throws {
    // The 55th sum is 1540.
    let division = "1000 / ((value * 3 + 7) * 2 - 9254)"
    let model = try StreamModel(json: [
      "source": ["range": ["from": 1, "through": 200]],
      "operators": [
        ["scan": ["initialValue": 0, "expression": "acc + value"]],
        ["map": ["expression": .string(division)], "onError": .string(policy)], ["count": .map(ValueMap())],
      ],
    ])
    let (actual, expected) = (try run(model, fuses: true), try run(model, fuses: false))
    #expect(actual == expected)
    #expect(actual.contains { $0.contains("1000 cannot be divided by zero") }, "\(actual)")
    #expect(actual.contains("199") == (policy == "skip"), "\(actual)")
  }

  /// The first and the last operator share a counter; the operator between them, which skips values, has its own.
  @Test(
    "A value that an operator skips by its index is not counted behind it",
    arguments: [
      (["validate": ["expression": "index < 50"], "onError": "skip"], 50),
      (["map": ["expression": "100 / (index - 50)"], "onError": "skip"], 99),
    ] as [(Value, Int64)])
  func skippedByIndex(_ skipping: Value, _ count: Int64) throws {
    let model = try StreamModel(json: [
      "source": ["range": ["from": 1, "through": 100]],
      "operators": [["map": ["expression": "2.0"]], skipping, ["count": .map(ValueMap())]],
    ])
    let (actual, expected) = (try run(model, fuses: true), try run(model, fuses: false))
    #expect(actual == expected)
    #expect(actual.contains("\(count)"), "\(actual)")
  }

  @Test("A failing value is reported among many", arguments: sources.dropLast())
  func failures(_ source: Value) throws {
    for summary in Self.summaries + [["map": ["expression": "value"]]] {
      let model = try StreamModel(json: ["source": source, "operators": [Self.failing, summary]])
      let (actual, expected) = (try run(model, fuses: true), try run(model, fuses: false))
      #expect(actual == expected, "\(summary)")
    }
  }

  @Test("A stream over many values says the same as operator by operator", arguments: 0..<8)
  func saysTheSame(_ block: Int) throws {
    var random = SeededGenerator(seed: UInt64(block) + 90)
    var compared = 0
    for number in 0..<10 {
      var placed = (0..<(1 + random.below(5))).map { _ in Self.operators[random.below(Self.operators.count)] }
      if number % 5 > 0 { placed.append(Self.summaries[random.below(Self.summaries.count)]) }
      if random.below(2) == 0 {
        placed = placed.map { value in
          guard case .map(let map) = value else { return value }
          return .map(ValueMap(map.pairs.map { ($0, $1) } + [("onError", "skip")]))
        }
      }
      let source = Self.sources[random.below(Self.sources.count)]
      guard let model = try? StreamModel(json: ["source": source, "operators": .list(placed)]),
        let expected = try? run(model, fuses: false)
      else { continue }
      let actual = try run(model, fuses: true)
      #expect(actual == expected, "\(placed) over \(source)")
      compared += 1
    }
    #expect(compared > 2)
  }
}

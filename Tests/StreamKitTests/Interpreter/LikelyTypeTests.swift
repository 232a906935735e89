import StreamCore
import StreamKit
import StreamTesting
import Testing

@_spi(Engine) @testable import StreamEngine

/// Inputs without a declared type, whose values have one type for a while, then another.
@Suite struct LikelyTypeTests {
  /// Long enough that a segment looks for another program again and again.
  private static let phases: [[Value]] = [
    (0..<40).map { .int($0) }, (0..<40).map { .double(Double($0) / 4) }, [.null, 7, .null, .null, 8, 2.5],
    (0..<40).map { $0 % 2 == 0 ? .int($0) : .double(0.5) }, (0..<20).map { .uint(UInt64($0)) }, [true, "text", [1], 3],
  ]

  private static let records: [[Value]] = [
    (0..<30).map { ["a": .int($0), "b": .double(Double($0) / 2)] },
    (0..<30).map { ["b": .int($0), "a": .double(Double($0) / 2)] }, [["a": .null, "b": 1], ["a": 3], 4, .null],
    (0..<30).map { ["a": .int($0), "b": .int($0), "c": "text"] },
  ]

  private func problem(_ operators: Value, _ phases: [[Value]]) throws -> String? {
    guard case .list(let placed) = operators else { return nil }
    // A value that an operator fails for is left out, so that the stream continues.
    let skipping = placed.map { placed -> Value in
      guard case .map(let fields) = placed else { return placed }
      return .map(ValueMap(fields.pairs.map { ($0, $1) } + [("onError", "skip")]))
    }
    let model: Value = [
      "inputs": ["a": .map(ValueMap())], "source": ["input": ["name": "a"]], "operators": .list(skipping),
    ]
    var time: Int64 = 0
    var events: [History.Event] = []
    for value in phases.joined() {
      time += 1_000_000
      events.append(History.Event(StreamTime(nanoseconds: time), .value(value)))
    }
    events.append(History.Event(StreamTime(nanoseconds: time), .finished))
    return try FusionLaw(StreamModel(json: model), CompileOptions(), [History(events)]).problem()
  }

  private static let overNumbers: [Value] = [
    [["scan": ["initialValue": 0, "expression": "acc + value"]]],
    [["scan": ["expression": "acc + value"]], ["removeDuplicates": .map(ValueMap())]],
    [["map": ["expression": "value * 2"]], ["filter": ["expression": "value > 3"]], ["last": .map(ValueMap())]],
    [["filter": ["expression": "value == 12"]], ["scan": ["initialValue": 0, "expression": "acc + value"]]],
    [["replaceNil": ["with": 1]], ["removeDuplicates": .map(ValueMap())], ["count": .map(ValueMap())]],
    [
      ["withPrevious": ["initialValue": 0, "expression": "value - previous"]],
      ["reduce": ["expression": "acc + value"]],
    ],
    [["scan": ["initialValue": .null, "expression": "acc == null ? value : value"]]],
    [["sum": .map(ValueMap())]], [["sum": ["expression": "value * 2"]]], [["average": .map(ValueMap())]],
    [["filter": ["expression": "value != 0"]], ["average": ["expression": "index"]]],
    [["min": .map(ValueMap())]], [["max": .map(ValueMap())]],
    [["map": ["expression": "-value"]], ["min": ["by": "value"]]],
    [["max": ["by": "value % 7"]]],
  ]

  private static func scan(_ initial: Value, _ expression: Value) -> Value {
    ["scan": ["initialValue": initial, "expression": expression]]
  }

  /// Operators whose state is a record, with fields whose types change.
  private static let withRecords: [Value] = [
    [
      scan(["count": 0, "sum": 0], "{'count': acc.count + 1, 'sum': acc.sum + value}"),
      ["map": ["expression": "{'mean': value.sum / value.count, 'more': value.sum > value.count}"]],
    ],
    [
      scan(["last": .null, "n": 0], "{'last': acc.last == null ? value : null, 'n': acc.n + 1}"),
      ["map": ["expression": "[value.n, value.last, value.last == value.n]"]],
    ],
    [scan(["last": 0, "n": 0], "{'last': acc.last == null ? value : null, 'n': acc.n + (acc.last == null ? 1 : 2)}")],
    [
      scan(["a": ["b": 0], "s": "x"], "{'a': {'b': acc.a.b + value}, 's': acc.s + 'y'}"),
      ["map": ["expression": "value.a.b * 2"]],
    ],
    [scan(["n": 0.0, "list": []], "{'n': acc.n + 0.5 * value, 'list': [value]}")],
    [scan(["n": 0, "m": 1], "acc.n > 3 ? {'m': acc.n, 'n': 0} : {'n': acc.n + 1, 'm': value}")],
    [scan(["n": 0], "{'n': value}"), scan(["n": 0], "{'n': acc.n - value.n}"), ["last": .map(ValueMap())]],
    [["scan": ["expression": "{'n': value}"]], ["map": ["expression": "value"]]],
    [["map": ["expression": "{'n': value}"]], ["scan": ["expression": "{'n': acc.n + value.n}"]]],
    [["map": ["expression": "{'n': value}"]], ["reduce": ["expression": "{'n': acc.n * value.n}"]]],
    [
      ["map": ["expression": "{'n': value}"]],
      ["withPrevious": ["initialValue": ["n": 0], "expression": "value.n + previous.n"]],
    ],
    [
      [
        "groupBy": [
          "key": "value == 12 ? 1 : 0",
          "operators": [scan(["count": 0, "sum": 0.5], "{'count': acc.count + 1, 'sum': acc.sum + value}")],
        ]
      ]
    ],
  ]

  @Test("Predicted types never change the output for records in states", arguments: withRecords.indices)
  func states(_ number: Int) throws {
    for first in PropertyCount.isLong ? [0, 3] : [number % 2 == 0 ? 0 : 3] {
      let phases = Array(Self.phases[first...] + Self.phases[..<first])
      #expect(try problem(Self.withRecords[number], phases) == nil, "from phase \(first)")
    }
  }

  /// Otherwise each second value would cost a run that is rolled back.
  @Test("A field that changes its type with every value is no longer predicted")
  func fieldChangesType() throws {
    // The type of the result is not known when the program is built.
    let expression: Value =
      "value < 0 ? value : acc.last + 1 > 0 && acc.n % 2 == 0 ? [{'last': 1, 'n': acc.n + 1}][0] : [{'last': 1.5, 'n': acc.n + 1}][0]"
    let model: Value = [
      "inputs": ["a": .map(ValueMap())], "source": ["input": ["name": "a"]],
      "operators": [Self.scan(["last": 0, "n": 0], expression)],
    ]
    let execution = Execution(try StreamModel(json: model).compile())
    execution.request(.unlimited)
    var leaves: [Int] = []
    for number in 0..<1_000 {
      execution.send(.int(Int64(number)), to: 0, at: .zero)
      while execution.next() != nil {}
      leaves.append((execution.root as? SegmentStage)?.run.leaveCount ?? -1)
    }
    #expect(leaves.last == leaves[100], "\(leaves[100]) runs have left the program after 100 values")
    #expect((1..<20).contains(leaves[100]))
  }

  @Test("Predicted types never change the output for numbers", arguments: overNumbers)
  func numbers(_ operators: Value) throws {
    for first in stride(from: 0, to: Self.phases.count, by: PropertyCount.isLong ? 2 : 3) {
      let phases = Array(Self.phases[first...] + Self.phases[..<first])
      #expect(try problem(operators, phases) == nil, "from phase \(first)")
    }
  }

  private static let overRecords: [Value] = [
    [["map": ["expression": "value.a + value.b"]], ["scan": ["initialValue": 0, "expression": "acc + value"]]],
    [["filter": ["expression": "value.b > 3"]], ["map": ["expression": "{'a': value.a, 'twice': value.b * 2}"]]],
    [["map": ["expression": "value.b > 2.0 ? 1 : value.b < 1.0 ? -1 : 0"]], ["removeDuplicates": .map(ValueMap())]],
    [["removeDuplicates": ["key": "value.a"]], ["enumerated": .map(ValueMap())], ["last": .map(ValueMap())]],
  ]

  @Test("Predicted types never change the output for records", arguments: overRecords)
  func records(_ operators: Value) throws {
    for first in Self.records.indices {
      let phases = Array(Self.records[first...] + Self.records[..<first])
      #expect(try problem(operators, phases) == nil, "from phase \(first)")
    }
  }
}

import CEL
import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// A model that Swift code has made or changed is checked as strictly as a file.
@Suite struct ModelCheckTests {
  @Test("A field that Swift code sets is refused where a file with it is; most can be set, and many are refused")
  func illegalFields() throws {
    let counts = try ExampleStream.all.map(Self.check)
    #expect(counts.reduce(0) { $0 + $1.compared } > 1_000)
    #expect(counts.reduce(0) { $0 + $1.refused } > 500)
  }

  private static let specs = Dictionary(
    uniqueKeysWithValues: (Source.table.map(\.spec) + Operator.table.map(\.spec)).map { ($0.name, $0) })

  private static func check(_ stream: ExampleStream) throws -> (compared: Int, refused: Int) {
    var counts = (compared: 0, refused: 0)
    guard case .map(let object) = try stream.fields(), case .map(let fields)? = object[stream.name] else {
      return counts
    }
    let spec = try #require(specs[stream.name])
    for changed in [fields] + spec.fields.flatMap({ Self.changes(of: $0, in: fields) }) {
      // Only what Swift's types can hold as it is written: no null, no unknown member.
      guard let model = try Self.model(of: stream, with: .map(changed)),
        Self.withoutFractions(model.json[stream.place.appending(stream.name)] ?? .null)
          == Self.withoutFractions(.map(changed))
      else { continue }
      let file = try stream.stream([.string(stream.name): .map(changed)])
      let expected = Self.problems { () throws(Diagnostics) in try StreamModel(json: file).compile(stream.options) }
      let actual = Self.problems { () throws(Diagnostics) in try model.compile(stream.options) }
      #expect(actual == expected, "\(JSONWriter.compact(file))")
      counts.compared += 1
      if !actual.isEmpty { counts.refused += 1 }
    }
    return counts
  }

  private static func withoutFractions(_ value: Value) -> Value {
    switch value {
    case .double(let number): Int64(exactly: number).map(Value.int) ?? value
    case .list(let items): .list(items.map(withoutFractions))
    case .map(let map): .map(ValueMap(map.pairs.map { ($0, withoutFractions($1)) }))
    default: value
    }
  }

  /// The fields with this one left out, and with values that are of its type but may not be legal.
  private static func changes(of field: FieldSpec, in fields: ValueMap) -> [ValueMap] {
    let candidates: [Value] =
      switch field.kind {
      case .seconds(let range), .number(let range):
        [range.lowerBound - 1, range.upperBound + 1, 0, -1, -0.5, 1, .nan, .infinity, -.infinity].map(Value.double)
      case .count(let range):
        [range.lowerBound &- 1, range.upperBound &+ 1, 0, -1, 1, 2, .min, .max].map { .int(Int64($0)) }
      case .expression: ["", "1 +", "nope", "value"]
      case .string: ["", " ", "nope"]
      case .bool: [true, false]
      case .choice(let words): words.map(Value.string)
      case .streams: [[], ["nope"], ["a"], ["a", "b"]]
      case .stream, .boolOrStream: ["nope", "a"]
      case .operators: [[], [["drop": ["count": -1]]]]
      case .names: [[], [""], ["a"]]
      case .type: ["nope", [], "int"]
      case .events:
        [
          [], [["at": 2, "value": 1], ["at": 1, "value": 1]], [["at": 0, "finished": true], ["at": 1, "value": 2]],
        ]
      case .value: [.double(.nan), 1]
      case .list: [[], [1]]
      case .object: [ValueMap()].map(Value.map)
      }
    let others = fields.pairs.filter { $0.0 != .string(field.name) }.map { ($0, $1) }
    return [ValueMap(others)] + candidates.map { ValueMap(others + [(.string(field.name), $0)]) }
  }

  /// Values that no file has, and one of many levels.
  private static let odd: [Value] = [
    .double(.nan), .double(.infinity), .double(-.infinity), .double(-0.0), .uint(.max), .int(.min), .null,
    .bytes([0, 255]),
    .timestamp(Timestamp(seconds: -1, nanoseconds: 5)), .duration(.milliseconds(-5)),
    .map(ValueMap([(.int(1), 1), (.bool(true), 2), (.uint(1), 3)])), ["$uint": "5"],
    (0..<200).reduce(Value.null) { value, _ in [value] },
  ]

  @Test("A model is written as JSON, whatever Swift code sets in a field")
  func writing() throws {
    var written: [String: Int] = [:]
    for stream in ExampleStream.all {
      guard case .map(let object) = try stream.fields(), case .map(let fields)? = object[stream.name] else { continue }
      let spec = try #require(Self.specs[stream.name])
      let changed = spec.fields.flatMap { field in
        let others = fields.pairs.filter { $0.0 != .string(field.name) }.map { ($0, $1) }
        return Self.odd.flatMap { odd -> [Value] in [odd, [odd], ["value": odd], [["at": 0, "value": odd]]] }
          .map { ValueMap(others + [(.string(field.name), $0)]) }
      }
      for fields in changed {
        // Coding them must not fail: `FieldsDefinition.json` has no error to throw.
        guard let model = try Self.model(of: stream, with: .map(fields)) else { continue }
        guard case .map? = model.json[stream.place.appending(stream.name)] else {
          Issue.record("\(stream.name) is not written")
          continue
        }
        written[stream.name, default: 0] += 1
      }
    }
    #expect(written["just", default: 0] >= 4 * Self.odd.count)
    #expect(written["delay", default: 0] >= 3)
  }

  private static let base = Result {
    try StreamModel(json: [
      "inputs": ["a": [:], "b": [:], "c": [:], "d": [:]], "source": ["input": ["name": "a"]],
    ])
  }

  /// The example's model with these fields, which nothing has checked; nil where Swift's types do not allow them.
  private static func model(of stream: ExampleStream, with fields: Value) throws -> StreamModel? {
    let names: Members = [
      "a": InputDeclaration(), "b": InputDeclaration(), "c": InputDeclaration(), "d": InputDeclaration(),
    ]
    if stream.isSource {
      let entry = try #require(Source.table.first { $0.spec.name == stream.name })
      return (try? entry.decode(fields)).map { StreamModel(inputs: names, source: $0) }
    }
    let entry = try #require(Operator.table.first { $0.spec.name == stream.name })
    guard let made = try? entry.decode(fields) else { return nil }
    var model = try Self.base.get()
    model.operators = [PlacedOperator(made)]
    return model
  }

  private static func problems(_ work: () throws(Diagnostics) -> Pipeline) -> Set<String> {
    do throws(Diagnostics) {
      _ = try work()
      return []
    } catch {
      return Set(error.all.map { "\($0.code.rawValue) at \($0.pointer): \($0.message)" })
    }
  }

  // MARK: Case by case

  private static let text = """
    {"inputs": {"a": {"type": "int"}}, "streams": {"s": {"stream": [{"value": 1, "operators": [{"delay": {"seconds": 1}}]}]}},
     "source": {"input": {"name": "a"}},
     "operators": [{"rateLimit": {"count": 1, "seconds": 1}}, {"collect": {"count": 2, "startEvery": 1}},
       {"sample": {"seconds": 1}}, {"flatMap": {"stream": {"source": {"range": {"from": 1, "through": 2}}}}}],
     "tests": [{"name": "t", "expect": {"values": []}}]}
    """

  private func refusal(_ change: (inout StreamModel) throws -> Void) throws -> String {
    var model = try StreamModel(parsing: Self.text)
    _ = try model.compile()
    try change(&model)
    let error = #expect(throws: Diagnostics.self) { try model.compile() }
    #expect(throws: Diagnostics.self) { try model.outputType() }
    return error?.all.map { "\($0.code.rawValue) \($0.pointer)" }.joined(separator: ", ") ?? ""
  }

  @Test("Fields that were changed are checked, at whatever depth")
  func changedFields() throws {
    #expect(
      try refusal { model in
        guard case .rateLimit(var fields) = model.operators[0].operator else { return }
        fields.count = 0
        model.operators[0].operator = .rateLimit(fields)
      } == "S104 /operators/0/rateLimit/count")
    #expect(
      try refusal { model in
        guard case .collect(var fields) = model.operators[1].operator else { return }
        fields.startEvery = 0
        model.operators[1].operator = .collect(fields)
      } == "S104 /operators/1/collect/startEvery")
    #expect(
      try refusal { model in
        guard case .sample(var fields) = model.operators[2].operator else { return }
        fields.seconds = 0
        model.operators[2].operator = .sample(fields)
      } == "S104 /operators/2/sample/seconds")
    #expect(
      try refusal { model in
        guard case .flatMap(var fields) = model.operators[3].operator, case .model(var inner) = fields.stream.reference
        else { return }
        inner.format = 2
        fields.stream.reference = .model(inner)
        model.operators[3].operator = .flatMap(fields)
      } == "S113 /operators/3/flatMap/stream/format")
    #expect(
      try refusal { model in
        guard case .items(var items) = model.streams["s"]?.source,
          case .delay(var fields) = items[0].operators[0].operator
        else { return }
        fields.seconds = -1
        items[0].operators[0].operator = .delay(fields)
        model.streams["s"]?.source = .items(items)
      } == "S104 /streams/s/stream/0/operators/0/delay/seconds")
  }

  @Test("Every other change is checked")
  func changedModels() throws {
    #expect(try refusal { $0.inputs["a"]?.type = "itn" } == "S119 /inputs/a/type")
    #expect(try refusal { $0.inputs["a"]?.initialValue = "one" } == "S102 /inputs/a/initialValue")
    #expect(try refusal { $0.streams["a"] = $0.streams["s"] } == "S118 /streams/a")
    #expect(try refusal { $0.format = 2 } == "S113 /format")
    #expect(try refusal { $0.id = "mine" } == "S112 /id")
    #expect(try refusal { $0.extensions = ValueMap([("note", 1)]) } == "S101 /note")
    #expect(try refusal { $0.tests.append($0.tests[0]) } == "S118 /tests/1/name")
    #expect(
      try refusal { model in
        model.operators[0].id = "x"
        model.operators[1].id = "x"
      } == "S118 /operators/1/id")
  }

  @Test("A model that was changed and changed back compiles")
  func changedBack() throws {
    let model = try StreamModel(parsing: Self.text)
    var other = model
    other.name = "other"
    #expect(other != model)
    other.name = nil
    #expect(other == model)
    _ = try other.compile()
  }

  // MARK: Names

  @Test("Two tests of one name are refused at the second")
  func testNames() throws {
    let test: Value = ["name": "t", "expect": ["values": []]]
    let error = #expect(throws: Diagnostics.self) {
      try StreamModel(json: ["stream": [], "tests": [test, test, test]])
    }
    #expect(error?.all.map(\.pointer.description) == ["/tests/1/name", "/tests/2/name"])
    #expect(error?.all.first?.code == .duplicateName)
  }

  @Test(
    "A misspelled member beside an operator is reported as one",
    arguments: [
      ("onErorr", "S101 /operators/0/onErorr did you mean 'onError'?"),
      ("lable", "S101 /operators/0/lable did you mean 'label'?"),
      ("comment", "S101 /operators/0/comment remove it, or begin its name with x-"),
      ("filter", "S106 /operators/0/filter write each operator as an object of its own"),
      ("fliter", "S106 /operators/0/fliter write each operator as an object of its own"),
    ])
  func misspeltMember(name: String, expected: String) throws {
    let placed: Value = ["map": ["expression": "value"], .string(name): "skip"]
    let error = #expect(throws: Diagnostics.self) { try StreamModel(json: ["stream": [], "operators": [placed]]) }
    #expect(error?.all.map { "\($0.code.rawValue) \($0.pointer) \($0.help ?? "")" } == [expected])
  }
}

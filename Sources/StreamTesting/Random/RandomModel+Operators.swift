internal import StreamCore
internal import StreamKit

extension RandomModel {
  /// The examples of all operators and sources, except sources that need files.
  private static let operatorExamples = ExampleStream.running.filter { !$0.isSource }.compactMap { try? $0.fields() }
  private static let sourceExamples = ExampleStream.running.filter { $0.isSource && $0.name != "file" }
    .compactMap { try? $0.fields() }

  /// Returns an array of at most `limit` operators.
  mutating func operators(upTo limit: Int) -> [Value] {
    (0..<generator.below(limit + 1)).map { _ in placedOperator() }
  }

  /// Returns an operator of an example, perhaps with changed fields, with members beside it.
  mutating func placedOperator() -> Value {
    guard case .map(let example) = generator.pick(Self.operatorExamples) else { return .null }
    var members: [(Value, Value)] = []
    if generator.happens(oneIn: 3) {
      nameCount += 1
      members.append(("id", .string("operator-\(nameCount)")))
    }
    if generator.happens(oneIn: 6) { members.append(("label", .string(text()))) }
    members += varied(example, of: Operator.table.map(\.spec))
    if generator.happens(oneIn: 6) { members.append(("onError", generator.pick(["skip", "fail"]))) }
    return .map(ValueMap(members + extensions()))
  }

  /// The member `stream` or `source` of a file.
  mutating func source(among streams: [String]) -> (Value, Value) {
    switch generator.below(6) {
    case 0: return ("source", ["input": ["name": .string(generator.pick(Self.inputNames))]])
    case 1 where !streams.isEmpty: return ("source", ["stream": ["name": .string(generator.pick(streams))]])
    case 2, 3:
      guard case .map(let example) = generator.pick(Self.sourceExamples) else { return ("stream", []) }
      return ("source", .map(ValueMap(varied(example, of: Source.table.map(\.spec)))))
    default: return ("stream", .list((0..<generator.below(6)).map { _ in item() }))
    }
  }

  /// An item of a stream, perhaps with a delay.
  mutating func item() -> Value {
    var members: [(Value, Value)] = [("value", generator.happens(oneIn: 3) ? value() : number())]
    if generator.happens(oneIn: 4) {
      members.append(("operators", [["delay": ["seconds": .int(Int64(generator.below(4)))]]]))
    }
    return .map(ValueMap(members + extensions()))
  }

  /// Returns the example with other numbers, as far as its fields allow, and without some optional fields.
  private mutating func varied(_ example: ValueMap, of specs: [OperatorSpec]) -> [(Value, Value)] {
    example.pairs.map { key, fields in
      guard case .string(let name) = key, case .map(let map) = fields, generator.happens(oneIn: 2),
        let spec = specs.first(where: { $0.name == name })
      else { return (key, fields) }
      var members: [(Value, Value)] = []
      for (field, value) in map.pairs {
        let kind = spec.fields.first { .string($0.name) == field }
        if let kind, !kind.isRequired, generator.happens(oneIn: 5) { continue }
        members.append((field, kind.flatMap { replacement(for: value, of: $0.kind) } ?? value))
      }
      return (key, .map(ValueMap(members)))
    }
  }

  private mutating func replacement(for value: Value, of kind: FieldSpec.Kind) -> Value? {
    switch kind {
    case .count(let range):
      let low = range.lowerBound == .min ? -5 : range.lowerBound
      return .int(Int64(min(low + generator.below(6), range.upperBound)))
    case .seconds(let range), .number(let range):
      return .double(min(max(range.lowerBound, Double(generator.below(64)) / 16), range.upperBound))
    case .bool: return .bool(generator.happens(oneIn: 2))
    case .choice(let words): return .string(generator.pick(words))
    default: return nil
    }
  }
}

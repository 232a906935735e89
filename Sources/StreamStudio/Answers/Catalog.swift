internal import CEL
internal import StreamCore
internal import StreamKit
internal import StreamTools

/// The operators, sources and functions as the page shows them.
enum Catalog {
  static let value: Value = [
    "operators": .list(Operator.table.map { value(of: $0.spec, family: $0.family) }),
    "sources": .list(Source.table.map { value(of: $0.spec, family: $0.family) }),
  ]

  private static func value(of spec: OperatorSpec, family: OperatorFamily) -> Value {
    [
      "name": .string(spec.name), "family": .string(family.rawValue), "summary": .string(spec.summary),
      "documentation": .text(spec.work), "memory": .text(spec.memory.text),
      "fields": .list(spec.fields.map { value(of: $0, in: spec) }),
      "examples": .list(spec.examples.compactMap(value)),
      "template": .map(ValueMap([(.string(spec.name), template(of: spec))])),
    ]
  }

  private static func value(of field: FieldSpec, in spec: OperatorSpec) -> Value {
    var members: [(Value, Value)] = [
      ("name", .string(field.name)), ("required", .bool(field.isRequired)), ("summary", .string(field.summary)),
      ("expectation", .string(spec.expectation(of: field))),
    ]
    members += kind(field.kind)
    switch field.defaultValue {
    case .value(let value)?: members.append(("default", PageValue(value).value))
    case .field(let other)?: members.append(("defaultField", .string(other)))
    case nil: break
    }
    return .map(ValueMap(members))
  }

  private static func kind(_ kind: FieldSpec.Kind) -> [(Value, Value)] {
    func bounds(_ range: ClosedRange<Double>) -> [(Value, Value)] {
      [("min", .double(range.lowerBound)), ("max", .double(range.upperBound))].filter { abs($0.1.seconds ?? 0) < 1e15 }
    }
    switch kind {
    case .seconds(let range): return [("kind", "seconds"), ("unit", "seconds")] + bounds(range)
    case .number(let range): return [("kind", "number")] + bounds(range)
    case .count(let range): return [("kind", "count")] + bounds(Double(range.lowerBound)...Double(range.upperBound))
    case .expression(let variables):
      return [("kind", "expression"), ("variables", .list(variables.map(Value.string)))]
    case .value: return [("kind", "value")]
    case .string: return [("kind", "text")]
    case .bool: return [("kind", "boolean")]
    case .choice(let words): return [("kind", "choice"), ("choices", .list(words.map(Value.string)))]
    case .streams: return [("kind", "streams")]
    case .stream: return [("kind", "stream")]
    case .boolOrStream: return [("kind", "booleanOrStream")]
    case .operators: return [("kind", "operators")]
    case .names: return [("kind", "names")]
    case .type: return [("kind", "type")]
    case .events: return [("kind", "events")]
    case .list: return [("kind", "list")]
    case .object: return [("kind", "object")]
    }
  }

  /// The required fields with values to begin with.
  private static func template(of spec: OperatorSpec) -> Value {
    if let example = spec.examples.first(where: \.isAccepted),
      let value = try? JSONDocument(reading: example.json, file: "").value.member(spec.name)
    {
      let required = Set(spec.fields.filter(\.isRequired).map(\.name))
      if case .map(let map) = value {
        return .map(ValueMap(map.pairs.filter { name, _ in name.text.map(required.contains) ?? false }))
      }
    }
    return .map(ValueMap([]))
  }

  private static func value(of example: OperatorSpec.Example) -> Value? {
    guard case .marbles(let inputs, let output) = example.outcome else { return nil }
    let values = example.values.sorted { $0.key < $1.key }.map { (Value.string($0.key), PageValue($0.value).value) }
    return [
      "title": .string(example.title), "text": .string(example.json), "inputs": .list(inputs.map(Value.string)),
      "output": .string(output),
      "values": .map(ValueMap(values)),
    ]
  }

  static let functions: Value = [
    "functions": .list(
      FunctionReference.all.map { function in
        [
          "name": .string(function.name), "signatures": .list(function.signatures.map(Value.string)),
          "summary": .string(function.summaries.joined(separator: ". ")),
          "example": .text(function.examples.first.map { "\($0.expression) → \($0.result)" }),
        ]
      })
  ]
}

extension OperatorSpec.Example {
  /// Whether the example is a stream, and not one that is refused.
  fileprivate var isAccepted: Bool { if case .marbles = outcome { true } else { false } }
}

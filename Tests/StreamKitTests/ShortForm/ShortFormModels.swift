import StreamCore
import StreamKit
import StreamTesting

/// Random models of parts from the catalogue's examples.
struct ShortFormModels {
  private var random: SeededGenerator
  private static let sources = parts(of: Source.table.map(\.spec))
  private static let operators = parts(of: Operator.table.map(\.spec))
  private static let values: [Value] = [
    0, -1, 1.5, .double(2), true, .null, "a", "", "it's \"x\", | ) y", "\u{1F600}", [1, [2, "b"]], ["a": 1, "b c": []],
  ]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A random number below a bound.
  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &random) }

  private static func parts(of specs: [OperatorSpec]) -> [Value] {
    specs.flatMap { spec in
      spec.examples.compactMap { example in
        guard case .marbles = example.outcome else { return nil }
        return try? JSONDocument(reading: example.json, file: "example").value
      }
    }
  }

  /// A random model that can be read.
  mutating func next() -> StreamModel {
    while true {
      if let model = try? StreamModel(json: Self.declaringInputs(stream(depth: 3))) { return model }
    }
  }

  private mutating func stream(depth: Int) -> Value {
    var members: [(Value, Value)] = []
    if depth == 3, Int.random(in: 0..<3, using: &random) == 0 {
      members.append(("source", ["input": ["name": Bool.random(using: &random) ? "input" : "a b"]]))
      if Bool.random(using: &random) {
        members.append(("partition", ["key": "value.k", "then": .list(list(depth: 1))]))
      }
    } else if Int.random(in: 0..<5, using: &random) == 0 {
      let items = (0..<Int.random(in: 0...3, using: &random)).map { _ -> Value in
        let operators = list(depth: 0)
        let value = Self.values.randomElement(using: &random) ?? 0
        return operators.isEmpty ? ["value": value] : ["value": value, "operators": .list(operators)]
      }
      members.append(("stream", .list(items)))
    } else {
      let source = Self.sources.randomElement(using: &random) ?? .null
      members.append(("source", changed(source, specs: Source.specs, depth: depth)))
    }
    let operators = list(depth: depth)
    if !operators.isEmpty { members.append(("operators", .list(operators))) }
    return .map(ValueMap(members))
  }

  private mutating func list(depth: Int) -> [Value] {
    var ids = 0
    return (0..<Int.random(in: 0...3, using: &random)).map { _ in
      let part = Self.operators.randomElement(using: &random) ?? .null
      var changed = changed(part, specs: Operator.specs, depth: depth)
      if Int.random(in: 0..<5, using: &random) == 0, case .map(let map) = changed {
        ids += 1
        let beside: [(Value, Value)] = [("id", .string("id \(ids)")), ("onError", "skip")]
        changed = .map(ValueMap(map.pairs.map { ($0.0, $0.1) } + beside))
      }
      return changed
    }
  }

  /// Returns an operator or a source with other values and streams in some of its fields.
  private mutating func changed(_ part: Value, specs: [OperatorSpec], depth: Int) -> Value {
    guard case .map(let map) = part, let name = map.keys.first?.text, case .map(let fields)? = map[name],
      let spec = specs.first(where: { $0.name == name })
    else { return part }
    let members = fields.pairs.map { key, value -> (Value, Value) in
      guard let field = spec.fields.first(where: { .string($0.name) == key }), Bool.random(using: &random) else {
        return (key, value)
      }
      switch field.kind {
      case .value: return (key, Self.values.randomElement(using: &random) ?? value)
      case .stream where depth > 0: return (key, stream(depth: depth - 1))
      case .streams where depth > 0: return (key, .list([stream(depth: depth - 1), "b"]))
      case .operators where depth > 0: return (key, .list(list(depth: depth - 1)))
      default: return (key, value)
      }
    }
    return .map(ValueMap([(.string(name), .map(ValueMap(members)))]))
  }

  /// Returns the model with a declaration of each input that it reads.
  static func declaringInputs(_ model: Value) -> Value {
    var names: [String] = []
    collect(model, &names)
    guard !names.isEmpty, case .map(let members) = model else { return model }
    let inputs = ValueMap(names.map { (.string($0), .map(ValueMap())) })
    return .map(ValueMap([("inputs", .map(inputs))] + members.pairs.map { ($0.0, $0.1) }))
  }

  /// Collects the names of inputs in fields that take streams.
  private static func collect(_ part: Value, _ names: inout [String]) {
    switch part {
    case .list(let elements): for element in elements { collect(element, &names) }
    case .map(let map):
      for (key, value) in map.pairs {
        let name = key.text ?? ""
        guard case .map(let fields) = value,
          let spec = (Operator.specs + Source.specs).first(where: { $0.name == name })
        else {
          if ["operators", "source", "stream", "partition", "then"].contains(name) { collect(value, &names) }
          continue
        }
        if name == "input", let input = fields["name"]?.text { names.append(input) }
        for field in spec.fields {
          guard let value = fields[field.name] else { continue }
          switch (field.kind, value) {
          case (.stream, .string(let input)), (.boolOrStream, .string(let input)): names.append(input)
          case (.streams, .list(let elements)): names += elements.compactMap(\.text)
          default: break
          }
          switch field.kind {
          case .stream, .streams, .boolOrStream, .operators: collect(value, &names)
          default: break
          }
        }
      }
    default: break
    }
  }
}

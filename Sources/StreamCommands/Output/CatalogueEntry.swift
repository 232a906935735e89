internal import StreamCore
internal import StreamKit

/// An operator or a source as `streamrun operators` prints it.
struct CatalogueEntry: ReferenceEntry {
  let family: OperatorFamily
  let spec: OperatorSpec

  var name: String { spec.name }
  var summary: String { spec.summary }
  var chapter: String { family.rawValue }
  var section: String { CataloguePage.section(self) }

  /// Sources, then operators, each by family.
  static let all: [CatalogueEntry] = {
    let entries =
      Source.table.map { CatalogueEntry(family: $0.family, spec: $0.spec) }
      + Operator.table.map { CatalogueEntry(family: $0.family, spec: $0.spec) }
    return OperatorFamily.allCases.flatMap { family in entries.filter { $0.family == family } }
  }()

  /// All that is known of it, for people.
  var text: String {
    var lines = ["\(spec.name) (\(family.rawValue))", "  \(spec.summary)"]
    if !spec.fields.isEmpty {
      lines += ["", "Fields"]
      for field in spec.fields {
        lines.append("  \(field.name): \(spec.expectation(of: field)) (\(field.isRequired ? "required" : "optional"))")
        lines.append("      \(field.text)")
      }
    }
    if let memory { lines += ["", "Keeps \(memory)."] }
    if let work = spec.work { lines += ["", work] }
    if !spec.examples.isEmpty { lines += ["", "Examples"] }
    for example in spec.examples { lines += Self.lines(of: example) }
    return lines.joined(separator: "\n")
  }

  /// The values that it keeps, with their bound; nil for none.
  var memory: String? { spec.memory.text }

  /// All that is known of it, for machines.
  var json: Value {
    [
      "name": .string(spec.name),
      "family": .string(family.rawValue),
      "summary": .string(spec.summary),
      "fields": .list(
        spec.fields.map { field in
          [
            "name": .string(field.name), "kind": .string(spec.expectation(of: field)),
            "required": .bool(field.isRequired),
            "summary": .string(field.text),
          ]
        }),
      "memory": memory.map(Value.string) ?? .null,
      "examples": .list(spec.examples.map(Self.json)),
    ]
  }

  private static func lines(of example: OperatorSpec.Example) -> [String] {
    var lines = ["  \(example.title)", "      \(example.json)"]
    switch example.outcome {
    case .marbles(let inputs, let output):
      for (index, input) in inputs.enumerated() { lines.append("      \(inputName(index, of: inputs))   \(input)") }
      lines.append("      out  \(output)")
      for (symbol, value) in example.values.sorted(by: { $0.key < $1.key }) {
        lines.append("      \(symbol) = \(JSONWriter.compact(value))")
      }
    case .rejects(let code, let pointer):
      lines.append("      rejected: \(code.rawValue) at \(pointer)")
    }
    return lines
  }

  /// Returns `in`, or `a`, `b`, `c` if there are several inputs.
  static func inputName(_ index: Int, of inputs: [String]) -> String {
    guard inputs.count > 1, let letter = UnicodeScalar(UInt32(0x61 + index)) else { return "in" }
    return "\(letter) "
  }

  private static func json(of example: OperatorSpec.Example) -> Value {
    var members: [(Value, Value)] = [("title", .string(example.title)), ("json", .string(example.json))]
    switch example.outcome {
    case .marbles(let inputs, let output):
      members += [("in", .list(inputs.map(Value.string))), ("out", .string(output))]
      if !example.values.isEmpty {
        let values = example.values.sorted { $0.key < $1.key }.map { (Value.string($0.key), $0.value) }
        members.append(("values", .map(ValueMap(values))))
      }
    case .rejects(let code, let pointer):
      members += [("code", .string(code.rawValue)), ("at", .string(pointer))]
    }
    return .map(ValueMap(members))
  }
}

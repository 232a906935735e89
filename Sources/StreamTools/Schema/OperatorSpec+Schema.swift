internal import StreamCore
internal import StreamKit

extension OperatorSpec {
  /// The object of fields behind the name.
  var schema: Value {
    let properties = fields.map { field in (field.name, schema(of: field)) }
    var members: [(String, Value)] = [("title", .string(name)), ("description", .string(summary))]
    if case .map(let object) = SchemaParts.object(
      nil, properties, required: fields.filter(\.isRequired).map(\.name), isExtensible: true)
    {
      for case (.string(let key), let value) in object.pairs { members.append((key, value)) }
    }
    let together = rules.flatMap(\.schemas)
    if !together.isEmpty { members.append(("allOf", .list(together))) }
    let shown = shownFields
    if !shown.isEmpty { members.append(("examples", .list(shown))) }
    members.append(("defaultSnippets", [["body": snippet]]))
    return SchemaParts.members(members)
  }

  private func schema(of field: FieldSpec) -> Value {
    var members: [(String, Value)] = []
    for rule in rules { members += rule.members(for: field.name) }
    if case .value(let value)? = field.defaultValue { members.append(("default", value)) }
    return SchemaParts.described(SchemaParts.adding(members, to: field.kind.schema), field.text)
  }

  /// The fields of the first examples that are accepted.
  private var shownFields: [Value] {
    var shown: [Value] = []
    for example in examples {
      guard case .marbles = example.outcome, shown.count < 3,
        let fields = (try? JSONDocument(reading: example.json, file: name))?.value.member(name)
      else { continue }
      if !shown.contains(fields) { shown.append(fields) }
    }
    return shown
  }

  /// What editors of the VS Code family put behind the name: the fields that it cannot do without.
  var snippet: Value {
    let chosen = fields.filter { $0.isRequired || $0.name == firstOfAlternatives }
    return SchemaParts.members(
      chosen.enumerated().map { number, field in (field.name, field.kind.snippet(stop: number + 1)) })
  }

  /// Of fields of which there must be one the first, unless one of them is required anyhow.
  private var firstOfAlternatives: String? {
    for rule in rules {
      switch rule {
      case .one(let names), .atLeastOne(let names):
        if fields.contains(where: { $0.isRequired && names.contains($0.name) }) { continue }
        return names.first
      default: continue
      }
    }
    return nil
  }
}

extension FieldKind {
  /// What stands in the field at first, the cursor at a stop of this number.
  func snippet(stop: Int) -> Value {
    switch self {
    case .seconds(let range), .number(let range):
      .string("^${\(stop):\((range.contains(1) ? 1 : range.upperBound).shortText)}")
    case .count(let range): .string("^${\(stop):\(range.contains(1) ? 1 : range.lowerBound)}")
    case .expression, .string, .stream: .string("$\(stop)")
    case .type: .string("${\(stop):dyn}")
    case .choice(let words): .string("${\(stop)|\(words.joined(separator: ","))|}")
    case .bool, .boolOrStream: .string("^${\(stop):true}")
    case .value: .string("^${\(stop):null}")
    case .streams, .names: [.string("$\(stop)")]
    case .operators, .list, .events: [.string("^$\(stop)")]
    case .object: SchemaParts.members([])
    }
  }
}

internal import StreamCore
internal import StreamKit

extension OperatorSpec {
  /// The schema of the object of fields.
  var schema: Value {
    // The fields of a partition, and of the clock of an input, cannot be parameters.
    let takesParameters = ![StreamModel.Partition.spec.name, InputDeclaration.EventTime.spec.name].contains(name)
    let properties = fields.map { field in (field.name, schema(of: field, takesParameters)) }
    var members: [(String, Value)] = [("title", .string(name)), ("description", .string(summary))]
    if case .map(let object) = SchemaParts.object(
      members: SchemaParts.members(properties), required: fields.filter(\.isRequired).map(\.name), isExtensible: true)
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

  private func schema(of field: FieldSpec, _ takesParameters: Bool) -> Value {
    var members: [(String, Value)] = []
    for rule in rules { members += rule.members(for: field.name) }
    var fixed: [(String, Value)] = []
    if case .value(let value)? = field.defaultValue { fixed.append(("default", value)) }
    if case .expression = field.kind {
      // No parameter replaces an expression, which can use it by its name.
    } else if takesParameters {
      let plain = SchemaParts.adding(SchemaParts.members(members), to: field.kind.schema)
      if case .map(let map) = plain, map.count > 0 {
        fixed.append(("anyOf", [plain, SchemaParts.reference("parameterReference")]))
        return SchemaParts.described(SchemaParts.members(fixed), field.text)
      }
    }
    members += fixed
    return SchemaParts.described(SchemaParts.adding(SchemaParts.members(members), to: field.kind.schema), field.text)
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

  /// The snippet that editors of the VS Code family insert after the name: the required fields.
  var snippet: Value {
    let chosen = fields.filter { $0.isRequired || $0.name == firstOfAlternatives }
    return SchemaParts.members(
      chosen.enumerated().map { number, field in (field.name, field.kind.snippet(stop: number + 1)) })
  }

  /// The first of several alternative fields, unless one of them is required anyway.
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

extension FieldSpec.Kind {
  /// Returns the initial value of the field, with the cursor at a numbered stop.
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

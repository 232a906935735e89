internal import StreamCore
internal import StreamKit

extension FieldSpec.Kind {
  /// The title of an expression's schema; its variables follow.
  static let expressionTitle = "CEL expression"

  /// The JSON Schema of such a field.
  var schema: Value {
    switch self {
    case .seconds(let range), .number(let range):
      return ["type": "number", "minimum": .seconds(range.lowerBound), "maximum": .seconds(range.upperBound)]
    case .count(let range):
      var members: [(String, Value)] = [("type", "integer")]
      if range.lowerBound != .min { members.append(("minimum", .int(Int64(range.lowerBound)))) }
      if range.upperBound != .max { members.append(("maximum", .int(Int64(range.upperBound)))) }
      return SchemaParts.members(members)
    case .expression(let variables):
      let seen = variables.isEmpty ? "" : " over \(variables.joined(separator: ", "))"
      return ["title": .string(Self.expressionTitle + seen), "type": "string", "pattern": #"\S"#]
    case .value: return SchemaParts.members([])
    case .string: return SchemaParts.text()
    case .bool: return ["type": "boolean"]
    case .choice(let words): return ["enum": .list(words.map(Value.string))]
    case .streams: return SchemaParts.list(of: SchemaParts.reference("streamReference"))
    case .stream: return SchemaParts.reference("streamReference")
    case .boolOrStream: return ["anyOf": [["type": "boolean"], SchemaParts.reference("streamReference")]]
    case .operators: return SchemaParts.reference("operators")
    case .names: return SchemaParts.list(of: SchemaParts.text())
    case .type: return SchemaParts.reference("valueType")
    case .events: return SchemaParts.list(of: SchemaParts.reference("event"))
    case .list: return ["type": "array"]
    case .object: return ["type": "object"]
    }
  }
}

extension OperatorSpec.Rule {
  /// Returns the rule's constraints on a single field: members of that field's schema.
  func members(for field: String) -> [(String, Value)] {
    switch self {
    case .above(field, let bound): return [("exclusiveMinimum", .seconds(bound))]
    case .atLeast(field, let bound): return [("minimum", .seconds(bound))]
    case .not(field, let number): return [("not", ["const": .int(number)])]
    case .count(field, let range):
      let least: [(String, Value)] = [("minItems", .int(Int64(range.lowerBound)))]
      return range.upperBound == .max ? least : least + [("maxItems", .int(Int64(range.upperBound)))]
    default: return []
    }
  }

  /// The rule's constraints on several fields: schemas of the object that contains them.
  var schemas: [Value] {
    switch self {
    case .one(let names): return [SchemaParts.one(of: names)]
    case .atLeastOne(let names): return [["anyOf": .list(names.map(Self.required))]]
    case .atMostOne(let names):
      return names.enumerated().flatMap { index, name in
        names.dropFirst(index + 1).map { other in ["not": ["required": [.string(name), .string(other)]]] }
      }
    case .together(let names):
      let needed = names.map { name in (name, Value.list(names.filter { $0 != name }.map(Value.string))) }
      return [["dependentRequired": SchemaParts.members(needed)]]
    case .needs(let field, let others):
      guard others.count > 1 else {
        return [["dependentRequired": SchemaParts.members([(field, .list(others.map(Value.string)))])]]
      }
      return [["dependentSchemas": SchemaParts.members([(field, ["anyOf": .list(others.map(Self.required))])])]]
    case .silent(let field, let other, let words):
      return [
        [
          "not": [
            "required": [.string(field), .string(other)],
            "properties": SchemaParts.members([(other, ["enum": .list(words.map(Value.string))])]),
          ]
        ]
      ]
    case .above, .atLeast, .not, .count: return []
    }
  }

  private static func required(_ name: String) -> Value { ["required": [.string(name)]] }
}

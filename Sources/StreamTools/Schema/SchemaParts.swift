package import StreamCore
internal import StreamKit

/// The pieces that JSON Schemas are put together from.
package enum SchemaParts {
  /// The dialect of all our schemas.
  package static let dialect = "https://json-schema.org/draft/2020-12/schema"

  /// Another schema of the same file, by its name.
  package static func reference(_ name: String) -> Value { ["$ref": .string("#/$defs/\(name)")] }

  /// An object with these members and no others.
  ///
  /// - Parameters:
  ///   - properties: the members that are known, in the order in which they are written.
  ///   - isExtensible: whether the author's own members may stand beside them.
  package static func object(
    _ description: String?, _ properties: [(String, Value)], required: [String] = [], isExtensible: Bool = false
  ) -> Value {
    var writer = MemberWriter()
    writer.add("description", description)
    writer.add("type", "object")
    writer.add("properties", members(properties))
    if isExtensible { writer.add("patternProperties", ownMembers) }
    writer.add("required", required.map(Value.string))
    writer.add("additionalProperties", false)
    return writer.value
  }

  /// An object whose keys are names.
  package static func named(_ description: String, _ element: Value) -> Value {
    [
      "description": .string(description), "type": "object", "propertyNames": ["pattern": #"\S"#],
      "additionalProperties": element,
    ]
  }

  package static func list(_ description: String? = nil, of element: Value) -> Value {
    var writer = MemberWriter()
    writer.add("description", description)
    writer.add("type", "array")
    writer.add("items", element)
    return writer.value
  }

  package static func text(_ description: String? = nil) -> Value { described(["type": "string"], description) }

  /// How many there are of something.
  package static func count(_ description: String, from least: Int64 = 0) -> Value {
    ["description": .string(description), "type": "integer", "minimum": .int(least)]
  }

  package static func words(_ words: [String], _ description: String? = nil) -> Value {
    described(["enum": .list(words.map(Value.string))], description)
  }

  /// The schema with words about it in front.
  package static func described(_ schema: Value, _ description: String?) -> Value {
    guard let description, case .map(let map) = schema else { return schema }
    return .map(ValueMap([("description", .string(description))] + map.pairs.map { ($0.0, $0.1) }))
  }

  /// The schema with more members behind its own.
  package static func adding(_ members: [(String, Value)], to schema: Value) -> Value {
    guard case .map(let map) = schema else { return schema }
    let added = members.map(\.0)
    let kept = map.pairs.filter { pair in !added.contains { .string($0) == pair.0 } }.map { ($0.0, $0.1) }
    return .map(ValueMap(kept + members.map { (.string($0.0), $0.1) }))
  }

  /// Just one of these members.
  package static func one(of names: [String]) -> Value {
    ["oneOf": .list(names.map { ["required": [.string($0)]] })]
  }

  package static func members(_ members: [(String, Value)]) -> Value {
    .map(ValueMap(members.map { (.string($0.0), $0.1) }))
  }

  /// Members that begin with `x-` are the author's own.
  static let ownMembers: Value = ["^x-": ["description": "The author's own: kept, and not looked at."]]

  /// A whole schema file.
  package static func file(
    _ name: String, title: String, description: String, _ root: Value, definitions: [(String, Value)] = []
  ) -> Value {
    var writer = MemberWriter()
    writer.add("$schema", dialect)
    writer.add("$id", "urn:streamrun:schema:\(name)")
    writer.add("$comment", "Made by 'streamrun schema --write'; changes are lost.")
    writer.add("title", title)
    writer.add("description", description)
    var members = writer.pairs
    if case .map(let map) = root { members += map.pairs.map { ($0.0, $0.1) } }
    if !definitions.isEmpty { members.append(("$defs", Self.members(definitions))) }
    return .map(ValueMap(members))
  }
}

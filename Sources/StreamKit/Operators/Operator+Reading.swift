public import StreamCore

/// Coded as an object with the operator's name as its one key.
///
/// NB: an operator alone has no place for members that stand beside its name, which it refuses, and none for the author's
/// `x-` members among its fields, which it drops. `PlacedOperator` keeps both.
extension Operator: StreamFilePart {
  public init(json: Value) throws(Diagnostics) {
    guard case .map(let map) = json else { throw Diagnostics([Self.noObject(json)]) }
    let names = map.keys.compactMap(\.text)
    if let member = names.first(where: { PlacedOperator.besides.contains($0) || $0.hasPrefix("x-") }) {
      throw Diagnostics([
        Diagnostic(
          .unknownKey, "'\(member)' stands beside an operator, and an Operator alone has no place for it",
          at: JSONPointer([member]), part: .key, help: "decode a PlacedOperator")
      ])
    }
    self = try Self.read(names, from: map)
  }

  /// The diagnostic for a value that is no object.
  static func noObject(_ json: Value) -> Diagnostic {
    Diagnostic(
      .wrongType, "expected an operator, which is an object; found \(json.describedType)",
      help: "write it as {\"map\": {\"expression\": \"value * 2\"}}")
  }

  public var json: Value { .map(ValueMap([(.string(name), fields)])) }

  /// The JSON key.
  public var name: String { if case .custom(let custom) = self { custom.name } else { definition.spec.name } }

  /// Whether the operator is one that the host registers.
  var isCustom: Bool { if case .custom = self { true } else { false } }

  /// The operator's definition, which a host may have registered.
  package func definition(for host: Host) throws(Diagnostics) -> any OperatorFields {
    if case .custom(let custom) = self { return try custom.resolved(for: host) }
    return definition
  }

  /// The fields as JSON.
  package var fields: Value { if case .custom(let custom) = self { custom.fields } else { definition.json } }

  /// The operator that stands under one of these names in an object; there must be just one.
  static func read(_ names: [String], from map: ValueMap) throws(Diagnostics) -> Operator {
    guard let name = names.first, names.count == 1, let fields = map[name] else {
      throw Diagnostics([notOne(names)])
    }
    guard let entry = entry(named: name) else {
      if Custom.isName(name) { return .custom(Custom(name: name, fields: fields)) }
      throw Diagnostics([unknown(name)])
    }
    do throws(Diagnostics) {
      return try entry.read(fields)
    } catch {
      throw error.prefixed(by: JSONPointer([name]))
    }
  }

  private static let places = Dictionary(
    table.enumerated().map { ($1.spec.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// The row of an operator; nil where there is none of this name.
  package static func entry(named name: String) -> OperatorEntry<Operator>? { places[name].map { table[$0] } }

  private static func unknown(_ name: String) -> Diagnostic {
    let near = suggestion(for: name)
    return Diagnostic(
      .unknownOperator, "there is no operator '\(name)'", at: JSONPointer([name]), part: .key,
      help: near.map { "did you mean '\($0)'?" } ?? "'streamrun operators' lists them all")
  }

  /// The operator that was probably meant by a name that there is not.
  public static func suggestion(for name: String) -> String? {
    aliases[name] ?? nearestName(to: name, among: table.map(\.spec.name))
  }

  private static func notOne(_ names: [String]) -> Diagnostic {
    if let second = names.dropFirst().first {
      return Diagnostic(
        .notOneOperator,
        "an operator object has one operator; found \(names.map { "'\($0)'" }.joined(separator: " and "))",
        at: JSONPointer([second]), part: .key, help: "make them objects of their own, one after the other")
    }
    return Diagnostic(
      .notOneOperator, "an operator object has one operator as its key; found none",
      help: "write it as {\"map\": {\"expression\": \"value * 2\"}}")
  }
}

public import StreamCore

/// Coded as an object with the operator's name as its only key.
///
/// NB: decoding refuses members beside the name and drops `x-` members among the fields. `PlacedOperator` keeps both.
extension Operator: StreamFilePart {
  public init(json: Value) throws(Diagnostics) {
    guard case .map(let map) = json else { throw Diagnostics([Self.noObject(json)]) }
    let names = map.keys.compactMap(\.text)
    if let member = names.first(where: { PlacedOperator.besides.contains($0) || $0.hasPrefix("x-") }) {
      throw Diagnostics(
        .unknownKey, "'\(member)' belongs to a placed operator; an Operator has its name as its only key",
        at: JSONPointer([member]), part: .key, help: "decode a PlacedOperator")
    }
    self = try Self.read(names, from: map)
  }

  /// The diagnostic for a value that is not an object.
  static func noObject(_ json: Value) -> Diagnostic {
    Diagnostic(
      .wrongType, "expected an operator, which is an object; found \(json.describedType)",
      help: form(of: json) ?? "write it as {\"map\": {\"expression\": \"value * 2\"}}")
  }

  /// Returns the form of the operator with a name; nil if no operator has it.
  private static func form(of json: Value) -> String? {
    guard let name = json.text, let spec = entry(named: aliases[name] ?? name)?.spec else { return nil }
    let required = spec.parts.fields.filter(\.isRequired)
    guard !required.isEmpty else { return FieldAdvice(spec: spec).form(for: [:]) }
    let members = required.map { "\"\($0.name)\": …" }.joined(separator: ", ")
    return "write {\"\(spec.name)\": {\(members)}}"
  }

  public var json: Value { .map(ValueMap([(.string(name), fields)])) }

  /// The JSON key.
  public var name: String { if case .custom(let custom) = self { custom.name } else { definition.spec.name } }

  /// Whether the host defines the operator.
  var isCustom: Bool { if case .custom = self { true } else { false } }

  /// The operator's definition, which the host may have registered.
  package func definition(for host: StreamHost) throws(Diagnostics) -> any OperatorFields {
    if case .custom(let custom) = self { return try custom.resolved(for: host) }
    return definition
  }

  /// The fields as JSON.
  package var fields: Value { if case .custom(let custom) = self { custom.fields } else { definition.json } }

  /// Reads the operator whose name is among these keys of an object. There must be exactly one.
  static func read(_ names: [String], from map: ValueMap) throws(Diagnostics) -> Operator {
    guard let name = names.first, names.count == 1, let fields = map[name] else {
      throw Diagnostics([notOne(names)])
    }
    guard let entry = entry(named: name) else {
      if Custom.isName(name) || name == Custom.applyName { return .custom(Custom(name: name, fields: fields)) }
      throw Diagnostics([unknown(name)])
    }
    if Custom.hasReference(fields) { return .custom(Custom(name: name, fields: fields)) }
    do throws(Diagnostics) {
      return try entry.read(fields)
    } catch {
      throw error.prefixed(by: JSONPointer([name]))
    }
  }

  private static let places = Dictionary(
    table.enumerated().map { ($1.spec.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// The table row of an operator; nil for an unknown name.
  package static func entry(named name: String) -> OperatorEntry<Operator>? { places[name].map { table[$0] } }

  private static func unknown(_ name: String) -> Diagnostic {
    Diagnostic(
      .unknownOperator, "there is no operator '\(name)'", at: JSONPointer([name]), part: .key,
      help: help(forUnknown: name) ?? "'streamrun operators' lists them all")
  }

  /// Returns help for the name of an operator that does not exist; nil if nothing resembles it.
  package static func help(forUnknown name: String) -> String? {
    advice[name] ?? suggestion(for: name).map { "did you mean '\($0)'?" }
  }

  /// The operator most likely meant by an unknown name.
  public static func suggestion(for name: String) -> String? {
    aliases[name] ?? nearestName(to: name, among: table.map(\.spec.name))
  }

  private static func notOne(_ names: [String]) -> Diagnostic {
    if let second = names.dropFirst().first {
      return Diagnostic(
        .notOneOperator,
        "an operator object has one operator; found \(names.map { "'\($0)'" }.joined(separator: " and "))",
        at: JSONPointer([second]), part: .key, help: "write each operator as an object of its own")
    }
    return Diagnostic(
      .notOneOperator, "an operator object has one operator as its key; found none",
      help: "write it as {\"map\": {\"expression\": \"value * 2\"}}")
  }
}

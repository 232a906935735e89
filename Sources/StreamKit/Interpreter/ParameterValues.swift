internal import CEL
package import StreamCore

/// The values of parameters in a part of a file, for descriptions of a stream that is not compiled.
///
/// A parameter without a value is unknown: what depends on it is described as it is written.
package struct ParameterValues: Sendable {
  private var values = ScopedNames<Known>()

  private struct Known: Sendable {
    /// The value; nil if it is unknown.
    let value: Value?
    /// The length in seconds of a duration.
    let seconds: Value?
  }

  /// The values of a file's parameters: those that the options give, or else the defaults.
  package init(_ model: StreamModel, options: CompileOptions = CompileOptions()) {
    add(model.parameters) { name, parameter in
      options.arguments[name].flatMap { try? $0.json(for: parameter.declaredType) }
        ?? options.parameters[name] ?? parameter.defaultValue
    }
  }

  private mutating func add(
    _ declared: Members<ParameterDeclaration>, _ value: (String, ParameterDeclaration) -> Value?
  ) {
    var level: [String: Known] = [:]
    for (name, parameter) in declared {
      let value = value(name, parameter)
      level[name] = Known(value: value, seconds: value.flatMap { Self.seconds($0, parameter) })
    }
    values.add(level)
  }

  private static func seconds(_ value: Value, _ declaration: ParameterDeclaration) -> Value? {
    guard case .duration(let length)? = try? InputConversion(declaration.declaredType).convert(value) else {
      return nil
    }
    return .seconds(length.inSeconds)
  }

  /// The values in a definition or a file that is applied with arguments here.
  ///
  /// - Parameter isDefinition: Whether the parameters of the file are visible, too.
  package func applying(
    _ declared: Members<ParameterDeclaration>, to arguments: Value, isDefinition: Bool
  ) -> ParameterValues {
    var copy = self
    if !isDefinition { copy.values = ScopedNames() }
    let given = substituted(arguments)
    copy.add(declared) { name, parameter in given.member(name) ?? parameter.defaultValue }
    return copy
  }

  /// Returns fields with the values of the parameters that they name.
  ///
  /// - Parameters:
  ///   - spec: The specification of the fields, if it is known.
  ///   - budget: Counts the values; those beyond it stay references. Default: there is none.
  package func substituted(
    _ fields: Value, _ spec: OperatorSpec? = nil, within budget: ExpansionBudget? = nil
  ) -> Value {
    guard case .map(let map) = fields, Operator.Custom.hasReference(fields) else { return fields }
    return .map(
      ValueMap(
        map.pairs.map { key, value in
          guard let name = Operator.Custom.parameter(in: value) else { return (key, value) }
          let kind = spec?.parts.fields.first { $0.name == key.text }?.kind
          if case .seconds? = kind, let length = values[name]?.seconds { return (key, length) }
          guard let found = values[name]?.value, budget?.use(found) != false else { return (key, value) }
          return (key, found)
        }))
  }

  /// Returns the operator with the values of the parameters that its fields name, if all are known.
  package func resolved(_ written: Operator, within budget: ExpansionBudget) -> Operator {
    guard case .custom(let custom) = written, custom.isUnresolved,
      let entry = Operator.entry(named: custom.name)
    else { return written }
    return (try? entry.read(substituted(custom.fields, entry.spec, within: budget))) ?? written
  }

  /// Returns the source with the values of the parameters that its fields name, if all are known.
  package func resolved(_ written: Source, within budget: ExpansionBudget) -> Source {
    guard case .parameterized(let custom) = written,
      let entry = Source.table.first(where: { $0.spec.name == custom.name })
    else { return written }
    return (try? entry.read(substituted(custom.fields, entry.spec, within: budget))) ?? written
  }

  /// Returns the names of the parameters that fields name, by field.
  package static func references(in fields: Value) -> [String: String] {
    guard case .map(let map) = fields, Operator.Custom.hasReference(fields) else { return [:] }
    var names: [String: String] = [:]
    for (key, value) in map.pairs {
      if let field = key.text, let name = Operator.Custom.parameter(in: value) { names[field] = name }
    }
    return names
  }
}

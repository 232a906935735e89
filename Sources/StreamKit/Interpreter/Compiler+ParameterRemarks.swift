internal import CEL
internal import StreamCore

/// Warnings about parameters that have no effect.
extension Compiler {
  /// Warns of parameters that nothing uses.
  func reportUnusedParameters(of model: StreamModel, _ log: RemarkLog) {
    for name in model.parameters.names where !usedParameters.contains(name) {
      log.add(
        Diagnostic(
          .unusedName, "nothing uses the parameter '\(name)'", at: JSONPointer(["parameters", name]), part: .key,
          severity: .warning,
          help: parametersElsewhere[name]
            ?? "remove it, or write {\"parameter\": \"\(name)\"} as the value of a field, or \(name) in an expression")
      )
    }
  }

  /// Notes that a definition or another file has parameters, which need not be those of the file.
  ///
  /// - Parameters:
  ///   - owner: "the definition 'smooth'".
  ///   - place: The object of the arguments: the fields of `apply`, or `parameters` of a source.
  func noteParameters(_ names: [String], of owner: String, givenAt place: JSONPointer) {
    guard options.remarks != nil else { return }
    let isApplied = place.tokens.last == Operator.Custom.applyName
    for name in names where parametersElsewhere[name] == nil {
      let argument = "\"\(name)\": {\"parameter\": \"\(name)\"}"
      parametersElsewhere[name] =
        "\(owner) has a parameter of its own with this name; write "
        + (isApplied ? "\(argument) in 'apply'" : "\"parameters\": {\(argument)} beside \"file\"")
        + " to give it the value"
    }
  }

  // MARK: References within values

  /// Warns of `{"parameter": …}` within the literal values of an operator's fields, where it is data.
  func warnOfReferences(in written: Operator, at place: JSONPointer, in scope: Scope) {
    guard options.remarks != nil, !scope.parameters.isEmpty else { return }
    let spec = Operator.entry(named: written.name)?.spec
    warnOfReferences(in: written.fields, spec, at: place, in: scope)
  }

  /// Warns of `{"parameter": …}` within the literal values of a source.
  func warnOfReferences(in written: Source, in scope: Scope) {
    guard options.remarks != nil, !scope.parameters.isEmpty else { return }
    if case .items(let items) = written {
      for (index, item) in items.enumerated() {
        warnOfReference(in: item.value, at: scope.pointer + JSONPointer(["stream", String(index), "value"]), in: scope)
      }
      return
    }
    guard let name = written.name, let spec = Source.table.first(where: { $0.spec.name == name })?.spec else { return }
    let place = scope.pointer + JSONPointer(["source", name])
    warnOfReferences(in: written.fields ?? .null, spec, at: place, in: scope)
  }

  private func warnOfReferences(in fields: Value, _ spec: OperatorSpec?, at place: JSONPointer, in scope: Scope) {
    guard case .map(let map) = fields else { return }
    for case (.string(let name), let value) in map.pairs where Operator.Custom.parameter(in: value) == nil {
      if let spec {
        guard let field = spec.parts.fields.first(where: { $0.name == name }), field.kind.isLiteral else { continue }
      }
      if spec?.name == Source.Stream.spec.name, name == "parameters", case .map(let arguments) = value {
        // These are resolved, but not what they contain.
        for case (.string(let key), let argument) in arguments.pairs
        where Operator.Custom.parameter(in: argument) == nil {
          warnOfReference(in: argument, at: place + JSONPointer([name, key]), in: scope)
        }
        continue
      }
      warnOfReference(in: value, at: place.appending(name), in: scope)
    }
  }

  /// Warns of `{"parameter": …}` in a value, where it is data.
  func warnOfReference(in value: Value?, at place: JSONPointer, in scope: Scope) {
    guard let value, let log = options.remarks, !scope.parameters.isEmpty else { return }
    if let name = Operator.Custom.parameter(in: value), scope.parameters[name] != nil {
      log.add(
        Diagnostic(
          .assumption, "{\"parameter\": \"\(name)\"} is data here, not the value of the parameter '\(name)'",
          at: scope.origin + place, severity: .warning,
          help: "only a whole field names a parameter; make the value in an expression, such as "
            + "map({\"limit\": \(name)}), or rename the parameter if this is data"))
      return
    }
    switch value {
    case .map(let map):
      for case (.string(let key), let member) in map.pairs {
        warnOfReference(in: member, at: place.appending(key), in: scope)
      }
    case .list(let list):
      for (index, element) in list.elements.enumerated() {
        warnOfReference(in: element, at: place.appending(index), in: scope)
      }
    default: return
    }
  }
}

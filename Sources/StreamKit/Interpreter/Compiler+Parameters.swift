internal import CEL
internal import StreamCore

/// Parameters: their values, and the fields that name them.
extension Compiler {
  /// Gives the parameters of the main file the values of the host.
  func bindParameters(of model: StreamModel, in scope: Scope) {
    var arguments: [String: ParameterArgument] = [:]
    for (name, value) in options.parameters {
      arguments[name] = ParameterArgument(.value(value), origin: "the parameter '\(name)' of the options")
    }
    arguments.merge(options.arguments) { $1 }
    for name in arguments.keys.sorted() where model.parameters[name] == nil {
      let (notes, near) = help(with: name, among: { model.parameters.names }, "parameters")
      report(
        Diagnostic(
          .invalidArgument, "\(arguments[name]?.origin ?? name): the file has no parameter '\(name)'",
          at: arguments[name]?.pointer ?? JSONPointer(),
          notes: notes.isEmpty ? ["the file has no parameters"] : notes,
          help: near.map { "did you mean '\($0)'?" }
            ?? (model.inputs[name] == nil
              ? nil : "'\(name)' is an input, to which 'run' and 'bench' give an initial value")),
        in: scope)
    }
    checkNames(of: model, in: scope)
    var bound = bind(model.parameters, to: arguments, in: scope) { name, declared in
      report(
        Diagnostic(
          .missingField, "the parameter '\(name)' has no value and no default",
          at: scope.pointer + JSONPointer(["parameters", name]), part: .key,
          help: "write --set \(name)=\(Self.sample(declared.declaredType).text), or add a \"default\""),
        in: scope)
    }
    for name in bound.keys { bound[name]?.isOfFile = true }
    scope.parameters.add(bound)
  }

  /// Refuses parameters with the names of inputs or streams: `--set` would be ambiguous.
  private func checkNames(of model: StreamModel, in scope: Scope) {
    for name in model.parameters.names {
      guard model.inputs[name] != nil || model.streams[name] != nil else { continue }
      report(
        Diagnostic(
          .duplicateName,
          "'\(name)' is the name of \(model.inputs[name] != nil ? "an input" : "a stream") and of a parameter",
          at: scope.pointer + JSONPointer(["parameters", name]), part: .key, help: "rename one of them"),
        in: scope)
    }
  }

  /// Returns the parameters with their values.
  ///
  /// - Parameter missing: Reports a parameter without a value.
  private func bind(
    _ declared: Members<ParameterDeclaration>, to arguments: [String: ParameterArgument], in scope: Scope,
    at place: JSONPointer? = nil, missing: (String, ParameterDeclaration) -> Void
  ) -> [String: BoundParameter] {
    var bound: [String: BoundParameter] = [:]
    for (name, parameter) in declared {
      let type = parameter.declaredType
      guard let argument = arguments[name] else {
        if let value = parameter.defaultValue {
          bound[name] = BoundParameter(
            json: value, value: (try? InputConversion(type).convert(value)) ?? value,
            origin: "the default of the parameter '\(name)'", type: type)
        } else {
          if !options.host.isInspecting || place != nil { missing(name, parameter) }
          // The rest is checked as if there were a value.
          bound[name] = Self.assumed(type)
        }
        continue
      }
      do throws(Diagnostic) {
        let json = try argument.json(for: type)
        if place != nil, let excess = excess(of: json, ofParameter: name) { throw excess }
        do throws(InputConversion.Problem) {
          bound[name] = BoundParameter(
            json: json, value: try InputConversion(type).convert(json), origin: argument.origin, type: type,
            isAssumed: argument.isAssumed)
        } catch {
          if argument.isAssumed {
            bound[name] = Self.assumed(type)
            continue
          }
          throw Diagnostic(
            place == nil ? .invalidArgument : .wrongType,
            ((argument.givenBy ?? (place == nil ? argument.origin : nil)).map { "\($0): " } ?? "")
              + "the parameter '\(name)' does not fit its type: \(error.message)")
        }
      } catch {
        var problem = error
        problem.help = problem.help ?? "the parameter '\(name)' is declared as \(type)"
        problem.pointer =
          argument.pointer ?? place?.appending(name) ?? scope.pointer + JSONPointer(["parameters", name])
        report(problem, in: scope)
        bound[name] = Self.assumed(type)
      }
    }
    return bound
  }

  /// Returns the defaults of parameters, and assumed values for the others.
  func assumed(_ declared: Members<ParameterDeclaration>) -> [String: BoundParameter] {
    var bound: [String: BoundParameter] = [:]
    for (name, parameter) in declared {
      let type = parameter.declaredType
      bound[name] =
        parameter.defaultValue.map { value in
          BoundParameter(
            json: value, value: (try? InputConversion(type).convert(value)) ?? value,
            origin: "the default of the parameter '\(name)'", type: type)
        } ?? Self.assumed(type)
    }
    return bound
  }

  private static func assumed(_ type: CELType) -> BoundParameter {
    let sample = sample(type).value
    return BoundParameter(
      json: sample, value: (try? InputConversion(type).convert(sample)) ?? sample, origin: "", type: type,
      isAssumed: true)
  }

  /// Returns a value of a type for checking a file without arguments, and as it is written after `--set name=`.
  static func sample(_ type: CELType) -> (value: Value, text: String) {
    switch type {
    case .bool: (.bool(true), "true")
    case .int: (.int(1), "1")
    case .uint: (.int(1), "1")
    case .double: (.double(1), "1.5")
    case .string: (.string(""), "TEXT")
    case .timestamp: (.string("2024-02-29T12:30:00Z"), "2024-02-29T12:30:00Z")
    case .duration: (.string("1s"), "1.5s")
    case .list: (.list([]), "'[…]'")
    case .map, .record: (.map(ValueMap()), "'{…}'")
    case .choice(let values): (values.first ?? .null, values.first.map { $0.text ?? JSONWriter.compact($0) } ?? "JSON")
    default: (.null, "JSON")
    }
  }

  /// Refuses parameters and definitions of a stream within a file: only a whole file has them.
  func refuseInnerParameters(of model: StreamModel, in scope: Scope) {
    guard scope.outer != nil, scope.part == nil else { return }
    for (member, isEmpty) in [
      ("parameters", model.parameters.isEmpty), ("definitions", model.definitions.isEmpty),
    ] where !isEmpty {
      report(
        Diagnostic(
          .conflictingFields, "only a whole file has '\(member)'", at: scope.pointer.appending(member), part: .key,
          help: "move them to the top of the file"),
        in: scope)
    }
  }

  // MARK: Fields

  /// Returns fields with the values of the parameters that they name, and these parameters by field.
  ///
  /// - Parameter spec: The specification of the fields, if it is known.
  /// - Throws: Unknown parameters, relative to the fields.
  func substituted(
    _ fields: Value, _ spec: OperatorSpec? = nil, in scope: Scope
  ) throws(Diagnostics) -> (fields: Value, used: [String: BoundParameter]) {
    guard case .map(let map) = fields else { return (fields, [:]) }
    var used: [String: BoundParameter] = [:]
    var problems = Diagnostics()
    var pairs = map.pairs.map { ($0.0, $0.1) }
    for (index, (key, value)) in pairs.enumerated() {
      guard let name = Operator.Custom.parameter(in: value), let field = key.text else { continue }
      let kind = spec?.parts.fields.first { $0.name == field }?.kind
      guard let parameter = scope.parameters[name] else {
        let (notes, near) = help(with: name, among: { scope.parameters.names }, "parameters")
        let type = kind?.typeOfParameter.map { "\"type\": \"\($0)\"" } ?? ""
        problems.append(
          Diagnostic(
            .unknownName, "there is no parameter '\(name)' here",
            at: JSONPointer([field, Operator.Custom.referenceKey]),
            notes: notes.isEmpty ? ["there are no parameters here"] : notes,
            help: near.map { "did you mean \"\($0)\"?" }
              ?? "declare it: \"parameters\": {\"\(name)\": {\(type)}}"))
        continue
      }
      if parameter.isOfFile { usedParameters.insert(name) }
      used[field] = parameter
      if let excess = excess(of: parameter.json, ofParameter: name) {
        problems.append(excess.prefixed(by: JSONPointer([field])))
      }
      if let kind, !kind.isExpression, !kind.mayBe(jsonOf: parameter.type) {
        problems.append(
          Diagnostic(
            .wrongType,
            "'\(field)' is \(kind.expectation), but the parameter '\(name)' is declared as \(parameter.type)",
            at: JSONPointer([field]), help: kind.typeOfParameter.map { "declare it as \"\($0)\"" }))
      }
      pairs[index].1 = parameter.json(for: kind)
    }
    try problems.throwErrors()
    return (.map(ValueMap(pairs)), used)
  }

  /// Reads the fields of an operator or a source with the values of their parameters.
  ///
  /// - Parameters:
  ///   - specs: The specifications of the fields.
  ///   - read: Reads the fields. Its errors are relative to these.
  /// - Returns: The result; nil if a value that is only assumed does not fit.
  /// - Throws: The errors, with the origin of the value at fault.
  func resolve<Result>(
    _ custom: Operator.Custom, _ spec: OperatorSpec?, in scope: Scope, _ read: (Value) throws(Diagnostics) -> Result
  ) throws(Diagnostics) -> Result? {
    let (fields, used) = try substituted(custom.fields, spec, in: scope)
    for field in spec?.parts.fields ?? [] {
      guard let parameter = used[field.name] else { continue }
      if case .expression = field.kind {
        throw Diagnostics(
          .wrongType, "'\(field.name)' is an expression, which no parameter replaces", at: JSONPointer([field.name]),
          help: "write the expression here; it can use the parameter by its name")
      }
      // A value cannot change the structure of a file.
      if field.kind.holdsStreams, !parameter.isAssumed, !parameter.json.isNamesAlone {
        throw Diagnostics(
          .wrongType, "'\(field.name)' is \(field.kind.expectation), and no parameter replaces its operators",
          at: JSONPointer([field.name]),
          help: "write the operators here; their fields can use the parameter. A parameter can be the name of a stream")
      }
    }
    do throws(Diagnostics) {
      return try read(fields)
    } catch {
      var kept = Diagnostics()
      for problem in error.all {
        guard let field = problem.pointer.tokens.first, let parameter = used[field] else {
          kept.append(problem)
          continue
        }
        if parameter.isAssumed { continue }
        var copy = problem
        copy.message = "\(parameter.origin): \(problem.message)"
        kept.append(copy)
      }
      // A rule for several fields is reported at the fields themselves.
      if kept.hasErrors, used.values.contains(where: \.isAssumed), kept.all.allSatisfy({ $0.pointer.tokens.isEmpty }) {
        return nil
      }
      try kept.throwErrors()
      return nil
    }
  }

  /// Returns the operator with the values of its parameters; nil if a value is only assumed and does not fit.
  func resolved(_ custom: Operator.Custom, in scope: Scope) throws(Diagnostics) -> Operator? {
    let entry = Operator.entry(named: custom.name)
    return try resolve(custom, entry?.spec, in: scope) { fields throws(Diagnostics) in
      try entry?.read(fields) ?? .custom(Operator.Custom(name: custom.name, fields: fields))
    }
  }

  /// Returns the source with the values of its parameters; nil if it could not be read.
  func resolved(_ source: Source, in scope: Scope) -> Source? {
    guard case .parameterized(let custom) = source else { return source }
    guard let entry = Source.table.first(where: { $0.spec.name == custom.name }) else { return nil }
    do throws(Diagnostics) {
      return try resolve(custom, entry.spec, in: scope) { fields throws(Diagnostics) in try entry.read(fields) }
    } catch {
      report(error.prefixed(by: scope.pointer + JSONPointer(["source", custom.name])), in: scope)
      return nil
    }
  }

  /// The values of the fields that determine the meaning of an operator's state.
  static func meaning(of definition: some OperatorFields) -> String? {
    let fields = type(of: definition).fieldsOfState
    guard !fields.isEmpty else { return nil }
    let form = BehaviorForm.of(definition)
    return JSONWriter.compact(.list(fields.sorted().map { form.member($0) ?? .null }))
  }

  // MARK: Arguments in a file

  /// Gives parameters the values that a place of a file gives, such as the fields of `apply`.
  ///
  /// - Parameters:
  ///   - given: The arguments.
  ///   - place: Their location in the file of `scope`.
  ///   - owner: "the definition 'smooth'", for messages.
  func bind(
    _ declared: Members<ParameterDeclaration>, to given: ValueMap, of owner: String, in scope: Scope,
    at place: JSONPointer
  ) -> [String: BoundParameter] {
    var arguments: [String: ParameterArgument] = [:]
    var values = given
    var used: [String: BoundParameter] = [:]
    noteParameters(declared.names, of: owner, givenAt: place)
    do throws(Diagnostics) {
      let result = try substituted(.map(given), in: scope)
      used = result.used
      if case .map(let map) = result.fields { values = map }
    } catch {
      report(error.prefixed(by: place), in: scope)
      // An argument that names an unknown parameter has no value.
      values = ValueMap(given.pairs.filter { Operator.Custom.parameter(in: $0.1) == nil })
      for name in declared.names where given[name] != nil && values[name] == nil {
        arguments[name] = ParameterArgument(.value(.null), origin: "", isAssumed: true)
      }
    }
    for case (.string(let name), let value) in values.pairs {
      guard declared[name] != nil else {
        let (notes, near) = help(with: name, among: { declared.names }, "parameters")
        report(
          Diagnostic(
            .unknownKey, "\(owner) has no parameter '\(name)'", at: place.appending(name), part: .key,
            notes: notes.isEmpty ? ["it has no parameters"] : notes,
            help: near.map { "did you mean '\($0)'?" } ?? "remove it"),
          in: scope)
        continue
      }
      let source = used[name]
      let own = "the parameter '\(name)' of \(owner)"
      arguments[name] = ParameterArgument(
        .value(value), origin: source.map { $0.isAssumed ? own : "\($0.origin), as \(own)" } ?? own,
        givenBy: source?.origin, isAssumed: source?.isAssumed ?? false)
    }
    return bind(declared, to: arguments, in: scope, at: place) { name, _ in
      report(
        Diagnostic(
          .missingField, "\(owner) needs the parameter '\(name)'", at: place,
          help: "add \"\(name)\": …, or give the parameter a \"default\""),
        in: scope)
    }
  }
}

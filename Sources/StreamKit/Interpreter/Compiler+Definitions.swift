internal import CEL
internal import StreamCore
internal import StreamEngine

/// `apply`: the operators of a definition, or of another file, instead of one operator.
extension Compiler {
  /// The operators to apply, and the scope in which they stand.
  private struct Application {
    /// "the definition 'smooth'", for messages.
    let name: String
    /// The identity of the definition, to find circles.
    let identity: String
    let parameters: Members<ParameterDeclaration>
    let operators: [PlacedOperator]
    let scope: Scope
    /// The name of the input that the applied file reads; nil for a definition of the same file.
    var input: String?
  }

  /// Compiles the operators that an `apply` stands for.
  func apply(
    _ placed: PlacedOperator, _ custom: Operator.Custom, over upstream: CompiledStream, in scope: Scope,
    at pointer: JSONPointer
  ) -> CompiledStream {
    let place = pointer.appending(custom.name)
    let unknown = CompiledStream(upstream.node)
    if placed.onError != nil {
      report(
        Diagnostic(
          .conflictingFields, "'onError' belongs to one operator, and 'apply' is several",
          at: pointer.appending("onError"), part: .key, help: "write it beside an operator of the definition"),
        in: scope)
    }
    do throws(Diagnostics) {
      let (found, arguments) = try application(of: custom, in: scope, at: place)
      if openDefinitions.contains(where: { $0.identity == found.identity }) {
        let names = openDefinitions.drop { $0.identity != found.identity }.map { $0.name }
        let circle = names + [found.name]
        throw Diagnostics(
          .cycle, "the definitions apply each other in a circle: \(circle.joined(separator: " → "))",
          help: "a definition cannot contain itself")
      }
      guard openDefinitions.count < Self.depthLimit else {
        throw Diagnostics(.tooDeep, "definitions are nested more than \(Self.depthLimit) levels deep")
      }
      let inner = found.scope
      inner.parameters.merge(
        bind(found.parameters, to: arguments, of: found.name, in: scope, at: place)
      ) { $1 }
      inner.application = applicationNote(found.name, in: scope, at: pointer)
      openDefinitions.append((found.identity, found.name))
      defer { openDefinitions.removeLast() }
      for (name, input) in inner.model.inputs where name != found.input { declare(input, named: name, in: inner) }
      let result = DeepStack.run {
        compile(found.operators, over: upstream, in: inner, at: inner.pointer)
      }
      record?.add(input: upstream.type, output: result.type, at: scope.origin + pointer)
      return result
    } catch {
      report(error.prefixed(by: place), in: scope)
      return unknown
    }
  }

  private func applicationNote(_ name: String, in scope: Scope, at pointer: JSONPointer) -> String {
    let located = scope.document?.locate(Diagnostic(.assumption, "", at: pointer)).location
    let place = located.map { "\($0.file):\($0.line):\($0.column)" } ?? pointer.description
    return "in \(name), which is applied at \(place)"
  }

  /// Finds the operators that the fields of an `apply` name, and its arguments.
  private func application(
    of custom: Operator.Custom, in scope: Scope, at place: JSONPointer
  ) throws(Diagnostics) -> (Application, ValueMap) {
    guard case .map(let fields) = custom.fields else {
      throw Diagnostics(
        .wrongType, "'apply' is \(custom.fields.describedType); expected an object",
        help: "write {\"apply\": {\"definition\": \(custom.fields.text.map { "\"\($0)\"" } ?? "\"…\"")}}")
    }
    let arguments = ValueMap(
      fields.pairs.filter { key, _ in
        guard let key = key.text else { return false }
        return key != "definition" && key != "file" && !key.hasPrefix("x-")
      })
    switch (fields["definition"], fields["file"]) {
    case (.string(let name)?, nil): return (try definition(named: name, in: scope, at: place), arguments)
    case (nil, .string(let path)?): return (try file(path, in: scope, at: place), arguments)
    case (nil, nil):
      throw Diagnostics(
        .missingField, "'apply' needs 'definition' or 'file'",
        help: "write {\"apply\": {\"definition\": \"…\"}}, or {\"apply\": {\"file\": \"….json\"}}")
    case (_?, _?):
      throw Diagnostics(
        .conflictingFields, "'apply' has 'definition' or 'file', not both", at: JSONPointer(["file"]), part: .key,
        help: "remove one of them")
    default:
      let field = fields["definition"] == nil ? "file" : "definition"
      throw Diagnostics(
        .wrongType, "'\(field)' is \((fields[field] ?? .null).describedType); expected a string",
        at: JSONPointer([field]))
    }
  }

  private func definition(
    named name: String, in scope: Scope, at place: JSONPointer
  ) throws(Diagnostics) -> Application {
    guard let home = scope.declaringScope(ofDefinition: name), let found = home.model.definitions[name] else {
      let known = scope.definitionNames
      throw Diagnostics(
        .unknownName, "there is no definition '\(name)' here", at: JSONPointer(["definition"]),
        notes: known.isEmpty ? ["the file has no definitions"] : ["definitions: \(known.joined(separator: ", "))"],
        help: nearestName(to: name, among: known).map { "did you mean \"\($0)\"?" }
          ?? "declare it: \"definitions\": {\"\(name)\": {\"operators\": […]}}")
    }
    usedDefinitions.insert(name)
    let pointer = home.pointer + JSONPointer(["definitions", name])
    let origin = scope.origin + place.appending("definition")
    if home.origin.tokens.isEmpty { record?.add(definition: pointer, appliedAt: origin) }
    let inner = Scope(
      StreamModel(source: .items([])), document: home.document, identity: home.identity, outer: home, pointer: pointer,
      origin: origin, part: scope.part, within: scope)
    return Application(
      name: "the definition '\(name)'", identity: "\(home.identity ?? "")#\(home.origin)\(pointer)",
      parameters: found.parameters, operators: found.operators, scope: inner)
  }

  private func file(_ path: String, in scope: Scope, at place: JSONPointer) throws(Diagnostics) -> Application {
    let field = JSONPointer(["file"])
    if scope.part != nil {
      throw Diagnostics(
        .cannotPartition, "'apply' refers to another file, which other machines do not have", at: field,
        help: "copy its operators into 'definitions'")
    }
    guard let loader = options.loader else {
      throw Diagnostics(
        .cannotRead, "the file \"\(path)\" cannot be read: this host gives no access to files", at: field)
    }
    let loaded: StreamFile
    do throws(Diagnostics) {
      loaded = try loader.load(path, relativeTo: scope.identity)
    } catch {
      throw Diagnostics(error.all.map { $0.location == nil ? $0.prefixed(by: field) : $0 })
    }
    guard case .input(let source) = loaded.model.source, source.late != true, loaded.model.partition == nil,
      loaded.model.outputs.isEmpty
    else {
      throw Diagnostics(
        .conflictingFields, "the file \"\(path)\" does not read an input, so its operators cannot be applied",
        at: field,
        help: "a file to apply has \"source\": {\"input\": {\"name\": \"values\"}}, and no outputs or partition")
    }
    let origin = scope.origin + place.appending("file")
    record?.add(file: loaded.identity, namedAt: origin)
    let inner = Scope(
      loaded.model, document: loaded.document, identity: loaded.identity, outer: nil, pointer: JSONPointer(),
      origin: origin, within: scope)
    return Application(
      name: "the file \"\(path)\"", identity: loaded.identity, parameters: loaded.model.parameters,
      operators: loaded.model.operators, scope: inner, input: source.name)
  }

  /// Checks definitions that nothing applies, as far as possible, and warns of them.
  func reportUnusedDefinitions(of model: StreamModel, _ log: RemarkLog) {
    for name in model.definitions.names where !usedDefinitions.contains(name) {
      log.add(
        Diagnostic(
          .unusedName, "nothing applies the definition '\(name)'", at: JSONPointer(["definitions", name]), part: .key,
          severity: .warning, help: "remove it, or write {\"apply\": {\"definition\": \"\(name)\"}}"))
    }
  }
}

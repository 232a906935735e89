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
    /// The part of a file that it is, and its JSON.
    let part: String
    let content: () -> Value
    let parameters: Members<ParameterDeclaration>
    let operators: [PlacedOperator]
    let scope: Scope
    /// The applied file, and the name of the input that it reads; nil for a definition of the same file.
    var file: (loaded: StreamFile, input: String, inputs: [String: String])?
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
      guard
        expand(
          found.name, found.part, in: scope, at: place,
          help: "each 'apply' compiles the operators once more; let several places read one named stream",
          found.content)
      else { return unknown }
      let inner = found.scope
      inner.parameters.add(bind(found.parameters, to: arguments, of: found.name, in: scope, at: place))
      inner.references =
        [{ ReferenceNote.applied(found.name, at: [self.place(of: pointer, in: scope)]) }] + scope.references
      openDefinitions.append((found.identity, found.name))
      openReferences.append(found.name)
      defer {
        openDefinitions.removeLast()
        openReferences.removeLast()
      }
      if let file = found.file {
        bind(file.inputs, of: file.loaded, to: inner, in: scope, at: place, feeding: file.input)
        for (name, input) in inner.model.inputs where name != file.input && inner.bindings[name] == nil {
          declare(input, named: name, in: inner)
        }
      }
      let result = DeepStack.run {
        compile(found.operators, over: upstream, in: inner, at: inner.pointer)
      }
      record?.add(input: upstream.type, output: result.type, at: scope.origin + pointer)
      return result
    } catch {
      report(error, under: place, in: scope)
      return unknown
    }
  }

  /// Returns the place of a part of a scope's file, for messages.
  func place(of pointer: JSONPointer, in scope: Scope) -> String {
    scope.document.map { ReferenceNote.place(of: pointer, in: $0) } ?? pointer.description
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
    case (nil, .string(let path)?):
      let inputs = try inputs(boundBy: fields)
      return (try file(path, inputs, in: scope, at: place), ValueMap(arguments.pairs.filter { $0.0.text != "inputs" }))
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

  /// Returns the member `inputs` of an `apply` of a file.
  private func inputs(boundBy fields: ValueMap) throws(Diagnostics) -> [String: String] {
    guard let value = fields["inputs"] else { return [:] }
    var inputs: [String: String] = [:]
    let help = "write {\"a\": \"clicks\"}: the input of the file, and the stream or input of this file that feeds it"
    guard case .map(let map) = value else {
      throw Diagnostics(
        .wrongType, "'inputs' is \(value.describedType); expected an object", at: JSONPointer(["inputs"]), help: help)
    }
    for case (.string(let name), let target) in map.pairs {
      guard let text = target.text else {
        throw Diagnostics(
          .wrongType, "the input '\(name)' is \(target.describedType); expected a string",
          at: JSONPointer(["inputs", name]), help: help)
      }
      inputs[name] = text
    }
    return inputs
  }

  private func definition(
    named name: String, in scope: Scope, at place: JSONPointer
  ) throws(Diagnostics) -> Application {
    guard let home = scope.declaringScope(ofDefinition: name), let found = home.model.definitions[name] else {
      let (notes, near) = help(with: name, among: { scope.definitionNames }, "definitions")
      throw Diagnostics(
        .unknownName, "there is no definition '\(name)' here", at: JSONPointer(["definition"]),
        notes: notes.isEmpty ? ["the file has no definitions"] : notes,
        help: near.map { "did you mean \"\($0)\"?" }
          ?? "declare it: \"definitions\": {\"\(name)\": {\"operators\": […]}}")
    }
    let pointer = home.pointer + JSONPointer(["definitions", name])
    let identity = Self.identity(ofDefinition: name, in: home)
    usedDefinitions.insert(identity)
    let origin = scope.origin + place.appending("definition")
    if home.origin.tokens.isEmpty { record?.add(definition: pointer, appliedAt: origin) }
    let inner = Scope(
      StreamModel(source: .items([])), document: home.document, identity: home.identity, outer: home, pointer: pointer,
      origin: origin, part: scope.part, within: scope)
    return Application(
      name: ReferenceNote.definition(name), identity: identity, part: "\(home.identity ?? "")#\(pointer)",
      content: { found.json }, parameters: found.parameters,
      operators: found.operators, scope: inner)
  }

  private static func identity(ofDefinition name: String, in home: Scope) -> String {
    "\(home.identity ?? "")#\(home.origin)\(home.pointer + JSONPointer(["definitions", name]))"
  }

  private func file(
    _ path: String, _ inputs: [String: String], in scope: Scope, at place: JSONPointer
  ) throws(Diagnostics) -> Application {
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
      throw ReferenceNote.adding(
        ReferenceNote.applied(
          ReferenceNote.file(path), at: [self.place(of: JSONPointer(Array(place.tokens.dropLast())), in: scope)]),
        to: error, at: field)
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
      name: ReferenceNote.file(path), identity: loaded.identity, part: loaded.identity,
      content: { loaded.document.value }, parameters: loaded.model.parameters,
      operators: loaded.model.operators, scope: inner, file: (loaded, source.name, inputs))
  }

  /// Checks the definitions of a file that nothing applies, as unused streams are checked. Values and parameters have
  /// unknown types and assumed values there.
  func checkUnusedDefinitions(of model: StreamModel, in scope: Scope) {
    guard scope.outer == nil, !model.definitions.isEmpty else { return }
    let unused = model.definitions.filter { name, _ in
      !usedDefinitions.contains(Self.identity(ofDefinition: name, in: scope))
    }
    if scope.origin.tokens.isEmpty { unusedDefinitions = unused.map(\.name) }
    guard options.checksDefinitions else { return }
    let wasOnlyChecking = isOnlyChecking
    let (inputs, numbers, files, shared, slotCount) = (inputs, inputNumbers, compiledFiles, shared, slotCount)
    isOnlyChecking = true
    for (name, definition) in unused
    where !usedDefinitions.contains(Self.identity(ofDefinition: name, in: scope)) {
      check(definition, named: name, in: scope)
    }
    // The pipeline has nothing of them.
    (self.inputs, inputNumbers, compiledFiles, self.shared, self.slotCount) = (
      inputs, numbers, files, shared, slotCount
    )
    isOnlyChecking = wasOnlyChecking
  }

  private func check(_ definition: OperatorDefinitionPart, named name: String, in scope: Scope) {
    let pointer = scope.pointer + JSONPointer(["definitions", name])
    let inner = Scope(
      StreamModel(source: .items([])), document: scope.document, identity: scope.identity, outer: scope,
      pointer: pointer)
    inner.parameters.add(assumed(definition.parameters))
    openDefinitions.append((Self.identity(ofDefinition: name, in: scope), ReferenceNote.definition(name)))
    openReferences.append(ReferenceNote.definition(name))
    defer {
      openDefinitions.removeLast()
      openReferences.removeLast()
    }
    _ = DeepStack.run { compile(definition.operators, over: Self.nothing, in: inner, at: pointer) }
  }

  /// Warns of definitions that nothing applies.
  func reportUnusedDefinitions(_ log: RemarkLog) {
    for name in unusedDefinitions {
      log.add(
        Diagnostic(
          .unusedName, "nothing applies the definition '\(name)'", at: JSONPointer(["definitions", name]), part: .key,
          severity: .warning, help: "remove it, or write {\"apply\": {\"definition\": \"\(name)\"}}"))
    }
  }
}

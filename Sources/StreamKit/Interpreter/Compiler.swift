public import CEL
public import StreamCore
public import StreamEngine

extension StreamModel {
  /// Compiles the model: resolves names, checks and plans every expression, and builds the pipeline.
  ///
  /// - Throws: All errors, with pointers into the model. Those of a model that was parsed from a text, and not changed
  ///   since, have lines and columns.
  public func compile(_ options: CompileOptions = CompileOptions()) throws(Diagnostics) -> Pipeline {
    let (model, problems) = checked()
    guard problems.hasErrors else {
      return try Compiler.compile(self, document: check.document, identity: nil, options: options)
    }
    let others = Compiler.expressionProblems(of: model, document: nil, identity: nil, options: options)
    throw Diagnostics(problems.all + others).limited()
  }

  /// Returns the type of the stream's values; `dyn` if it is unknown.
  ///
  /// - Throws: All errors, with pointers into the model.
  public func outputType(_ options: CompileOptions = CompileOptions()) throws(Diagnostics) -> CELType {
    try checked().problems.throwErrors()
    return try Compiler.compileStream(self, document: nil, identity: nil, options: options).stream.type
  }
}

extension StreamFile {
  /// Compiles the file's model. Errors have their locations in the file.
  public func compile(_ options: CompileOptions = CompileOptions()) throws(Diagnostics) -> Pipeline {
    try Compiler.compile(model, document: document, identity: identity, options: options)
  }

  /// Returns the type of the stream's values; `dyn` if it is unknown.
  public func outputType(_ options: CompileOptions = CompileOptions()) throws(Diagnostics) -> CELType {
    try Compiler.compileStream(model, document: document, identity: identity, options: options).stream.type
  }

  func compile(_ options: CompileOptions, replacing streams: [String: Source]) throws(Diagnostics) -> Pipeline {
    try Compiler.compile(model, document: document, identity: identity, options: options, replacing: streams)
  }
}

/// Compiles models to pipelines. Every stream is compiled once; each reference to it is a separate subscription.
package final class Compiler {
  let options: CompileOptions
  var diagnostics = Diagnostics()
  var inputs: [Pipeline.Input] = []
  /// The numbers of the inputs, by name.
  var inputNumbers: [String: Int] = [:]
  /// The errors that have been reported: the same one is reported once.
  var reported: Set<Diagnostic> = []
  /// Remaining number of suggestions for unknown names, since each compares all names of the file.
  var suggestionCount = 100
  /// Streams that their subscribers share.
  var shared: [PipelineNode] = []
  var slotCount = 8
  /// The files being compiled, outermost first.
  var files: [String] = []
  /// The files that are compiled already: a file is compiled once, however often it is named.
  var compiledFiles: [FileKey: CompiledStream] = [:]
  /// Current depth of references between streams.
  private var depth = 0
  /// The functions and hooks that have been used so far.
  var usedNames: Set<String> = []
  /// The names of streams and inputs that something refers to.
  private(set) var mentionedNames: Set<String> = []
  /// The definitions being applied, outermost first.
  var openDefinitions: [(identity: String, name: String)] = []
  /// The definitions that have been applied, by identity.
  var usedDefinitions: Set<String> = []
  /// The definitions of the main file that nothing applies.
  var unusedDefinitions: [String] = []
  let usedParameters = UsedParameters()
  /// The names of parameters of definitions and other files, and help for giving them the values of the file's.
  var parametersElsewhere: [String: String] = [:]
  /// Whether the operators that are compiled belong to no stream, and are only checked.
  var isOnlyChecking = false
  /// The files that have declared the inputs.
  private(set) var filesOfInputs: [String: String] = [:]
  /// Records types and plans for explanations.
  let record: CompileRecord?
  /// Memory that every parse of an expression reuses.
  let memory = ExpressionMemory()
  /// The variables of most expressions, for the type of values that was asked for last: neighbors often have one.
  private var latest: (type: CELType, variables: [Variable])?

  /// Maximum depth of references between streams.
  package static let depthLimit = 200
  /// The most operators in one list.
  static let operatorLimit = 10_000
  /// The most subscriptions that a stream may start when it is subscribed to.
  static let subscriptionLimit = Execution.stageLimit

  private init(_ options: CompileOptions, _ record: CompileRecord?, seed: Int?) {
    var options = options
    options.seed = options.seed ?? seed
    self.options = options
    self.record = record
  }

  package static func compile(
    _ model: StreamModel, document: JSONDocument?, identity: String?, options: CompileOptions,
    replacing streams: [String: Source] = [:], record: CompileRecord? = nil
  ) throws(Diagnostics) -> Pipeline {
    let (stream, compiler) = try compileStream(
      model, document: document, identity: identity, options: options, replacing: streams, record: record)
    return Pipeline(
      root: stream.node, inputs: compiler.inputs, outputs: model.outputNames, shared: compiler.shared,
      slotCount: compiler.slotCount, limits: options.expressionLimits)
  }

  /// The errors in the expressions of a model that was read as far as possible.
  static func expressionProblems(
    of model: StreamModel, document: JSONDocument?, identity: String?, options: CompileOptions,
    record: CompileRecord? = nil
  ) -> [Diagnostic] {
    do throws(Diagnostics) {
      _ = try compile(model, document: document, identity: identity, options: options, record: record)
      return []
    } catch {
      return error.all.filter { $0.code.rawValue.hasPrefix("S2") }
    }
  }

  /// Returns the compiled stream and the compiler with its scope.
  fileprivate static func compileStream(
    _ model: StreamModel, document: JSONDocument?, identity: String?, options: CompileOptions,
    replacing streams: [String: Source] = [:], record: CompileRecord? = nil
  ) throws(Diagnostics) -> (stream: CompiledStream, compiler: Compiler) {
    let compiler = Compiler(options, record, seed: model.seed)
    if let identity { compiler.files.append(identity) }
    let scope = Scope(model, document: document, identity: identity, outer: nil, pointer: JSONPointer())
    for problem in options.host.problems { compiler.report(problem, in: scope) }
    scope.replacements = streams
    compiler.bindParameters(of: model, in: scope)
    let stream = compiler.compile(model, in: scope)
    if stream.node.subscriptionCount > subscriptionLimit {
      compiler.report(
        Diagnostic(
          .tooManySubscriptions, "the stream would subscribe to more than \(subscriptionLimit) streams and operators",
          help: "each reference to a named stream is a separate subscription"),
        in: scope)
    }
    if compiler.diagnostics.hasErrors { throw compiler.diagnostics.limited() }
    if let log = options.remarks {
      compiler.reportUnusedNames(of: model, log)
      compiler.reportUnusedParameters(of: model, log)
      compiler.reportUnusedDefinitions(log)
    }
    return (stream, compiler)
  }

  /// Compiles a model within the scope that belongs to it: its inputs, its named streams, source and operators.
  ///
  /// - Parameter output: The output to compile alone; nil for the whole model.
  func compile(_ model: StreamModel, output: String? = nil, in scope: Scope) -> CompiledStream {
    let stream = DeepStack.run { compileMembers(of: model, output, in: scope) }
    checkUnusedDefinitions(of: model, in: scope)
    // NB: after the members, which use names.
    for (index, name) in model.requires.enumerated() where !options.host.offers(name, using: usedNames) {
      report(
        Diagnostic(
          .notRegistered, "the file requires '\(name)', which this host does not have",
          at: scope.pointer + JSONPointer(["requires", String(index)]),
          help: options.host.nearestOperator(to: name).map { "did you mean '\($0)'?" }
            ?? "run the file in the app it was written for, or update streamrun"),
        in: scope)
    }
    return stream
  }

  private func compileMembers(of model: StreamModel, _ output: String?, in scope: Scope) -> CompiledStream {
    for problem in scope.types.problems(in: model.types) { report(problem.prefixed(by: scope.pointer), in: scope) }
    refuseInnerParameters(of: model, in: scope)
    for (name, input) in model.inputs where scope.bindings[name] == nil { declare(input, named: name, in: scope) }
    if let partition = model.partition { return compile(partition, of: model, in: scope) }
    // Unused streams are checked too.
    for name in model.streams.names { _ = namedStream(name, in: scope) }
    if let output, let chosen = model.outputs[output] { return compile(chosen, named: output, in: scope) }
    if !model.outputs.isEmpty { return compile(model.outputs, in: scope) }
    let source = compile(model.source, in: scope)
    let place = model.source.name.map { ["source", $0] } ?? ["stream"]
    record?.add(output: source.type, at: scope.origin + scope.pointer + JSONPointer(place))
    return compile(model.operators, over: source, in: scope, at: scope.pointer)
  }

  private func compile(_ written: Source, in scope: Scope) -> CompiledStream {
    guard let source = resolved(written, in: scope) else { return Self.nothing }
    warnOfReferences(in: written, in: scope)
    guard let definition = source.definition else {
      if case .items(let items) = source { return compile(items, in: scope) }
      return Self.nothing
    }
    let pointer = scope.pointer + JSONPointer(["source", definition.spec.name])
    refuse(definition, in: scope, at: pointer)
    let name = definition.spec.name
    refuse(timeOf: name, definition.spec, source.json.member(name) ?? .null, in: scope, at: pointer)
    var context = SourceContext(compiler: self, scope: scope, pointer: pointer)
    do throws(Diagnostics) {
      let stream = try definition.makeSource(&context)
      if case .parameterized = written { stream.node.note(meaning: JSONWriter.compact(BehaviorForm.of(definition))) }
      return stream
    } catch {
      report(error, under: pointer, in: scope)
      return Self.nothing
    }
  }

  /// Applies operators in order. An invalid operator does not hide errors in later ones.
  ///
  /// - Parameter key: The member of the value at `pointer` that holds them; nil if the value is the array itself.
  func compile(
    _ operators: [PlacedOperator], over source: CompiledStream, in scope: Scope, at pointer: JSONPointer,
    key: String? = "operators"
  ) -> CompiledStream {
    let pointer = key.map { pointer.appending($0) } ?? pointer
    guard operators.count <= Self.operatorLimit else {
      report(
        Diagnostic(
          .outOfRange, "there are \(operators.count) operators; at most \(Self.operatorLimit) are allowed",
          at: pointer),
        in: scope)
      return source
    }
    var stream = source
    for (index, placed) in operators.enumerated() {
      stream = compile(
        placed, over: stream, in: scope, at: pointer.appending(index))
    }
    return stream
  }

  private func compile(
    _ placed: PlacedOperator, over upstream: CompiledStream, in scope: Scope, at pointer: JSONPointer
  ) -> CompiledStream {
    record?.note(input: upstream.type, at: scope.origin + pointer)
    // The output type of an operator that could not be read is unknown.
    if placed.isUnreadable { return CompiledStream(upstream.node) }
    let fields = pointer.appending(placed.operator.name)
    warnOfReferences(in: placed.operator, at: fields, in: scope)
    var written = placed.operator
    let definition: any OperatorFields
    do throws(Diagnostics) {
      if case .custom(let custom) = written, custom.isUnresolved {
        if custom.name == Operator.Custom.applyName {
          return apply(placed, custom, over: upstream, in: scope, at: pointer)
        }
        guard let resolved = try resolved(custom, in: scope) else { return CompiledStream(upstream.node) }
        written = resolved
      }
      definition = try written.definition(for: options.host)
    } catch {
      report(error.prefixed(by: fields), in: scope)
      return CompiledStream(upstream.node)
    }
    if let spec = Operator.entry(named: placed.operator.name)?.spec {
      refuse(timeOf: placed.operator.name, spec, written.fields, in: scope, at: fields)
    }
    let streams = definition.joined.map { compile($0, over: upstream.type, in: scope, at: fields + $0.pointer) }
    let stream = compile(
      definition, named: placed.operator.name, errorPolicy: placed.onError ?? .fail, over: upstream, streams, in: scope,
      at: pointer, fields: fields)
    if case .custom(let custom) = placed.operator, custom.isUnresolved, stream.node !== upstream.node {
      stream.node.note(meaning: Self.meaning(of: definition))
    }
    return observed(stream, placed, at: scope.origin + pointer, scope.frameDepth)
  }

  /// Compiles an operator whose joined streams are compiled.
  ///
  /// - Parameters:
  ///   - pointer: The location of the operator.
  ///   - fields: The location of its fields.
  func compile(
    _ definition: any OperatorFields, named name: String, errorPolicy: ErrorPolicy, over upstream: CompiledStream,
    _ streams: [CompiledStream], in scope: Scope, at pointer: JSONPointer, fields: JSONPointer
  ) -> CompiledStream {
    let joined = definition.joined
    var context = OperatorContext(
      inputType: upstream.type, joinedTypes: streams.map(\.type),
      joinedNames: joined.map { if case .reference(.name(let name)) = $0.kind { name } else { nil } },
      outputType: Operator.entry(named: name) == nil ? .dyn : upstream.type, name: name,
      valueVariables: valueVariables(over: upstream.type),
      pointer: scope.origin + fields, captured: scope.captured, options: options(in: scope), record: record,
      memory: memory)
    context.types = scope.types
    defer {
      usedNames.formUnion(context.usedHooks)
      for (field, variables) in context.seen { record?.note(variables, at: scope.origin + fields.appending(field)) }
    }
    do throws(Diagnostics) {
      var upstreams = [probed(upstream.node, for: definition, at: fields, in: scope)]
      for stream in streams { upstreams.append(stream.node) }
      let place = OperatorPlace(
        name: name, pointer: scope.origin + pointer, errorPolicy: errorPolicy,
        frameDepth: scope.frameDepth, upstreams: upstreams)
      context.sharedCount = shared.count
      var node = try definition.node(at: place, &context)
      slotCount = max(slotCount, context.slotCount)
      if context.sharedCount > shared.count { shared.append(node) }
      record?.add(
        input: upstream.type, output: context.outputType, context.planned, at: scope.origin + pointer)
      if context.fuses { node = node.withInnerStreams(over: upstream.type) }
      return CompiledStream(node, type: context.outputType)
    } catch {
      report(error.prefixed(by: fields), in: scope)
      return CompiledStream(upstream.node)
    }
  }

  /// The variables of most expressions, for values of a type.
  private func valueVariables(over type: CELType) -> [Variable] {
    if let latest, latest.type == type { return latest.variables }
    let variables = [Variable("value", type), Variable("index", .int)]
    latest = (type, variables)
    return variables
  }

  /// Returns the options for planning expressions in a scope. Coverage applies to the main file only.
  func options(in scope: Scope) -> CompileOptions {
    let hidesCoverage = options.coverage != nil && (isOnlyChecking || !scope.origin.tokens.isEmpty)
    guard hidesCoverage || !scope.constants.isEmpty || options.seed == nil else { return options }
    var copy = options
    if hidesCoverage { copy.coverage = nil }
    copy.constants = scope.constants
    copy.constantTypes = scope.constantTypes
    copy.usedParameters = usedParameters
    copy.countedParameters = scope.ownParameters
    copy.seed = options.seed ?? scope.seed
    return copy
  }

  /// Returns the upstream of an operator, wrapped in a probe if coverage is recorded.
  private func probed(
    _ upstream: PipelineNode, for definition: any OperatorFields, at pointer: JSONPointer, in scope: Scope
  ) -> PipelineNode {
    guard options.coverage != nil, let coverage = options(in: scope).coverage else { return upstream }
    return coverage.probe(upstream, of: type(of: definition).exercisingEvent, at: pointer)
  }

  // MARK: Names

  /// A stream that an operator takes.
  private func compile(
    _ joined: JoinedStream, over upstream: CELType, in scope: Scope, at pointer: JSONPointer
  ) -> CompiledStream {
    let captures = joined.captures.map { $0.map { $0.variable(over: upstream) } }
    switch joined.kind {
    case .reference(let reference):
      return compile(reference, in: scope, at: pointer, capturing: captures)
    case .fed(let operators, let limit, let isElement):
      guard enter(scope, at: pointer) else { return Self.nothing }
      defer { depth -= 1 }
      let inner = Scope(
        StreamModel(source: .items([])), document: scope.document, identity: scope.identity, outer: scope,
        pointer: pointer, capturing: captures)
      let feed = CompiledStream(
        .feed(pointer: scope.origin + pointer, limit: limit, frameDepth: inner.frameDepth),
        type: isElement ? .dyn : upstream)
      return DeepStack.run { compile(operators, over: feed, in: inner, at: pointer, key: nil) }
    }
  }

  /// A stream that an operator or a source refers to.
  ///
  /// - Parameter captures: the variables of the value that a model in place is started for; nil if it is for none.
  func compile(
    _ reference: StreamReference, in scope: Scope, at pointer: JSONPointer, capturing captures: [Variable]? = nil
  ) -> CompiledStream {
    switch reference {
    case .name(let name):
      return stream(named: name, in: scope, at: pointer)
    case .model(let model):
      guard enter(scope, at: pointer) else { return Self.nothing }
      defer { depth -= 1 }
      return compile(
        model,
        in: Scope(
          model, document: scope.document, identity: scope.identity, outer: scope, pointer: pointer,
          capturing: captures))
    }
  }

  /// The stream of a name, else the input of it.
  func stream(named name: String, in scope: Scope, at pointer: JSONPointer) -> CompiledStream {
    mentionedNames.insert(name)
    if let declaringScope = scope.declaringScope(ofStream: name) {
      if declaringScope.isOpen(name) {
        let cycle = declaringScope.path(to: name) + [name]
        report(
          Diagnostic(
            .cycle, "the streams refer to each other in a circle: \(cycle.joined(separator: " → "))", at: pointer,
            help: "a stream cannot contain itself"),
          in: scope)
        return Self.nothing
      }
      guard enter(scope, at: pointer) else { return Self.nothing }
      defer { depth -= 1 }
      return namedStream(name, in: declaringScope)
    }
    if scope.declaration(ofInput: name) != nil { return input(named: name, in: scope, at: pointer) }
    let (notes, near) = help(with: name, among: { scope.streamNames + scope.inputNames })
    report(
      Diagnostic(
        .unknownStream, "there is no stream or input '\(name)' here", at: pointer,
        notes: notes.isEmpty ? ["the file has no named streams and no inputs"] : notes,
        help: near.map { "did you mean \"\($0)\"?" } ?? "declare it under 'streams' or 'inputs'"),
      in: scope)
    return Self.nothing
  }

  /// The input of a name, which must be declared.
  func input(named name: String, in scope: Scope, at pointer: JSONPointer) -> CompiledStream {
    mentionedNames.insert(name)
    if let bound = scope.binding(ofInput: name) { return bound.stream }
    guard let declaration = scope.declaration(ofInput: name), let number = inputNumbers[name] else {
      let (notes, near) = help(with: name, among: { scope.inputNames }, "inputs")
      report(
        Diagnostic(
          .unknownInput, "there is no input '\(name)'", at: pointer, notes: notes,
          help: near.map { "did you mean \"\($0)\"?" } ?? "declare it: \"inputs\": {\"\(name)\": {}}"),
        in: scope)
      return Self.nothing
    }
    if let part = scope.part { return input(named: name, of: part, in: scope, at: pointer) }
    return CompiledStream(
      .input(number, pointer: scope.origin + pointer), type: declaration.declaredType(in: scope.types))
  }

  func namedStream(_ name: String, in scope: Scope) -> CompiledStream {
    if let known = scope.compiled[name] { return known }
    guard !scope.isOpen(name), let model = scope.model.streams[name] else { return Self.nothing }
    let pointer = scope.pointer + JSONPointer(["streams", name])
    let inner = Scope(model, document: scope.document, identity: scope.identity, outer: scope, pointer: pointer)
    scope.open.append(name)
    defer { scope.open.removeLast() }
    var stream: CompiledStream
    if let replacement = scope.replacements[name] {
      stream = compile(replacement, in: inner)
    } else {
      stream = compile(model, in: inner)
    }
    if stream.node.subscriptionCount > Self.subscriptionLimit {
      report(
        Diagnostic(
          .tooManySubscriptions,
          "the stream '\(name)' would subscribe to more than \(Self.subscriptionLimit) streams and operators",
          at: pointer, part: .key, help: "each reference to a named stream is a separate subscription"),
        in: scope)
      stream = Self.nothing
    }
    scope.compiled[name] = stream
    record?.note(stream: stream.type, at: scope.origin + pointer)
    return stream
  }

  func declare(_ input: InputDeclaration, named name: String, in scope: Scope) {
    warnOfReference(
      in: input.initialValue, at: scope.pointer + JSONPointer(["inputs", name, "initialValue"]), in: scope)
    for problem in input.problems(in: scope.types) {
      report(problem.prefixed(by: scope.pointer + JSONPointer(["inputs", name])), in: scope)
    }
    let declared = Pipeline.Input(
      name, input.declaredType(in: scope.types), initialValue: input.startingValue(in: scope.types),
      capacity: input.buffer?.capacity ?? Pipeline.Input.defaultCapacity, whenFull: input.buffer?.whenFull ?? .fail,
      time: time(of: input, named: name, in: scope))
    declare(declared, at: scope.pointer + JSONPointer(["inputs", name]), in: scope)
  }

  /// Adds an input unless it exists, and returns its number.
  @discardableResult
  func declare(_ input: Pipeline.Input, at pointer: JSONPointer, in scope: Scope) -> Int {
    let number = inputNumbers[input.name] ?? inputs.count
    if number == inputs.count {
      inputNumbers[input.name] = number
      inputs.append(input)
      filesOfInputs[input.name] = scope.identity
    } else if inputs[number] != input {
      report(
        Diagnostic(
          .duplicateName, "the input '\(input.name)' is already declared differently", at: pointer, part: .key,
          help: "declare both identically, or rename one of them"),
        in: scope)
    }
    return number
  }

  private func enter(_ scope: Scope, at pointer: JSONPointer) -> Bool {
    guard depth < Self.depthLimit else {
      report(
        Diagnostic(
          .tooDeep, "references between streams are nested more than \(Self.depthLimit) levels deep", at: pointer),
        in: scope)
      return false
    }
    depth += 1
    return true
  }
}

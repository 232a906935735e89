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
  var depth = 0
  /// The functions and hooks that have been used so far.
  var usedNames: Set<String> = []
  /// The names of streams and inputs that something refers to.
  var mentionedNames: Set<String> = []
  /// The definitions and files that lead to the part being compiled, outermost first: "the definition 'smooth'".
  var openReferences: [String] = []
  /// The text that references repeat.
  let expansion: ExpansionBudget
  /// Number of operators and sources so far, and whether a bound has been exceeded, so that the rest is not compiled.
  var partCount = 0
  var isStopped = false
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
  var filesOfInputs: [String: String] = [:]
  /// Records types and plans for explanations.
  let record: CompileRecord?
  /// Memory that every parse of an expression reuses.
  let memory = ExpressionMemory()
  /// The variables of most expressions, for the type of values that was asked for last: neighbors often have one.
  private var latest: (type: CELType, variables: [Variable])?

  /// Maximum depth of references between streams.
  package static let depthLimit = 200
  /// The most parts of a type, as of those that a file declares.
  static let typeLimit = TypeReader.partLimit
  /// The most operators in one list.
  static let operatorLimit = 10_000
  /// The most subscriptions that a stream may start when it is subscribed to.
  static let subscriptionLimit = Execution.stageLimit

  private init(_ options: CompileOptions, _ record: CompileRecord?, seed: Int?) {
    var options = options
    options.seed = options.seed ?? seed
    expansion = ExpansionBudget(within: options.expansion)
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
      slotCount: compiler.slotCount, limits: options.expressionLimits, followsValues: options.valuesHaveTimes)
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
    if let total = options.expansion, !total.use(identity ?? "", { document?.value ?? model.json }) {
      compiler.stop(compiler.tooManyTests, in: scope)
    }
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

  func compile(_ written: Source, in scope: Scope) -> CompiledStream {
    guard mayContinue(in: scope, at: scope.pointer) else { return Self.nothing }
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
    guard mayContinue(in: scope, at: pointer) else { return upstream }
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
      // Operators that keep arrays, or join streams, make types of types.
      let isSame = context.outputType == upstream.type
      return CompiledStream(
        node, type: isSame ? upstream.type : context.outputType.limited(parts: Self.typeLimit, levels: 64))
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
    guard hidesCoverage || !scope.parameters.isEmpty || options.seed == nil else { return options }
    var copy = options
    if hidesCoverage { copy.coverage = nil }
    copy.bound = scope.parameters
    copy.usedParameters = usedParameters
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
}

internal import CEL
internal import StreamCore
internal import StreamEngine

/// The streams and inputs that operators and sources refer to, by name or in place.
extension Compiler {
  /// A stream that an operator takes.
  func compile(
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
    let type = input.declaredType(in: scope.types)
    guard expand(type, of: input, named: name, in: scope) else { return }
    let declared = Pipeline.Input(
      name, type, initialValue: input.startingValue(in: scope.types),
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

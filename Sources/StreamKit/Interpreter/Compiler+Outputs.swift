internal import CEL
internal import StreamCore
internal import StreamEngine

extension Compiler {
  /// A file, and the output that is used of it.
  struct FileKey: Hashable {
    let identity: String
    let output: String?
  }

  func compile(_ outputs: Members<StreamModel.Output>, in scope: Scope) -> CompiledStream {
    let place = scope.pointer.appending("outputs")
    guard scope.outer == nil, scope.origin.tokens.isEmpty else {
      report(
        Diagnostic(
          .conflictingFields, "only a whole file has outputs, not a stream that another one refers to", at: place,
          part: .key, help: "move the outputs to the top of the file, or into a file of their own"),
        in: scope)
      return Self.nothing
    }
    let upstreams = outputs.map { name, output in
      tagged(compile(output, named: name, in: scope), with: name, in: scope, at: place.appending(name))
    }
    return CompiledStream(
      .machine(
        OutputsMachine(outputs.names), name: PipelineNode.outputsName, pointer: place, upstreams: upstreams,
        frameDepth: scope.frameDepth))
  }

  /// Returns the values of an output, without its name.
  func compile(_ output: StreamModel.Output, named name: String, in scope: Scope) -> CompiledStream {
    let place = scope.pointer + JSONPointer(["outputs", name])
    let values = compile(output.stream, in: scope, at: place.appending("stream"))
    check(output, named: name, values.type, in: scope, at: place)
    record?.add(output: values.type, at: scope.origin + place)
    guard let coverage = options(in: scope).coverage else { return values }
    let probe = coverage.probe(values.node, of: .value, at: place)
    return CompiledStream(probe, type: values.type)
  }

  /// Reports a declared type that the values are known not to have.
  private func check(
    _ output: StreamModel.Output, named name: String, _ type: CELType, in scope: Scope, at pointer: JSONPointer
  ) {
    guard let declaration = output.type, let declared = try? CELType(declaration, in: scope.types),
      !type.mayBe(declared, numbers: .mixed)
    else { return }
    report(
      Diagnostic(
        .typeMismatch,
        "the values of the output '\(name)' have the type \(scope.types.description(of: type)), not \(scope.types.description(of: declared))",
        at: pointer.appending("type"), help: "change the type, or convert the values with a map"),
      in: scope)
  }

  /// Returns the values of an output as objects with its name: a map that is not written in the file.
  private func tagged(
    _ values: CompiledStream, with name: String, in scope: Scope, at pointer: JSONPointer
  ) -> PipelineNode {
    var options = options(in: scope)
    options.coverage = nil
    var context = OperatorContext(
      inputType: values.type, joinedTypes: [], joinedNames: [], outputType: values.type, name: "map",
      valueVariables: [Variable("value", values.type), Variable("index", .int)], pointer: pointer,
      captured: [], options: options, record: nil, memory: memory)
    do throws(Diagnostics) {
      let node = try Operator.Map(expression: CELExpression("{\(JSONWriter.compact(.string(name))): value}")).node(
        at: OperatorPlace(
          name: "map", pointer: pointer, errorPolicy: .fail, frameDepth: scope.frameDepth, upstreams: [values.node]),
        &context)
      slotCount = max(slotCount, context.slotCount)
      return node
    } catch {
      report(error.prefixed(by: pointer), in: scope)
      return values.node
    }
  }

  /// Returns the stream of a loaded file: its own values, or those of one of its outputs.
  ///
  /// - Throws: The error in the choice of the output, relative to the reference to the file.
  func compile(
    _ file: StreamFile, output: String?, in scope: Scope
  ) throws(Diagnostics) -> CompiledStream {
    let names = file.model.outputNames
    guard let output else {
      guard names.isEmpty else {
        throw Diagnostics(
          .missingField, "the file \"\(file.document.file)\" has several outputs; one must be chosen",
          notes: ["outputs: \(names.listed)"],
          help: "add \"output\": \(JSONWriter.compact(.string(names[0])))")
      }
      return compile(file.model, in: scope)
    }
    guard file.model.outputs[output] != nil else {
      let (notes, near) = help(with: output, among: { names }, "outputs")
      throw Diagnostics(
        .unknownStream, "the file \"\(file.document.file)\" has no output '\(output)'", at: JSONPointer(["output"]),
        notes: notes,
        help: names.isEmpty
          ? "remove \"output\": the file has a single stream" : near.map { "did you mean '\($0)'?" })
    }
    return compile(file.model, output: output, in: scope)
  }
}

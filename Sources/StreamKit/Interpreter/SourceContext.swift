internal import CEL
internal import StreamCore
internal import StreamEngine

/// The context in which a source is compiled.
package struct SourceContext {
  let compiler: Compiler
  let scope: Scope
  /// Location of the fields in the file.
  let pointer: JSONPointer

  /// Opens data files, if the host gives access to them.
  var files: (any ValueFiles)? { compiler.options.files }
  /// The file that contains the source.
  var file: String? { scope.identity }
  /// Location of the fields relative to the main file, as in failures.
  var place: JSONPointer { scope.origin + pointer }

  /// A source that runs a machine, which publishes values of this type.
  func machine(
    _ machine: some Machine, name: String, type: CELType = .dyn, upstreams: [PipelineNode] = []
  ) -> CompiledStream {
    CompiledStream(
      .machine(
        machine, name: name, pointer: scope.origin + pointer, upstreams: upstreams, frameDepth: scope.frameDepth,
        isSource: true),
      type: type)
  }

  /// Parses, checks and plans the expression of a field over the captured variables and `variables`.
  func plan(
    _ expression: CELExpression, owner: String, field: String, over variables: [Variable] = [], result: CELType = .dyn
  ) throws(Diagnostics) -> PlannedExpression {
    compiler.slotCount = max(compiler.slotCount, scope.captured.count + variables.count)
    compiler.record?.note(
      OperatorContext.visible(scope.captured, under: variables) + variables, at: place.appending(field))
    let planned = try OperatorContext.plan(
      expression, owner: owner, field: field, at: scope.origin + pointer, over: variables,
      capturing: scope.captured, result: result, options: compiler.options(in: scope), using: compiler.memory)
    compiler.record?.add(
      CompileRecord.Planned(field: field, expression: expression.text, plan: planned.plan), at: place)
    return planned
  }

  /// Returns the stream that a field refers to or contains.
  func stream(_ reference: StreamReference, field: String) -> CompiledStream {
    compiler.compile(reference, in: scope, at: pointer.appending(field))
  }

  /// The stream, or the input, of a name.
  func stream(named name: String, field: String) -> CompiledStream {
    compiler.stream(named: name, in: scope, at: pointer.appending(field))
  }

  func input(named name: String, field: String) -> CompiledStream {
    compiler.input(named: name, in: scope, at: pointer.appending(field))
  }

  /// The values of an input that arrive too late.
  func lateValues(ofInput name: String, nameField: String, field: String) -> CompiledStream {
    compiler.lateValues(ofInput: name, in: scope, at: pointer, nameField: nameField, field: field)
  }

  /// The stream of another file.
  ///
  /// - Parameters:
  ///   - output: The output of the file; nil for a file without named outputs.
  ///   - use: The streams that feed its inputs, and the values of its parameters.
  func file(
    _ path: String, output: String? = nil, field: String, use: FileUse = FileUse()
  ) throws(Diagnostics) -> CompiledStream {
    let place = JSONPointer([field])
    guard let loader = compiler.options.loader else {
      throw Diagnostics(
        .cannotRead, "the file \"\(path)\" cannot be read: this host gives no access to files", at: place)
    }
    let loaded: StreamFile
    do throws(Diagnostics) {
      loaded = try loader.load(path, relativeTo: scope.identity)
    } catch {
      // A file that cannot be opened is reported at the reference; errors inside it are reported in the file.
      throw ReferenceNote.adding(
        ReferenceNote.used(ReferenceNote.file(path), at: [compiler.place(of: pointer.appending(field), in: scope)]),
        to: error, at: place)
    }
    let key = Compiler.FileKey(identity: loaded.identity, output: output)
    if use.isPlain, let known = compiler.compiledFiles[key] { return known }
    if let first = compiler.files.firstIndex(of: loaded.identity) {
      let circle = compiler.files[first...].map(Self.lastComponent) + [Self.lastComponent(loaded.identity)]
      throw Diagnostics(
        .cycle, "the files refer to each other in a circle: \(circle.joined(separator: " → "))", at: place,
        help: "a stream cannot contain itself")
    }
    guard compiler.files.count < Compiler.depthLimit else {
      throw Diagnostics(
        .tooDeep, "references between files are nested more than \(Compiler.depthLimit) levels deep", at: place)
    }
    let name = ReferenceNote.file(path)
    guard
      compiler.expand(
        name, loaded.identity, in: scope, at: pointer.appending(field),
        help: "each reference with other inputs, parameters or outputs compiles the file once more",
        { loaded.document.value })
    else { return Compiler.nothing }
    compiler.files.append(loaded.identity)
    compiler.openReferences.append(name)
    defer {
      compiler.files.removeLast()
      compiler.openReferences.removeLast()
    }
    let origin = scope.origin + pointer.appending(field)
    compiler.record?.add(file: loaded.identity, namedAt: origin)
    let inner = Scope(
      loaded.model, document: loaded.document, identity: loaded.identity, outer: nil, pointer: JSONPointer(),
      origin: origin)
    let (compiler, scope, reference) = (compiler, scope, pointer.appending(field))
    inner.references =
      [{ ReferenceNote.used(name, at: [compiler.place(of: reference, in: scope)]) }] + scope.references
    compiler.bind(use, of: loaded, to: inner, in: scope, at: pointer)
    let stream = try compiler.compile(loaded, output: output, in: inner)
    if use.isPlain { compiler.compiledFiles[key] = stream }
    return stream
  }

  private static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

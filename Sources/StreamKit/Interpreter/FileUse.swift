internal import CEL
internal import StreamCore
internal import StreamEngine

/// The streams and the values that a reference to another file gives to it.
struct FileUse {
  /// The stream or input of this file that feeds each input of the other file.
  var inputs: [String: String] = [:]
  /// The values of its parameters.
  var parameters = ValueMap()

  /// Whether nothing is given, so that all references to the file are the same.
  var isPlain: Bool { inputs.isEmpty && parameters.count == 0 }
}

extension Compiler {
  /// Binds inputs and parameters of a file that another one refers to.
  ///
  /// - Parameter pointer: The location of the reference in the file of `outer`.
  func bind(_ use: FileUse, of file: StreamFile, to inner: Scope, in outer: Scope, at pointer: JSONPointer) {
    inner.parameters.add(
      bind(
        file.model.parameters, to: use.parameters, of: "the file \"\(file.document.file)\"", in: outer,
        at: use.parameters.count == 0 ? pointer : pointer.appending("parameters")))
    bind(use.inputs, of: file, to: inner, in: outer, at: pointer)
  }

  /// Feeds inputs of a file that another one refers to, and warns of names that both files have.
  ///
  /// - Parameters:
  ///   - pointer: The location of the reference in the file of `outer`.
  ///   - ownInput: The input that the values at an `apply` feed; nil if the file is a source.
  func bind(
    _ inputs: [String: String], of file: StreamFile, to inner: Scope, in outer: Scope, at pointer: JSONPointer,
    feeding ownInput: String? = nil
  ) {
    let names = file.model.inputs.names
    for (name, target) in inputs.sorted(by: { $0.key < $1.key }) {
      let place = pointer + JSONPointer(["inputs", name])
      if name == ownInput {
        report(
          Diagnostic(
            .conflictingFields, "the values at 'apply' feed the input '\(name)' of \"\(file.document.file)\"",
            at: place,
            part: .key, help: "remove it, or write {\"stream\": {\"file\": …, \"inputs\": {…}}} as a source"),
          in: outer)
        continue
      }
      guard let declaration = file.model.inputs[name] else {
        let (notes, near) = help(with: name, among: { names }, "inputs")
        report(
          Diagnostic(
            .unknownInput, "the file \"\(file.document.file)\" has no input '\(name)'", at: place, part: .key,
            notes: notes.isEmpty ? ["it has no inputs"] : notes, help: near.map { "did you mean '\($0)'?" }),
          in: outer)
        continue
      }
      let fed = stream(named: target, in: outer, at: place)
      let type = declaration.declaredType
      if !fed.type.mayBe(type, numbers: .mixed) {
        report(
          Diagnostic(
            .typeMismatch,
            "the values of '\(target)' have the type \(fed.type), but the input '\(name)' is declared as \(type)",
            at: place, help: "convert them with a map in a stream of this file, and bind that stream"),
          in: outer)
      }
      func converted(_ stream: CompiledStream) -> CompiledStream {
        if type == .dyn || type == stream.type { return stream }
        let machine = BoundInputMachine(conversion: InputConversion(type), input: name, file: file.document.file)
        return CompiledStream(
          .machine(
            machine, name: "input", pointer: outer.origin + place, upstreams: [stream.node],
            frameDepth: outer.frameDepth), type: type)
      }
      let time = outer.declaration(ofInput: target)?.time
      inner.bindings[name] = InputBinding(
        stream: converted(fed),
        lateValues: time?.late != .output
          ? nil
          : { [self] in
            converted(
              lateValues(ofInput: target, in: outer, at: pointer.appending("inputs"), nameField: name, field: name))
          })
      if let own = declaration.time, own != time, !outer.hasClock(own) {
        warnOfClock(ofInput: name, of: file, fedBy: target, in: outer, at: place)
      }
    }
    if let ownInput, let own = file.model.inputs[ownInput]?.time, !outer.hasClock(own) {
      warnOfClock(ofInput: ownInput, of: file, fedBy: nil, in: outer, at: pointer)
    }
    guard let log = options.remarks else { return }
    for name in names where inputs[name] == nil && name != ownInput && isDeclared(name, outside: file) {
      let isOfOuter = outer.declaration(ofInput: name) != nil
      let binding = "\"inputs\": {\"\(name)\": \"\(name)\"}"
      log.add(
        Diagnostic(
          .duplicateName,
          "the input '\(name)' of \(isOfOuter ? "this" : "another") file also feeds the input '\(name)' of "
            + "\"\(file.document.file)\"",
          at: outer.origin + pointer.appending("file"), severity: .warning,
          help: isOfOuter
            ? "write \(binding) beside \"file\" if that is meant, or rename one of them"
            : "if that is meant, declare '\(name)' among the inputs of this file and write \(binding) beside each "
              + "\"file\", or rename one of them"))
    }
  }
}

extension Compiler {
  /// Warns that values keep the order in which they come, whatever the clock of the input that they feed.
  ///
  /// - Parameters:
  ///   - target: The input or the stream that feeds it; nil for the values at an `apply`.
  ///   - pointer: The location of the binding.
  private func warnOfClock(
    ofInput name: String, of file: StreamFile, fedBy target: String?, in outer: Scope, at pointer: JSONPointer
  ) {
    let feeder = target.map { "'\($0)'" } ?? "the values at 'apply'"
    let isInput = target.map { outer.declaration(ofInput: $0) != nil } ?? false
    options.remarks?.add(
      Diagnostic(
        .invalidEventTime,
        "the 'time' of the input '\(name)' of \"\(file.document.file)\" has no effect: \(feeder) "
          + (target == nil ? "feed it in the order in which they come" : "feeds it in an order of its own"),
        at: outer.origin + pointer, severity: .warning,
        help: isInput
          ? "declare the same 'time' at the input \(feeder)"
          : "declare 'time' at the input of this file that the values come from"))
  }

  /// Whether the pipeline has an input of this name already, which another file has declared.
  private func isDeclared(_ input: String, outside file: StreamFile) -> Bool {
    inputNumbers[input] != nil && filesOfInputs[input] != file.identity
  }
}

/// Converts the values of a stream to the type of the input that it feeds.
private struct BoundInputMachine: Machine {
  let conversion: InputConversion
  let input: String
  let file: String

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    do throws(InputConversion.Problem) {
      effects.publish(try conversion.convert(value))
    } catch {
      let place = error.tokens.isEmpty ? "" : " (at \(JSONPointer(error.tokens)))"
      throw StreamFailure(
        .inputTypeMismatch, "the input '\(input)' of \"\(file)\": \(error.message)\(place)", value: value)
    }
  }
}

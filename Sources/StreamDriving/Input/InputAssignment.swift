internal import CEL
package import StreamCore
package import StreamEngine
internal import StreamFiles
package import StreamKit

/// The assignment of files and initial values to inputs, from the arguments.
package struct InputAssignment {
  let stream: StreamFile
  let pipeline: Pipeline
  /// Whether standard input is there to feed an input.
  let readsStandardInput: Bool
  /// The numbers of the inputs that files can feed: all but those for late values.
  private let numbers: [Int]
  package private(set) var problems = Diagnostics()

  package init(_ stream: StreamFile, _ pipeline: Pipeline, readsStandardInput: Bool) {
    self.stream = stream
    self.pipeline = pipeline
    self.readsStandardInput = readsStandardInput
    numbers = pipeline.inputs.indices.filter { pipeline.inputs[$0].lateOf == nil }
  }

  /// The number of the only input; nil if there is none or several.
  private var onlyNumber: Int? { numbers.count == 1 ? numbers[0] : nil }

  /// The path of the file for each input that is fed, by the input's number. `-` is standard input.
  ///
  /// Standard input feeds the input named `stdin`, else the only input, else the only one that nothing else feeds and
  /// that has no initial value. The files are in the order of the names of their inputs.
  ///
  /// - Parameter set: The initial values that the arguments give.
  package mutating func files(
    _ arguments: [NamedArgument], setting set: [NamedArgument] = []
  ) -> [(number: Int, path: String)] {
    var files: [(number: Int, path: String)] = []
    for argument in arguments {
      let only = argument.name.isEmpty ? onlyNumber : nil
      let argument = only.map { argument.named(pipeline.inputs[$0].name) } ?? argument
      guard let number = number(of: argument, option: "--input") else { continue }
      if files.contains(where: { $0.number == number }) {
        problems.append(
          Diagnostic(
            .invalidArgument, "the input '\(argument.name)' is fed twice", help: "give a single --input for it"))
      } else if argument.text == StandardInput.argument, files.contains(where: { $0.path == argument.text }) {
        problems.append(
          Diagnostic(.invalidArgument, "standard input cannot feed '\(argument.name)': it feeds another input already"))
      } else {
        files.append((number, argument.text))
      }
    }
    if readsStandardInput, !files.contains(where: { $0.path == StandardInput.argument }) {
      var waiting = numbers.filter { number in
        pipeline.inputs[number].initialValue == nil && !files.contains { $0.number == number }
      }
      // Among several, one that the arguments set needs no values; the only one keeps standard input.
      if waiting.count > 1 { waiting.removeAll { number in set.contains { $0.name == pipeline.inputs[number].name } } }
      let named = pipeline.input(named: "stdin") ?? onlyNumber
      if let number = named ?? (waiting.count == 1 ? waiting[0] : nil), !files.contains(where: { $0.number == number })
      {
        files.append((number, StandardInput.argument))
      }
    }
    // The order of inputs whose values have the same time; see `PreparedTest.makePlayer`.
    return files.sorted { pipeline.inputs[$0.number].name < pipeline.inputs[$1.number].name }
  }

  /// The pipeline whose inputs have these initial values.
  package mutating func pipeline(setting arguments: [NamedArgument]) -> Pipeline {
    var inputs = pipeline.inputs
    var seen: Set<Int> = []
    for argument in arguments {
      guard let number = number(of: argument, option: "--set") else { continue }
      guard seen.insert(number).inserted else {
        problems.append(Diagnostic(.invalidArgument, "the input '\(argument.name)' is set twice"))
        continue
      }
      guard let value = value(of: argument) else { continue }
      inputs[number] = inputs[number].beginning(with: value)
    }
    return pipeline.declaring(inputs)
  }

  /// Rejects inputs without a feed.
  mutating func requireFed(_ files: [(number: Int, path: String)], _ inputs: [Pipeline.Input]) {
    for (number, input) in inputs.enumerated() where input.initialValue == nil && input.lateOf == nil {
      guard !files.contains(where: { $0.number == number }) else { continue }
      let pipes = !files.contains { $0.path == StandardInput.argument }
      problems.append(
        stream.document.locate(
          Diagnostic(
            .inputNotFed, "nothing feeds the input '\(input.name)', and it has no initial value",
            at: JSONPointer(["inputs", input.name]), part: .key,
            help: pipes
              ? "write --input \(input.name)=FILE; --input \(input.name)=- reads standard input"
              : "write --input \(input.name)=FILE")))
    }
  }

  private mutating func number(of argument: NamedArgument, option: String) -> Int? {
    if let number = pipeline.input(named: argument.name), numbers.contains(number) { return number }
    let names = numbers.map { pipeline.inputs[$0].name }
    let parameters = option == "--set" ? stream.model.parameters.names : []
    if argument.name.isEmpty {
      problems.append(
        Diagnostic(
          .invalidArgument, "\(option) \(argument.text) names no input, and the stream has several",
          notes: [names.isEmpty ? "the stream has no inputs" : "inputs: \(names.listed)"],
          help: names.first.map { "write \(option) \($0)=\(argument.text)" }))
      return nil
    }
    problems.append(
      Diagnostic(
        .unknownInput, "there is no input\(parameters.isEmpty ? "" : " or parameter") '\(argument.name)' for \(option)",
        notes: [names.isEmpty ? "the stream has no inputs" : "inputs: \(names.listed)"]
          + (parameters.isEmpty ? [] : ["parameters: \(parameters.listed)"]),
        help: nearestName(to: argument.name, among: names + parameters).map { "did you mean '\($0)'?" }))
    return nil
  }

  private mutating func value(of argument: NamedArgument) -> Value? {
    let type = pipeline.inputs.first { $0.name == argument.name }?.type ?? .dyn
    do throws(Diagnostics) {
      let document = try argument.json(option: "--set")
      do throws(InputConversion.Problem) {
        return try InputConversion(type).convert(document.value)
      } catch {
        throw Diagnostics([
          document.locate(
            Diagnostic(
              .inputTypeMismatch, "\(error.message), in the input '\(argument.name)'", at: JSONPointer(error.tokens)))
        ])
      }
    } catch {
      problems.append(contentsOf: error)
      return nil
    }
  }
}

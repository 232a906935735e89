package import StreamCore
package import StreamFiles
package import StreamKit

/// The options of a command that decide how stream files are compiled.
package struct CompileRequest: Equatable, Sendable {
  /// The values of parameters, and the initial values of inputs, as `--set` gives them.
  package var set: [NamedArgument]
  /// The files with objects of values.
  package var files: [String]
  /// The seed of random numbers; nil for the file's.
  package var seed: Int?
  /// The values that are published with the stream. The other values take precedence.
  package var published: [String: Value] = [:]

  /// The longest file with values, in bytes.
  private static let longestFile = 16 << 20

  package init(set: [NamedArgument] = [], files: [String] = [], seed: Int? = nil) {
    (self.set, self.files, self.seed) = (set, files, seed)
  }

  /// Whether an option is given.
  package var isGiven: Bool { !set.isEmpty || !files.isEmpty || seed != nil }

  /// Reads the files with values.
  ///
  /// - Parameter isShared: Whether the values are for several stream files.
  /// - Throws: The errors in the files, and names that are given twice.
  package func arguments(isShared: Bool = false) throws(Diagnostics) -> CompileArguments {
    var arguments = CompileArguments(published: published)
    (arguments.seed, arguments.isShared) = (seed, isShared)
    for path in files {
      for case (.string(let name), let value) in try Self.values(in: path).pairs {
        arguments.parameters[name] = ParameterArgument(.value(value), origin: "--parameters \(path), '\(name)'")
        arguments.set.remove(name)
      }
    }
    var seen: Set<String> = []
    for argument in set {
      guard seen.insert(argument.name).inserted else {
        throw Diagnostics(.invalidArgument, "'\(argument.name)' is set twice", help: "give a single --set")
      }
      arguments.parameters[argument.name] = ParameterArgument(
        .text(argument.text), origin: "--set \(argument.name)=\(argument.text)")
      arguments.set.insert(argument.name)
    }
    return arguments
  }

  /// The values by name, as the parameters of a one-liner, which declares those that it uses. A file that cannot be read
  /// is left out, since `arguments(isShared:)` reports it.
  package var valuesOfOneLiner: [(name: String, value: Value)] {
    var values: [(name: String, value: Value)] = []
    for path in files {
      guard let map = try? Self.values(in: path) else { continue }
      for case (.string(let name), let value) in map.pairs { values.append((name, value)) }
    }
    values += set.map { argument in
      (argument.name, (try? JSONDocument(reading: argument.text, file: "--set"))?.value ?? .string(argument.text))
    }
    var known: Set<String> = []
    return values.reversed().filter { known.insert($0.name).inserted }.reversed()
  }

  /// Notes the files with values, so that no output is written over one.
  package func noteFiles(_ used: UsedFiles) {
    for path in files { used.noteInput(at: path, name: path) }
  }

  /// Reads a file with an object of values.
  private static func values(in path: String) throws(Diagnostics) -> ValueMap {
    let bytes = try Diagnostics.listing { () throws(Diagnostic) in
      try FileContents.read(path, name: path, limit: longestFile)
    }
    let document = try JSONDocument(reading: bytes, file: path)
    guard case .map(let map) = document.value else {
      throw Diagnostics([
        document.locate(
          Diagnostic(
            .wrongType, "--parameters \(path): expected an object; found \(document.value.describedType)",
            help: "write {\"name\": value, …}"))
      ])
    }
    return map
  }
}

/// The arguments with which stream files are compiled: the values of their parameters, and the seed.
///
/// Every command compiles through `options`, so that it takes the same arguments as all others.
package struct CompileArguments: Equatable, Sendable {
  /// The values, by name.
  package var parameters: [String: ParameterArgument] = [:]
  /// The names that `--set` gives, which may be those of inputs.
  package var set: Set<String> = []
  /// The seed of random numbers; nil for the file's.
  package var seed: Int?
  /// Whether the values are for several stream files. A file takes the values that it declares.
  package var isShared = false

  package init() {}

  /// Creates the arguments that are published with a stream.
  package init(published: [String: Value]) {
    for (name, value) in published {
      parameters[name] = ParameterArgument(.value(value), origin: "the published value of '\(name)'")
    }
  }

  /// Creates the arguments that a recording or a saved state has kept.
  init(recorded: [String: Value], seed: Int?) {
    self.seed = seed
    for (name, value) in recorded {
      parameters[name] = ParameterArgument(.value(value), origin: "the recorded value of '\(name)'")
    }
  }

  /// Returns the options for compiling a stream file.
  ///
  /// - Parameters:
  ///   - loader: The loader of the file, which reads the files that it refers to.
  ///   - setsInputs: Whether `--set` also gives initial values to inputs, so that these names are not refused here.
  package func options(
    for model: StreamModel, _ loader: FileLoader, host: StreamHost = .any, setsInputs: Bool = false
  ) -> CompileOptions {
    var options = loader.options(host: host)
    options.seed = seed
    options.arguments = parameters.filter { name, _ in
      model.parameters[name] != nil || !(isShared || setsInputs && set.contains(name))
    }
    return options
  }

  /// Returns the options for stream files that are not known yet.
  package func options(host: StreamHost) -> CompileOptions {
    var options = CompileOptions(host: host)
    (options.seed, options.arguments) = (seed, parameters)
    return options
  }

  /// Refuses values that none of several files declares.
  package func requireDeclared(by names: Set<String>) throws(Diagnostics) {
    guard isShared else { return }
    var problems = Diagnostics()
    for name in parameters.keys.sorted() where !names.contains(name) {
      problems.append(
        Diagnostic(
          .invalidArgument, "\(parameters[name]?.origin ?? name): none of the files has a parameter '\(name)'",
          notes: names.isEmpty ? [] : ["parameters: \(names.sorted().listed)"],
          help: nearestName(to: name, among: names.sorted()).map { "did you mean '\($0)'?" }))
    }
    try problems.throwErrors()
  }
}

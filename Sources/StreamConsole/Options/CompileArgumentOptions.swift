package import ArgumentParser
package import StreamCore
package import StreamDriving

/// The options that give values to the parameters of stream files.
package struct ParameterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Sets a parameter of the file, or where a stream runs also the initial value of an input: --set quiet=10. The "
        + "text is read by the declared type of the parameter; for an input it is JSON.", valueName: "name=value"))
  package var set: [NamedArgument] = []

  @Option(
    help: ArgumentHelp(
      "Sets parameters of the file from a JSON object: --parameters production.json. --set takes precedence.",
      valueName: "path"), completion: .file(extensions: ["json"]))
  var parameters: [String] = []

  package init() {}

  package var request: CompileRequest { CompileRequest(set: set, files: parameters) }
}

/// The options that decide how stream files are compiled, which all commands have in common.
package struct CompileArgumentOptions: ParsableArguments {
  @OptionGroup package var parameters: ParameterOptions

  @Option(
    help: ArgumentHelp(
      "Seed of random(), instead of the file's \"seed\": --seed 7. The same seed gives the same numbers.",
      valueName: "integer"))
  package var seed: Int?

  package init() {}

  package var request: CompileRequest {
    var request = parameters.request
    request.seed = seed
    return request
  }

  /// Reads the files of the options.
  ///
  /// - Parameter isShared: Whether the values are for several stream files.
  package func arguments(isShared: Bool = false) throws(Diagnostics) -> CompileArguments {
    try request.arguments(isShared: isShared)
  }
}

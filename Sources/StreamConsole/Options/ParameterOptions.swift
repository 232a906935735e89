package import ArgumentParser
package import StreamDriving

/// The options that give values to the parameters of a stream file.
package struct ParameterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Sets a parameter of the file, or the initial value of an input: --set quiet=10. The text is read by the "
        + "declared type of the parameter; for an input it is JSON.", valueName: "name=value"))
  package var set: [NamedArgument] = []

  @Option(
    help: ArgumentHelp(
      "Sets parameters of the file from a JSON object: --parameters production.json. --set takes precedence.",
      valueName: "path"), completion: .file(extensions: ["json"]))
  var parameters: [String] = []

  package init() {}

  package var request: ParameterRequest { ParameterRequest(set: set, files: parameters) }
}

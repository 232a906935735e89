internal import ArgumentParser
internal import StreamDriving
package import StreamKit

/// The option for random numbers.
package struct SeedOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Seed of random(), instead of the file's \"seed\": --seed 7. The same seed gives the same numbers.",
      valueName: "integer"))
  var seed: Int?

  package init() {}
}

extension RunOptions {
  /// The options for compiling a file before it is run.
  package func compileOptions(_ file: String) -> CompileOptions {
    let request = request(file)
    var options = CompileOptions(host: request.calls.host)
    options.seed = request.seed
    return options
  }
}

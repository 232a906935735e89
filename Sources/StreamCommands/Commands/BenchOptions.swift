internal import ArgumentParser
internal import StreamConsole
internal import StreamDriving
internal import StreamFiles

/// The options of `streamrun bench`.
struct BenchOptions: ParsableArguments {
  @OptionGroup var inputs: InputOptions

  @OptionGroup var arguments: CompileArgumentOptions

  @Option(
    help: ArgumentHelp(
      "Without --event-time, virtual time between two values of --input. Default 0.001.", valueName: "seconds"))
  var every: Double?

  @Option(
    help: ArgumentHelp("Number of values per run; a shorter recording is repeated.", valueName: "count"))
  var values = 100_000

  @Option(help: ArgumentHelp("Number of rounds; each round measures every file.", valueName: "count"))
  var rounds = 5

  @Flag(help: "Also measures each stream up to each of its operators.")
  var operators = false

  @Flag(help: "Skips lines that are not JSON, and values that make an operator fail.")
  var skipErrors = false

  @Option(help: "Output format: text or json.")
  var format = ReportFormat.text

  @OptionGroup var work: WorkOptions

  /// Default virtual time between values, in seconds.
  static let pace = 0.001

  /// Rejects invalid combinations of options.
  ///
  /// - Parameter files: Number of files to measure.
  func validate(files: Int) throws {
    if inputs.eventTime.isGiven || every != nil, inputs.input.isEmpty {
      throw ValidationError("--event-time and --every need a recording: add --input")
    }
    if inputs.eventTime.isGiven, every != nil { throw ValidationError("--event-time and --every cannot be combined") }
    if let every, !(every >= 0 && every <= 1e9) {
      throw ValidationError("--every is \(every); expected 0 to 1000000000 seconds")
    }
    if !(1...1_000_000_000).contains(values) {
      throw ValidationError("--values is \(values); expected 1 to 1000000000")
    }
    if !(1...1_000).contains(rounds) { throw ValidationError("--rounds is \(rounds); expected 1 to 1000") }
    if files > 1, inputs.readsStandardInput {
      throw ValidationError("a recording for several files cannot be standard input")
    }
  }
}

internal import ArgumentParser
internal import StreamRuntime

/// What `streamrun bench` understands beside the files.
struct BenchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Feeds an input from a file of one JSON value a line; - is standard input. Without it the values of the files' "
        + "own tests are fed.", valueName: "name=path"))
  var input: [NamedArgument] = []

  @Option(help: ArgumentHelp("Gives an input its initial value.", valueName: "name=json"))
  var set: [NamedArgument] = []

  @Option(
    help: ArgumentHelp(
      "The data's own clock: an expression over 'value' that gives a timestamp, or milliseconds since 1970.",
      valueName: "expression"))
  var eventTime: String?

  @Option(
    help: ArgumentHelp(
      "Without --event-time, virtual time from one value of --input to the next. Default 0.001.", valueName: "seconds"))
  var every: Double?

  @Option(
    help: ArgumentHelp("How many values a run takes; shorter recordings begin again and again.", valueName: "count"))
  var values = 100_000

  @Option(help: ArgumentHelp("How often each file is measured, by turns.", valueName: "count"))
  var rounds = 5

  @Flag(help: "Measures each stream up to each of its operators, too.")
  var operators = false

  @Flag(help: "Leaves out lines that are no JSON, and values that an operator fails at.")
  var skipErrors = false

  @Option(help: "How it is printed: text or json.")
  var format = ReportFormat.text

  @OptionGroup var work: WorkOptions

  /// Virtual time between values where nothing else is said.
  static let pace = 0.001

  /// Refuses what cannot be done.
  ///
  /// - Parameter files: how many are measured.
  func validate(files: Int) throws {
    if eventTime != nil || every != nil, input.isEmpty {
      throw ValidationError("--event-time and --every need an input that is fed: add --input")
    }
    if eventTime != nil, every != nil { throw ValidationError("--event-time and --every exclude each other") }
    if let every, !(every >= 0 && every <= 1e9) {
      throw ValidationError("--every is \(every); expected 0 seconds or more, a thousand million at most")
    }
    if !(1...1_000_000_000).contains(values) {
      throw ValidationError("--values is \(values); expected 1 to 1000000000")
    }
    if !(1...1_000).contains(rounds) { throw ValidationError("--rounds is \(rounds); expected 1 to 1000") }
    if files > 1, input.contains(where: { $0.text == StandardInput.argument }) {
      throw ValidationError("all files read the recording: it cannot be standard input where there are several")
    }
  }
}

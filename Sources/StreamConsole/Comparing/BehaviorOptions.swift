package import ArgumentParser
package import StreamDriving
internal import StreamEngine
internal import StreamFiles

/// The options of `streamrun diff` for running both versions.
package struct BehaviorOptions: ParsableArguments {
  @Flag(
    help: "Runs both versions in virtual time, on the tests of both files or on --input, and compares their output.")
  package var behavior = false

  @OptionGroup package var inputs: InputOptions

  @Option(help: ArgumentHelp("Maximum number of values compared in a run on --input.", valueName: "count"))
  var limit = 100_000

  @Option(
    name: .customLong("for"), help: ArgumentHelp("Maximum stream time of a run on --input.", valueName: "seconds"))
  var seconds: Double?

  @OptionGroup var work: WorkOptions

  package init() {}

  /// Maximum memory of the program.
  package var memoryLimit: ByteCount { work.memory.memory }

  /// Refuses options that do not go together.
  ///
  /// - Parameter arguments: The arguments for compiling the versions, which nothing but a run needs.
  package func validate(_ format: DiffFormat, _ arguments: CompileArgumentOptions? = nil) throws {
    if !behavior, let arguments, arguments.request.isGiven {
      throw ValidationError("--set, --parameters and --seed require --behavior")
    }
    if !behavior, inputs.isGiven || seconds != nil {
      throw ValidationError("--input, --input-format, --event-time and --for require --behavior")
    }
    if behavior, format == .patch || format == .mergePatch {
      throw ValidationError("--behavior cannot print a patch; use the format text or json")
    }
    if inputs.eventTime.isGiven, inputs.input.isEmpty {
      throw ValidationError("--event-time needs a recording: add --input")
    }
    if limit < 1 { throw ValidationError("--limit is \(limit); expected 1 or more") }
    if let seconds, !(seconds >= 0) { throw ValidationError("--for is \(seconds); expected 0 seconds or more") }
    if inputs.readsStandardInput {
      throw ValidationError("a recording for both versions cannot be standard input")
    }
  }

  /// The latest time of a run on recordings.
  var until: StreamTime? { seconds.map(StreamTime.init(seconds:)) }
}

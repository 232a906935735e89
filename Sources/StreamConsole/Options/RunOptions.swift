internal import ArgumentParser
package import StreamDriving
internal import StreamFiles

/// The options of `streamrun run`.
package struct RunOptions: ParsableArguments {
  @OptionGroup var inputs: InputOptions

  @Flag(
    help: """
      Follows the files of --input as 'tail -F' does: their present end is not the end, and files that are rotated or \
      truncated are read on. With --input 'logs/*.ndjson', new files join.
      """)
  var follow = false

  @OptionGroup var compile: CompileArgumentOptions

  @OptionGroup var outputs: OutputOptions
  /// The format of the outputs.
  package var format: ValueFormat? { outputs.format }

  @Flag(help: "Prints each value with its time: {\"at\": seconds since the start, \"value\": …}.")
  var timestamps = false

  @Flag(help: "Runs in virtual time, without waiting for timers. The calendar begins in 1970.")
  var virtual = false

  @Option(help: ArgumentHelp("Speed of time, such as 10x.", valueName: "factor"))
  var speed: Speed?

  @Option(help: ArgumentHelp("Stops after this number of values.", valueName: "count"))
  var limit: Int?

  @Option(name: .customLong("for"), help: ArgumentHelp("Stops after this much stream time.", valueName: "seconds"))
  var seconds: Double?

  @Flag(help: "Skips lines that are not JSON, and values that make an operator fail.")
  var skipErrors = false

  @Option(
    help: ArgumentHelp(
      "Number of threads: 1, or 2 (the second one reads ahead). Default 2 if that is faster.",
      valueName: "count"))
  var threads: Int?

  @OptionGroup var state: StateOptions
  @OptionGroup var calls: CallOptions
  @OptionGroup var observation: ObservationOptions
  @OptionGroup var logging: LogOptions
  @OptionGroup var recording: RecordOptions
  @OptionGroup var memory: MemoryOptions
  @OptionGroup var bounds: BoundsOptions
  @OptionGroup var values: ValueOptions

  package init() {}

  /// Maximum memory of the program.
  package var memoryLimit: ByteCount { memory.memory }

  /// The format of messages on standard error.
  package var log: LogFormat { logging.log }

  package func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is \(limit); expected 0 or more") }
    if let seconds, !(seconds >= 0) { throw ValidationError("--for is \(seconds); expected 0 seconds or more") }
    if let speed, !(speed.factor > 0) {
      throw ValidationError("--speed is \(speed.factor); expected a factor above 0, such as 10x or 0.5")
    }
    if let threads, !(1...2).contains(threads) {
      throw ValidationError("--threads is \(threads); expected 1 or 2")
    }
    if virtual, inputs.eventTime.isGiven {
      throw ValidationError("--virtual and --event-time cannot be combined: event time does not wait either")
    }
    if virtual, speed != nil {
      throw ValidationError("--virtual and --speed cannot be combined: virtual time does not wait")
    }
  }

  /// Whether the stream may refer to no file but those that the command line names.
  package var isSandboxed: Bool { bounds.sandboxing.sandbox }

  /// The files that the options name, and that the stream may read.
  package var namedFiles: [String] { inputs.input.map(\.text).filter { $0 != StandardInput.argument } }

  /// The request for a stream file.
  package func request(_ file: String) -> RunRequest {
    var request = RunRequest(file: file)
    (request.input, request.inputFormat, request.compile) = (inputs.input, inputs.inputFormat, compile.request)
    request.follows = follow
    request.state = state.request
    (request.format, request.output, request.timestamps) = (format, outputs.request, timestamps)
    (request.virtual, request.eventTime, request.speed) = (virtual, inputs.eventTime.request, speed)
    request.calls = calls.request
    request.observing = observation.request
    request.recording = recording.record
    (request.limit, request.seconds) = (limit, seconds)
    (request.skipErrors, request.threads) = (skipErrors, threads)
    (request.memory, request.longestValue) = (memory.memory, values.maxValue)
    request.timePerValue = bounds.timePerValue?.interval
    return request
  }
}

internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// `streamrun replay RECORDING`: repeats a recorded run.
struct Replay: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Repeats a recorded run, with the recorded version of the stream or another one.",
    discussion: """
      'streamrun FILE --record RUN.ndjson' writes a recording: the stream, and every value, completion, result of a \
      call and timer with its time. A replay does not wait, and prints exactly what the recorded run has printed. With \
      another stream file, that version receives the recorded events. With --compare, the exit code is 1 if the outputs \
      of both versions differ.

      Examples:
        streamrun stream.json --record run.ndjson < events.ndjson
        streamrun replay run.ndjson
        streamrun replay run.ndjson stream.json --until 30s --timestamps
        streamrun replay run.ndjson stream.json --compare
        streamrun replay run.ndjson --step
        streamrun replay run.ndjson stream.json --as-test "lost alarm" --from 5m --until 6m
      """)

  @Argument(help: "The recording; - is standard input.", completion: .file(extensions: ["ndjson"]))
  var recording: String

  @Argument(
    help: "Another version of the stream file. (default: the version in the recording)",
    completion: .file(extensions: ["json"]))
  var file: String?

  @Flag(
    help: ArgumentHelp(
      "Prints how the outputs of both versions differ. Without a stream file, the recorded file as it is now, if it is "
        + "in the directory of the recording."))
  var compare = false

  @Flag(
    help: ArgumentHelp(
      "Goes through the events one by one: n next, b back, o ID to the next output of an operator, g N to event N, e to "
        + "the end, q quit. On a terminal these are keys; the arrow keys are n and b, and o and g ask for the rest. "
        + "Elsewhere they are lines of standard input. Shows each event, its output, and the latest value and the state "
        + "of each operator."))
  var step = false

  @Option(
    help: ArgumentHelp(
      "Adds the recording to the stream file as a test of this name. Without a stream file, to the recorded file, if it "
        + "is beside the recording.",
      valueName: "name"))
  var asTest: String?

  @OptionGroup var options: ReplayOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var memoryLimit: ByteCount { options.memoryLimit }

  var access: FileAccess {
    var access = reading.access(naming: [])
    access.isSandboxed = sandbox.sandbox
    return access
  }

  func validate() throws {
    if recording == StandardInput.argument, file == StandardInput.argument {
      throw ValidationError("standard input can be used for only one file")
    }
    if options.from != nil, asTest == nil { throw ValidationError("--from requires --as-test") }
    if step, compare || asTest != nil {
      throw ValidationError("--step cannot be combined with --compare or --as-test")
    }
    if step, recording == StandardInput.argument || file == StandardInput.argument {
      throw ValidationError("--step reads commands from standard input; name a file")
    }
    if compare, asTest != nil { throw ValidationError("--compare and --as-test cannot be combined") }
    if asTest != nil, file == StandardInput.argument {
      throw ValidationError("--as-test writes the stream file; it cannot be standard input")
    }
    if compare, recording == StandardInput.argument {
      throw ValidationError("--compare reads the recording twice; it cannot be standard input")
    }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let request = options.request(recording, file)
    if step { return try StepSession(request, console).run() }
    if let asTest { return try RecordedTest(asTest, request).write(console) }
    guard compare else { return try request.perform(console) }
    return try ReplayComparison(request).compare(console)
  }
}

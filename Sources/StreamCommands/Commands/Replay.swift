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
      another stream file, that version runs on the recorded events. With --compare, the exit code is 1 if the outputs \
      of both versions differ.

      Examples:
        streamrun stream.json --record run.ndjson < events.ndjson
        streamrun replay run.ndjson
        streamrun replay run.ndjson stream.json --until 30s --timestamps
        streamrun replay run.ndjson stream.json --compare
      """)

  @Argument(help: "The recording; - is standard input.", completion: .file(extensions: ["ndjson"]))
  var recording: String

  @Argument(
    help: "Another version of the stream file. (default: the version in the recording)",
    completion: .file(extensions: ["json"]))
  var file: String?

  @Flag(help: "Prints how the outputs of both versions differ. Without a stream file, the recorded file as it is now.")
  var compare = false

  @OptionGroup var options: ReplayOptions
  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { reading.access(naming: []) }

  func validate() throws {
    if recording == StandardInput.argument, file == StandardInput.argument {
      throw ValidationError("standard input can be used for only one file")
    }
    if compare, recording == StandardInput.argument {
      throw ValidationError("--compare reads the recording twice; it cannot be standard input")
    }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let request = options.request(recording, file)
    guard compare else { return try request.perform(console) }
    return try ReplayComparison(request).compare(console)
  }
}

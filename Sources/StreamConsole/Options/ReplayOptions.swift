package import ArgumentParser
package import StreamDriving
internal import StreamFiles

/// The options of `streamrun replay` that run the recording.
package struct ReplayOptions: ParsableArguments {
  @Option(help: "Output format: ndjson, json, text, csv or marbles. (default: that of the recorded run)")
  var format: ValueFormat?

  @Flag(inversion: .prefixedNo, help: "Prints each value with its time. (default: as the recorded run did)")
  var timestamps: Bool?

  @Option(
    help: ArgumentHelp(
      "Stops after this many events (1000), after this much stream time (30s, 5m, 1.5h), or at this calendar time.",
      valueName: "end"))
  package var until: ReplayEnd?

  @Option(
    help: ArgumentHelp(
      "With --as-test, begins after this many events, after this much stream time, or at this calendar time; the test "
        + "begins at its time zero.", valueName: "beginning"))
  package var from: ReplayEnd?

  @Option(help: ArgumentHelp("Stops after this number of values.", valueName: "count"))
  package var limit: Int?

  @Flag(help: "Skips values that make an operator fail.")
  var skipErrors = false

  @OptionGroup var compile: CompileArgumentOptions
  @OptionGroup var memory: MemoryOptions

  package init() {}

  /// Maximum memory of the program.
  package var memoryLimit: ByteCount { memory.memory }

  package func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is \(limit); expected 0 or more") }
  }

  /// The request for a recording.
  ///
  /// - Parameter file: Another version of the stream file.
  package func request(_ recording: String, _ file: String?) -> ReplayRequest {
    var request = ReplayRequest(recording: recording)
    (request.file, request.format, request.timestamps) = (file, format, timestamps)
    (request.from, request.until) = (from, until)
    (request.limit, request.skipErrors) = (limit, skipErrors)
    (request.compile, request.memory) = (compile.request, memory.memory)
    return request
  }
}

package import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// The parameters of `streamrun replay`.
package struct ReplayRequest: Equatable {
  /// The recording; `-` is standard input.
  package let recording: String
  /// Another version of the stream file; nil for that of the recording.
  package var file: String?
  /// The format of the output; nil for that of the recorded run.
  package var format: ValueFormat?
  /// Whether to print the time of each value; nil as the recorded run did.
  package var timestamps: Bool?
  /// The beginning of the part that is replayed, whose time becomes time zero; nil for the beginning of the recording.
  package var from: ReplayEnd?
  /// The end of the replay; nil for that of the recording.
  package var until: ReplayEnd?
  /// Maximum number of values to print; nil for that of the recorded run.
  package var limit: Int?
  /// Whether to skip values that make an operator fail, beyond what the recorded run did.
  package var skipErrors = false
  /// The arguments that replace those of the recorded run.
  package var compile = CompileRequest()
  /// The most memory that the program may take.
  package var memory = ByteCount.standardMemoryFromNow

  package init(recording: String) { self.recording = recording }

  /// Replays the recording and returns the exit code.
  package func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    try makeRun(try RecordingReader(recording, console), console).run().code
  }

  /// Replays the recording for a writer, which takes the place of the output.
  ///
  /// - Parameter script: Collects the events for a test. Default none.
  /// - Returns: The exit code, and whether the writer has all of the output: the run has ended as the recording has, or
  ///   with a failure of the stream.
  package func perform(
    _ console: Console, writer: any ValueWriter, script: ReplayScript? = nil
  ) throws(Diagnostics) -> (code: Int32, isWhole: Bool) {
    var run = try makeRun(try RecordingReader(recording, console), console)
    run.outputs = RunOutputs(writer, console)
    run.keepsWriter = true
    run.replay?.script = script
    let outcome = run.run()
    return (outcome.code, outcome.isWhole)
  }

  /// Returns the run that replays a recording.
  func makeRun(_ reader: RecordingReader, _ console: Console) throws(Diagnostics) -> StreamRun {
    let header = reader.header
    let replay = try Replay(reader, file: file, from: from, until: until, compile: compile, console)
    replay.checkData()
    var request = RunRequest(file: file ?? header.stream.file)
    request.format = format ?? header.options.format
    request.timestamps = timestamps ?? header.options.timestamps
    request.virtual = header.options.isVirtual
    request.skipErrors = skipErrors || header.options.skipErrors
    request.memory = memory
    if let bytes = header.options.longestValue { request.longestValue = ByteCount(bytes) }
    var run = StreamRun(
      options: request, prepared: replay.prepared, feeds: [], clocks: InputClocks(), console: console,
      report: SkipReport(console, skips: request.skipErrors),
      outputs: try Diagnostics.listing { () throws(Diagnostic) in
        try RunOutputs(request, of: replay.prepared.stream.model, console)
      })
    run.replay = replay
    run.limit = [limit ?? header.options.limit, replay.sudden].compactMap(\.self).min()
    return run
  }
}

extension Replay {
  /// The number of values after which the recorded run was ended from outside; nil if it was not.
  var sudden: Int? {
    guard isExact, let end = reader.end, end.isSudden, end.values > 0 else { return nil }
    return end.values
  }
}

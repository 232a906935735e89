internal import ArgumentParser
package import StreamCore
package import StreamDriving
package import StreamFiles
internal import StreamKit

/// `streamrun FILE`: runs a stream.
struct Run: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs a stream. This is the default subcommand.",
    discussion: """
      Standard input, unless it is a terminal, feeds the input named 'stdin', the only input, or the only one that \
      nothing else feeds and that has no initial value. A value is printed as soon as the stream publishes it.

      Examples:
        streamrun stream.json
        tail -f events.ndjson | streamrun stream.json
        streamrun stream.json --input a=a.ndjson --input b=- --set rate=0.5 --format csv
        streamrun stream.json --event-time 'timestamp(value.time)' --timestamps < recording.ndjson
        streamrun stream.json --virtual --for 60 --format marbles
        streamrun --watch stream.json
      """)

  @Argument(help: "The stream file; - is standard input.", completion: .file(extensions: ["json"]))
  var file: String

  @OptionGroup var options: RunOptions

  @Flag(
    help: """
      Watches the file and the stream files it refers to, but no files of data. When they change, the running stream \
      continues as the new version and keeps its state as far as possible. A completed stream is restarted.
      """)
  var watch = false

  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { reading.access(naming: []) }

  func validate() throws {
    guard watch else { return }
    if file == StandardInput.argument {
      throw ValidationError("--watch needs the path of a file; standard input cannot be watched")
    }
    if options.format == .marbles {
      throw ValidationError(
        "--watch and --format marbles cannot be combined: a diagram shows a single version of a stream")
    }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    var request = options.request(file)
    request.watch = watch
    return try request.perform(console)
  }
}

extension RunRequest {
  /// Runs the stream and returns the exit code.
  package func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let watch = self.watch ? FileWatch(file) : nil
    watch?.watch([file])
    return try perform(console, watching: watch)
  }

  /// Runs the stream, and replaces it by new versions. Returns the exit code.
  ///
  /// - Parameter restarts: Whether to wait for a new version after the end.
  package func perform(
    _ console: Console, watching watch: (any ChangeWatch)?, restarts: Bool = true
  ) throws(Diagnostics) -> Int32 {
    let prepared = try PreparedStream(self, console.makeLoader(flushes: true), console: console)
    let report = SkipReport(console, skips: skipErrors)
    let clock = try EventClock(eventTime, of: prepared.stream, console)
    let feeds = try prepared.feeds(report)
    var run = StreamRun(
      options: self, prepared: prepared, feeds: feeds, eventClock: clock, console: console, report: report)
    run.limit = limit
    run.lateOutput = try Diagnostics.listing { () throws(Diagnostic) in
      try lateOutput.map { path throws(Diagnostic) in try LateOutput(path, console.usedFiles) }
    }
    guard let watch else { return run.run().code }
    run.watch = StreamWatch(self, prepared, watch, console: console, report: report)
    return restarts ? try WatchedRun(run).run() : run.run().code
  }
}

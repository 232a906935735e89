package import StreamCore
package import StreamFiles
internal import StreamKit

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
    console.tap = TapOutput(observing)
    var request = self
    request.compile.published = watch?.parameters ?? [:]
    let prepared = try PreparedStream(request, console.makeLoader(flushes: true), console: console)
    let report = SkipReport(console, skips: skipErrors)
    let clocks = try InputClocks(eventTime, of: prepared.version.pipeline, console)
    try prepared.check(clocks, self)
    let persistence: RunPersistence?
    if let state { persistence = try RunPersistence(state, self, prepared, console) } else { persistence = nil }
    if let persistence, persistence.hasEnded {
      console.say("note: the stream has ended, as the state in '\(persistence.folder.path)' says; nothing is run")
      return ExitCode.good
    }
    let positions = persistence?.saved?.content.inputs ?? []
    let feeds: [FileFeed]
    do throws(Diagnostics) {
      feeds = try prepared.feeds(report, resuming: positions, feedsAgain: state?.feedsAgain ?? false)
    } catch {
      // The part of a long file that has been read is compared when it is opened.
      if Interruption.hasHappened { return ExitCode.interrupted }
      throw error
    }
    persistence?.describePipes(feeds, console)
    // A later version of a stream may make the calls.
    if watch == nil { try calls.requireCalled(prepared.calledFunctions) }
    let outputs = try Diagnostics.listing { () throws(Diagnostic) in
      let outputs = try RunOutputs(
        self, of: prepared.stream.model, console, continuing: persistence?.continuation ?? .append)
      try console.tap?.open(console.usedFiles)
      return outputs
    }
    var run = StreamRun(
      options: self, prepared: prepared, feeds: feeds, clocks: clocks, console: console, report: report,
      outputs: outputs)
    run.limit = limit
    run.persistence = persistence
    if let saved = persistence?.saved {
      let warnings = try Diagnostics.listing { () throws(Diagnostic) in
        try outputs.resume(from: saved.content.outputs)
      }
      for warning in warnings { console.report(warning) }
    }
    run.recorder = try Diagnostics.listing { () throws(Diagnostic) in
      try recording.map { path throws(Diagnostic) in
        guard let saved = persistence?.saved else {
          if persistence?.isReset == true { try ExistingOutput.rename(path, console) }
          return try RecordingWriter(path, console.usedFiles, replacesHeader: persistence != nil)
        }
        guard let position = saved.content.recording, position.path == path else {
          throw Diagnostic(
            .invalidArgument, "'\(path)' would begin in the middle of the run, which the state continues",
            help: saved.content.recording.map { "write --record \($0.path), which the run continues" }
              ?? "record a run from its start")
        }
        return try RecordingWriter(resuming: position, console.usedFiles)
      }
    }
    if let watch { run.watch = StreamWatch(self, prepared, watch, console: console, report: report) }
    let code = watch != nil && restarts ? try WatchedRun(run).run() : run.run().code
    return outputs.close(console) ? code : max(code, ExitCode.wrong)
  }
}

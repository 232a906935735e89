package import StreamCore
internal import StreamFiles
internal import StreamKit

/// Runs a stream again and again: after its end it waits until its file has changed.
package struct WatchedRun {
  private let first: StreamRun

  package init(_ first: StreamRun) { self.first = first }

  /// Runs until the requested number of values or the requested time is reached, or the program is asked to stop.
  /// Returns the exit code.
  package func run() throws(Diagnostics) -> Int32 {
    var run = first
    while let watch = run.watch {
      let outcome = run.run()
      run.limit = run.limit.map { max(0, $0 - outcome.writtenCount) }
      guard outcome.hasEnded else {
        run.report.close(fed: nil)
        return outcome.code
      }
      let end = outcome.code == ExitCode.good ? "ended" : "failed"
      run.console.say("\(run.options.file): the stream has \(end); it restarts when the file changes")
      if run.recorder != nil { run.console.say("note: the recording ends with the stream; a restart is not recorded") }
      guard let next = try begin(watch, run, outcome.feeds) else { break }
      run = next
    }
    run.report.close(fed: nil)
    return ExitCode.interrupted
  }

  /// Returns the next run, once the file has changed; nil if the program is asked to stop.
  private func begin(_ watch: StreamWatch, _ last: StreamRun, _ feeds: [FileFeed]) throws(Diagnostics) -> StreamRun? {
    // Files are read from their beginning. Standard input cannot be read again.
    var open = feeds.filter { $0.descriptor == .standardInput && !$0.isRetired }
    for feed in feeds where feed.descriptor != .standardInput && !feed.isRetired { feed.retire() }
    while watch.waitForNext() {
      do throws(Diagnostics) {
        let feeds = try watch.current.feeds(keeping: open, last.report)
        var run = StreamRun(
          options: last.options, prepared: watch.current, feeds: feeds, clocks: last.clocks,
          console: last.console, report: last.report, outputs: last.outputs)
        run.watch = watch
        run.limit = last.limit
        run.persistence = last.persistence?.renewed
        try Diagnostics.listing { () throws(Diagnostic) in try last.outputs.restart(as: watch.current.stream.model) }
        return run
      } catch {
        open = open.filter { !$0.isRetired }
        last.console.report(error)
        last.console.say("\(last.options.file): waiting for the next change")
      }
    }
    return nil
  }
}

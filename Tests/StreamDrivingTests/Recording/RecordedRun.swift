import StreamCore
import StreamEngine
import StreamFiles
import StreamKit
import TestSupport
import Testing

@testable import StreamDriving

/// Runs and replays of recordings in this process.
struct RecordedRun {
  /// The output of a run or a replay.
  struct Output: Equatable {
    var lines: [String]
    /// The text on standard error.
    var messages: String
    var code: Int32
  }

  let folder: Fixture.Folder
  /// The path of the recording.
  var path: String { folder.path("r.ndjson") }

  /// Calls a closure with a console and a writer, and returns the output.
  private func output(_ body: (Console, LineRecorder) throws -> Int32) rethrows -> Output {
    let errors = FileDescriptor(number: Subprocess.openWrite(folder.path("messages")))
    defer { errors.close() }
    let writer = LineRecorder()
    let console = Console(color: .never, access: FileAccess(granted: [folder.path]), errors: errors)
    let code = try body(console, writer)
    return Output(lines: writer.lines, messages: Fixture.read(folder.path("messages")), code: code)
  }

  /// Runs a stream file in virtual time over the lines of the input `a`, and records the run.
  func record(_ stream: String, _ lines: String, eventTime: String? = nil) throws -> Output {
    var request = RunRequest(file: folder.add("s.json", stream))
    request.input = [try #require(NamedArgument(argument: "a=\(folder.add("a.ndjson", lines))"))]
    // The other tests of this process take memory, too.
    request.memory = ByteCount(.max)
    request.virtual = eventTime == nil
    request.eventTime = EventTimeRequest(expression: eventTime)
    request.skipErrors = true
    return try output { console, writer in
      let prepared = try PreparedStream(request, console.makeLoader(), console: console)
      let report = SkipReport(console, skips: true)
      var run = StreamRun(
        options: request, prepared: prepared, feeds: try prepared.feeds(report),
        clocks: try InputClocks(request.eventTime, of: prepared.version.pipeline, console), console: console,
        report: report,
        outputs: RunOutputs(writer, console))
      run.keepsWriter = true
      run.recorder = try RecordingWriter(path, console.usedFiles)
      return run.run().code
    }
  }

  /// Replays the recording.
  ///
  /// - Parameters:
  ///   - takesRows: Whether values are sent as rows where the stream takes rows.
  ///   - size: The number of bytes to read at once.
  /// - Returns: The output, and the number of values that were sent as rows.
  func replay(
    takesRows: Bool, pieces size: Int = 256 * 1024, _ change: (inout ReplayRequest) -> Void = { _ in }
  ) -> (output: Output, rowCount: Int) {
    var request = ReplayRequest(recording: path)
    request.memory = ByteCount(.max)
    change(&request)
    var rowCount = 0
    let output = output { console, writer in
      do throws(Diagnostics) {
        var run = try request.makeRun(try RecordingReader(path, console, pieces: size), console)
        run.outputs = RunOutputs(writer, console)
        run.keepsWriter = true
        run.replay?.takesRows = takesRows
        let code = run.run().code
        rowCount = run.replay?.rowCount ?? 0
        return code
      } catch {
        console.report(error)
        return ExitCode.wrong
      }
    }
    return (output, rowCount)
  }
}

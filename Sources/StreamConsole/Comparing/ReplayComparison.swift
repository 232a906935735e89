package import StreamCore
package import StreamDriving
internal import StreamEngine
internal import StreamKit

/// Runs two versions of a stream on the events of a recording, and prints the differences in their output.
package struct ReplayComparison {
  private let request: ReplayRequest
  /// Maximum number of values of a version that are compared, unless the command line gives another number.
  private static let limit = 100_000

  package init(_ request: ReplayRequest) { self.request = request }

  /// Compares the recorded version with that of the request, or else with the recorded file as it is now. Returns the
  /// exit code.
  package func compare(_ console: Console) throws(Diagnostics) -> Int32 {
    var (old, new) = (request, request)
    (old.file, old.limit, new.limit) = (nil, request.limit ?? Self.limit, request.limit ?? Self.limit)
    old.compile = CompileRequest()
    if new.file == nil {
      let reader = try RecordingReader(request.recording, console)
      guard let file = reader.recordedFile(isBeside: false) else {
        throw reader.refusal("compared", "replay \(request.recording) FILE --compare")
      }
      new.file = file
    }
    let histories = (try history(of: old, console), try history(of: new, console))
    let differences = HistoryComparison(old: histories.0, new: histories.1).differences
    if !differences.isEmpty {
      console.output.appendLine("differs: \(request.recording)")
      for line in differences { console.output.appendLine("  \(line)") }
    }
    console.output.appendLine("1 run, \(differences.isEmpty ? 0 : 1) different")
    return differences.isEmpty ? ExitCode.good : FileComparison.different
  }

  private func history(of request: ReplayRequest, _ console: Console) throws(Diagnostics) -> History {
    let recorder = HistoryWriter()
    let outcome = try request.perform(console, writer: recorder)
    // The failure of a version is part of its history. Other errors leave nothing to compare.
    guard outcome.isWhole else { throw Diagnostics() }
    return recorder.history
  }
}

internal import StreamEngine
internal import StreamFiles

/// Writes the first rows of tables that have waited long enough for others, which might have had other columns.
final class WaitingRows: RunService {
  private let outputs: [RunOutput]

  /// - Returns: Nil if no output waits.
  init?(_ outputs: RunOutputs) {
    self.outputs = outputs.all.filter { $0.buffer.mayWait != nil }
    if self.outputs.isEmpty { return nil }
  }

  var untilDue: Int64? { outputs.compactMap { $0.untilDue }.min() }

  func serve(_ run: RunSession) throws(RunStop) {
    for output in outputs where output.untilDue == 0 { try output.buffer.flush() }
  }
}

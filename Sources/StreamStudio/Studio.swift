internal import StreamCore
internal import StreamEngine
internal import StreamKit

/// The folder of a studio, the limits of its runs, and the streams that run.
final class Studio: Sendable {
  let folder: StudioFolder
  /// Maximum number of steps of a run without an event.
  let budget: Int
  let changes: FolderChanges
  let steps = StepDesk()
  let live = LiveDesk()

  init(_ folder: StudioFolder, budget: Int) {
    self.folder = folder
    changes = FolderChanges(folder)
    self.budget = budget
  }

  /// The limits of a run, also of a stream that came by a link.
  var runLimits: RunLimits {
    RunLimits(budget: budget, burst: 10_000_000, memory: 256_000_000, timePerValue: Interval(seconds: 2))
  }
}

internal import StreamCore
internal import StreamEngine
internal import StreamKit

/// What a studio answers from: the folder, and the limits of runs.
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

  /// The limits of a run, which may be that of a file from a stranger.
  var runLimits: RunLimits {
    RunLimits(budget: budget, burst: 10_000_000, memory: 256_000_000, timePerValue: Interval(seconds: 2))
  }
}

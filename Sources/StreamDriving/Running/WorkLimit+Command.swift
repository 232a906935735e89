internal import StreamCore
internal import StreamEngine
internal import StreamFiles
package import StreamKit

extension WorkLimit {
  /// The limit of a command.
  package static func command(budget: Int, memory: ByteCount) -> WorkLimit {
    WorkLimit(budget: budget) {
      if Interruption.hasHappened { return StreamFailure(.streamFailed, "the program was asked to stop") }
      return ProcessMemory.failure(beyond: memory)
    }
  }
}

internal import StreamCore
internal import StreamFiles
package import StreamKit
internal import StreamRuntime

extension WorkLimit {
  /// The limit of a command.
  package static func command(budget: Int, memory: ByteCount) -> WorkLimit {
    WorkLimit(budget: budget) {
      if Interruption.hasHappened { return StreamFailure(.streamFailed, "the program was asked to stop") }
      return ProcessMemory.failure(beyond: memory)
    }
  }
}

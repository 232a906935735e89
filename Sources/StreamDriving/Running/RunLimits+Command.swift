internal import StreamCore
internal import StreamEngine
internal import StreamFiles
package import StreamKit

extension RunLimits {
  /// The limit of a command.
  package static func command(budget: Int, memory: ByteCount) -> RunLimits {
    RunLimits(budget: budget, burst: .max) {
      if Interruption.hasHappened { return StreamFailure(.streamFailed, "the program was asked to stop") }
      return ProcessMemory.failure(beyond: memory)
    }
  }
}

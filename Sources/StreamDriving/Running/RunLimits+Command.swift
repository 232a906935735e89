internal import StreamCore
package import StreamEngine
internal import StreamFiles
package import StreamKit

extension RunLimits {
  /// The limit of a command.
  package static func command(budget: Int, memory: ByteCount, timePerValue: Interval? = nil) -> RunLimits {
    var limits = RunLimits(budget: budget, burst: .max, timePerValue: timePerValue) {
      if Interruption.hasHappened { return StreamFailure(.streamFailed, "the program was asked to stop") }
      return ProcessMemory.excess(beyond: memory).map { excess in
        StreamFailure(
          .limitExceeded, "the program uses \(excess) of memory; --memory allows at most \(memory)")
      }
    }
    limits.namesHolder = true
    return limits
  }
}

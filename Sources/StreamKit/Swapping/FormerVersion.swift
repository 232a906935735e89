package import StreamCore
package import StreamRuntime

/// The version of a running stream before a swap on trial, its state, and everything that it has received since.
///
/// If the new version fails, the stream continues as this version: everything is delivered to it again without publishing
/// its output, except for the message at which the new version has failed.
package struct FormerVersion<Message> {
  private struct Entry {
    let message: Message
    let time: StreamTime
  }

  private let pipeline: Pipeline
  private let saved: Snapshot
  package var trial: SwapTrial
  /// The messages since the swap; nil if there were too many.
  private var entries: [Entry]? = []
  /// The message that the stream is busy with.
  private var current: Entry?
  /// The time up to which the new version has published.
  private var latest: StreamTime

  /// Maximum number of messages that are kept. With more, a restoration does without any of them.
  package static var messageLimit: Int { 10_000 }

  /// Maximum number of steps in which messages are delivered again. After it they are delivered at once, so that a
  /// version that publishes without end can be restored.
  private static var stepLimit: Int { 1_000_000 }

  /// - Parameters:
  ///   - pipeline: The version.
  ///   - saved: Its state.
  ///   - trial: The trial of the new version.
  ///   - time: The time of the swap.
  package init(_ pipeline: Pipeline, _ saved: Snapshot, _ trial: SwapTrial, at time: StreamTime) {
    self.pipeline = pipeline
    self.saved = saved
    self.trial = trial
    latest = time
  }

  /// Keeps a message that is about to be delivered to the new version.
  package mutating func record(_ message: Message, at time: StreamTime) {
    let entry = Entry(message: message, time: time)
    current = entry
    if let count = entries?.count, count < Self.messageLimit { entries?.append(entry) } else { entries = nil }
  }

  /// Notes that the new version has finished its work up to a time.
  package mutating func finishWork(at time: StreamTime) {
    current = nil
    latest = time
  }

  /// Restores the version with its state after the messages.
  ///
  /// - Parameters:
  ///   - isCurrentSilent: Whether the message at which the new version failed is not published either.
  ///   - deliver: Delivers a message to the execution.
  /// - Returns: The execution, and the completion of the version if it has completed before the last message.
  package func restored(
    isCurrentSilent: Bool = false, deliver: (Message, StreamTime, Execution) -> Void
  ) throws(Diagnostics) -> (execution: Execution, completion: Completion?) {
    let execution = try Execution(pipeline, restoring: saved)
    var steps = Self.stepLimit
    func completion() -> Completion? {
      while steps > 0 {
        let before = execution.stepCount
        let progress = execution.step(atMost: steps)
        steps -= max(1, execution.stepCount - before)
        switch progress {
        case .event(.finished): return .finished
        case .event(.failure(let failure)): return .failure(failure)
        case .idle: return nil
        case .event, .unfinished: break
        }
      }
      return nil
    }
    for entry in (entries ?? []).dropLast(current == nil ? 0 : 1) {
      deliver(entry.message, entry.time, execution)
      if let completion = completion() { return (execution, completion) }
    }
    execution.advance(to: latest)
    if let completion = completion() { return (execution, completion) }
    if let current {
      deliver(current.message, current.time, execution)
      if isCurrentSilent, let completion = completion() { return (execution, completion) }
    }
    return (execution, nil)
  }
}

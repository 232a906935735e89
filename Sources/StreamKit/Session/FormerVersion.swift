package import StreamCore
package import StreamRuntime

/// The version of a running stream before a swap on trial, its state, and everything that has come from outside since.
///
/// If the new version fails, the stream continues as this version: everything is delivered to it again without publishing
/// its output, except for what the new version was busy with when it failed.
package struct FormerVersion {
  /// Something that has come from outside. Inputs are known by name, since their numbers change with the version.
  package enum Entry {
    case value(Value, input: String)
    case completion(Completion, input: String)
    case result(Result<Value, StreamFailure>, call: Int64)
  }

  /// Something that comes from outside, by the numbers of the version that runs.
  enum Message {
    case value(Value, input: Int)
    case completion(Completion, input: Int)
  }

  let version: StreamVersion
  /// The calls that were waiting for a result.
  let openCalls: Set<Int64>
  /// The values for inputs that the version lacked.
  let unheard: [String: Value]
  private let saved: Snapshot
  var trial: SwapTrial
  /// What has come since the swap; nil if it was too much.
  private var entries: [(entry: Entry, time: StreamTime)]? = []
  /// What the stream is busy with.
  private var current: (entry: Entry, time: StreamTime)?
  /// The time up to which the new version has published.
  private var latest: StreamTime

  /// Maximum number of entries. With more, a restoration does without any of them.
  package static let entryLimit = 10_000

  /// Maximum number of steps in which entries are delivered again. After it they are delivered at once, so that a version
  /// that publishes without end can be restored.
  private static let stepLimit = 1_000_000

  /// - Parameters:
  ///   - saved: The state of the version.
  ///   - trial: The trial of the new version.
  ///   - time: The time of the swap.
  package init(
    _ version: StreamVersion, _ saved: Snapshot, _ trial: SwapTrial, at time: StreamTime, openCalls: Set<Int64> = [],
    unheard: [String: Value] = [:]
  ) {
    self.version = version
    self.saved = saved
    self.trial = trial
    self.openCalls = openCalls
    self.unheard = unheard
    latest = time
  }

  /// Keeps a message that is about to be delivered to the new version.
  mutating func record(_ message: Message, of pipeline: Pipeline, at time: StreamTime) {
    switch message {
    case .value(let value, let input): record(.value(value, input: pipeline.inputs[input].name), at: time)
    case .completion(let completion, let input):
      record(.completion(completion, input: pipeline.inputs[input].name), at: time)
    }
  }

  /// Keeps what is about to be delivered to the new version. The results of later calls are those of the new version.
  package mutating func record(_ entry: Entry, at time: StreamTime) {
    if case .result(_, let call) = entry, !openCalls.contains(call) { return }
    current = (entry, time)
    if let count = entries?.count, count < Self.entryLimit { entries?.append((entry, time)) } else { entries = nil }
  }

  /// Notes that the new version has finished its work up to a time.
  package mutating func finishWork(at time: StreamTime) {
    current = nil
    latest = time
  }

  /// Restores the version with its state after the entries.
  ///
  /// - Returns: The execution, and the completion of the version if it has completed before the last entry.
  package func restored() throws(Diagnostics) -> (execution: Execution, completion: Completion?) {
    let execution = try Execution(version.pipeline, restoring: saved)
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
    for (entry, time) in (entries ?? []).dropLast(current == nil ? 0 : 1) {
      deliver(entry, at: time, to: execution)
      if let completion = completion() { return (execution, completion) }
    }
    execution.advance(to: latest)
    if let completion = completion() { return (execution, completion) }
    if let (entry, time) = current { deliver(entry, at: time, to: execution) }
    return (execution, nil)
  }

  private func deliver(_ entry: Entry, at time: StreamTime, to execution: Execution) {
    switch entry {
    case .value(let value, let name):
      guard let input = execution.pipeline.input(named: name) else { break }
      execution.send(value, to: input, at: time)
    case .completion(let completion, let name):
      guard let input = execution.pipeline.input(named: name) else { break }
      execution.complete(input, completion, at: time)
    case .result(let result, let call): execution.resolve(call, with: result, at: time)
    }
  }
}

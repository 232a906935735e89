package import StreamCore
package import StreamEngine

/// The version of a running stream before a swap on trial, its state, and everything that has come from outside since.
///
/// If the new version fails, the stream continues as this version: everything is delivered to it again without publishing
/// its output, except for what the new version was busy with when it failed.
package struct FormerVersion {
  let version: StreamVersion
  /// The execution's number of each call that was waiting for a result, by the session's number.
  let openCalls: [Int64: Int64]
  /// The values for inputs that the version lacked.
  private let unheard: [String: Value]
  private let saved: Snapshot
  var trial: SwapTrial
  /// The events since the swap; nil if there were too many.
  private var entries: [(entry: SessionEvent, time: StreamTime)]? = []
  /// The event that the stream is busy with.
  private var current: (entry: SessionEvent, time: StreamTime)?
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
    _ version: StreamVersion, _ saved: Snapshot, _ trial: SwapTrial, at time: StreamTime, openCalls: [Int64: Int64] = [:],
    unheard: [String: Value] = [:]
  ) {
    self.version = version
    self.saved = saved
    self.trial = trial
    self.openCalls = openCalls
    self.unheard = unheard
    latest = time
  }

  /// Keeps an event that is about to be delivered to the new version. The results of later calls are those of the new
  /// version, and time is that of the version when it is restored.
  package mutating func record(_ entry: SessionEvent, at time: StreamTime) {
    switch entry {
    case .advance, .timer: return
    case .result(_, let call): if openCalls[call] == nil { return }
    case .value, .unconverted, .completion: break
    }
    current = (entry, time)
    if let count = entries?.count, count < Self.entryLimit { entries?.append((entry, time)) } else { entries = nil }
  }

  /// Notes that the new version has finished its work up to a time.
  package mutating func finishWork(at time: StreamTime) {
    current = nil
    latest = time
  }

  /// The version with its state after the entries.
  package struct Restored {
    package let execution: Execution
    /// The values for inputs that it lacks.
    var unheard: [String: Value]
    /// Its completion, if it has completed before the last entry.
    package var completion: Completion?
  }

  /// Restores the version.
  package func restored() throws(Diagnostics) -> Restored {
    var restored = Restored(execution: try Execution(version.pipeline, restoring: saved), unheard: unheard)
    var steps = Self.stepLimit
    for (entry, time) in (entries ?? []).dropLast(current == nil ? 0 : 1) {
      deliver(entry, at: time, to: &restored)
      restored.completion = Self.completion(of: restored.execution, within: &steps)
      if restored.completion != nil { return restored }
    }
    restored.execution.advance(to: latest)
    restored.completion = Self.completion(of: restored.execution, within: &steps)
    if restored.completion == nil, let (entry, time) = current { deliver(entry, at: time, to: &restored) }
    return restored
  }

  /// Lets an execution work until it is idle or has no more steps. Returns its completion; nil if it continues.
  private static func completion(of execution: Execution, within steps: inout Int) -> Completion? {
    while steps > 0 {
      let before = execution.stepCount
      let progress = execution.step(atMost: steps)
      steps -= max(1, execution.stepCount - before)
      switch progress {
      case .event(let event): if let completion = Completion(event) { return completion }
      case .idle: return nil
      case .unfinished: break
      }
    }
    return nil
  }

  private func deliver(_ entry: SessionEvent, at time: StreamTime, to restored: inout Restored) {
    let execution = restored.execution
    switch entry {
    case .value(let value, let name):
      if let input = execution.pipeline.input(named: name) { execution.send(value, to: input, at: time) }
    case .unconverted(let value, let name):
      if !execution.send(value, named: name, at: time) { restored.unheard[name] = value }
    case .completion(let completion, let name):
      if let input = execution.pipeline.input(named: name) { execution.complete(input, completion, at: time) }
    case .result(let result, let call):
      if let number = openCalls[call] { execution.resolve(number, with: result, at: time) }
    case .advance, .timer: break
    }
  }
}

extension Execution {
  /// Sends a value to the input of a name, converted to its declared type; one that does not fit fails the input. Returns
  /// false if there is no such input.
  func send(_ value: Value, named name: String, at time: StreamTime) -> Bool {
    guard let input = pipeline.input(named: name) else { return false }
    do throws(InputConversion.Problem) {
      send(try InputConversion(pipeline.inputs[input].type).convert(value), to: input, at: time)
    } catch {
      fail(input, error.failure(of: value, name), at: time)
    }
    return true
  }

  /// Completes an input.
  func complete(_ input: Int, _ completion: Completion, at time: StreamTime) {
    switch completion {
    case .finished: finish(input, at: time)
    case .failure(let failure): fail(input, failure, at: time)
    }
  }
}

extension InputConversion.Problem {
  /// The failure of an input that receives a value of another than the declared type.
  func failure(of value: Value, _ name: String) -> StreamFailure {
    let place = tokens.isEmpty ? "" : " at \(JSONPointer(tokens).description)"
    return StreamFailure(
      .inputTypeMismatch, "the value does not fit the input '\(name)'\(place): \(message)",
      pointer: JSONPointer(["inputs", name]), value: value)
  }
}

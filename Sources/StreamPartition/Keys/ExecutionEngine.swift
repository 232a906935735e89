internal import HeapModule
internal import StreamCore
internal import StreamEngine
internal import StreamKit

/// Each key as a session of its own, for operators that do not run as one program.
final class ExecutionEngine: KeyEngineState, KeyEngine {
  @exclusivity(unchecked) private var sessions: [StreamSession?] = []
  @exclusivity(unchecked) private var timers = Heap<Timer>()
  /// The deadline of the newest entry of each slot; nil once that was removed.
  @exclusivity(unchecked) private var armed: [StreamTime?] = []
  @exclusivity(unchecked) private var fired: [Int] = []
  /// The slot whose session has more to do, or -1.
  @exclusivity(unchecked) private var pending = -1
  /// The slots whose input is still to be ended; nil while nothing ends.
  @exclusivity(unchecked) private var ending: [Int]?
  /// Whether the input of the last of them has ended.
  @exclusivity(unchecked) private var hasEndedInput = false
  /// The values that the streams of keys have dropped that have ended.
  @exclusivity(unchecked) private var drops: [Execution.DroppedValues] = []
  let bytesOfKey = 4_096
  let stateKind = KeyState.execution

  /// The next deadline of a slot, or one that it had before.
  private struct Timer: Comparable {
    let deadline: StreamTime
    let slot: Int

    static func < (first: Timer, second: Timer) -> Bool { first.deadline < second.deadline }
  }

  private func session(of slot: Int, at time: StreamTime) throws(StageError) -> StreamSession {
    if slot < sessions.count, let session = sessions[slot] { return session }
    while sessions.count <= slot { sessions.append(nil) }
    let made = try makeSession(at: time)
    sessions[slot] = made
    return made
  }

  // MARK: Events

  func begin(_ slot: Int, at time: StreamTime) throws(StageError) {
    setTimer(of: slot, try session(of: slot, at: time))
  }

  func send(_ value: Value, to slot: Int, at time: StreamTime) throws(StageError) -> Bool {
    let session = try session(of: slot, at: time)
    session.send(value, to: input, at: time)
    pending = slot
    return try resume()
  }

  func prefetch(_ records: ArraySlice<HeldRecords.Record>) {}

  func resume() throws(StageError) -> Bool {
    guard pending >= 0, let session = sessions[pending] else { return true }
    guard try drain(session) else { return false }
    setTimer(of: pending, session)
    pending = -1
    return true
  }

  private func setTimer(of slot: Int, _ session: StreamSession) {
    while armed.count <= slot { armed.append(nil) }
    guard let deadline = session.nextWake, armed[slot] != deadline else { return }
    armed[slot] = deadline
    timers.insert(Timer(deadline: deadline, slot: slot))
  }

  func advance(before time: StreamTime) throws(StageError) -> Bool {
    guard try resume() else { return false }
    while let first = timers.min, first.deadline < time {
      timers.removeMin()
      if armed[first.slot] == first.deadline { armed[first.slot] = nil }
      // An entry of a timer that was set again since, or of a key that is gone.
      guard first.slot < sessions.count, let session = sessions[first.slot],
        session.nextWake == first.deadline
      else { continue }
      fired.append(first.slot)
      session.advance(to: StreamTime(nanoseconds: time.nanoseconds - 1))
      pending = first.slot
      guard try resume() else { return false }
    }
    return true
  }

  func finish(at time: StreamTime) throws(StageError) -> Bool {
    if ending == nil {
      ending = sessions.indices.reversed().filter { sessions[$0] != nil }
      endTime = time
    }
    while let slot = ending?.last, let session = sessions[slot] {
      if !hasEndedInput { session.complete(input, .finished, at: max(time, session.time)) }
      hasEndedInput = true
      guard try drain(session), try runOut(session) else { return false }
      hasEndedInput = false
      drops = Execution.DroppedValues.sums(of: drops + session.drops)
      endTime = max(endTime, session.time)
      sessions[slot] = nil
      ending?.removeLast()
    }
    tell(drops)
    (sessions, timers, armed, fired, pending, ending, drops) = ([], Heap(), [], [], -1, nil, [])
    return true
  }

  func takeFired() -> [Int] {
    defer { fired = [] }
    return fired
  }

  // MARK: State

  func has(_ slot: Int) -> Bool { slot < sessions.count && sessions[slot] != nil }

  func save(_ slot: Int, to bytes: inout [UInt8]) throws(StageError) -> StreamTime? {
    guard let session = sessions[slot] else { return nil }
    do {
      let text = Array(try session.execution.snapshot().text().utf8)
      bytes.append(string: text)
    } catch {
      throw .failed("the state of the key \(keys.excerpt(of: slot)) cannot be saved: \(error)")
    }
    return session.nextWake
  }

  func load(_ bytes: inout ByteReader, into slot: Int) throws {
    try load(Snapshot(text: String(decoding: try bytes.string(), as: UTF8.self)), into: slot)
  }

  func load(_ snapshot: Snapshot, into slot: Int) throws {
    let session = try restored(snapshot)
    while sessions.count <= slot { sessions.append(nil) }
    sessions[slot] = session
    setTimer(of: slot, session)
  }

  func remove(_ slot: Int) {
    if slot < sessions.count { sessions[slot] = nil }
    // The slot is used again, and a timer of its next key may have the same deadline as one that has been set.
    if slot < armed.count { armed[slot] = nil }
  }

  func snapshot(of slot: Int) throws -> Snapshot {
    guard let session = sessions[slot] else { throw BinaryValue.Malformed() }
    return try session.execution.snapshot()
  }
}

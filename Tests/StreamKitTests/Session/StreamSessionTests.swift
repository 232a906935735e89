import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// The session that runs a stream for every door.
@Suite struct StreamSessionTests {
  private func version(_ operators: String) throws -> StreamVersion {
    try StreamVersion(try stream(fed(operators)).model, CompileOptions(host: .any))
  }

  private func time(_ seconds: Double) -> StreamTime { StreamTime(seconds: seconds) }

  /// A session of a version that has been swapped for another one on trial, before the first value.
  private func session(_ old: String, _ new: String, _ trial: SwapTrial) throws -> StreamSession {
    let session = StreamSession(try version(old), origin: Timestamp(seconds: 0))
    session.start()
    _ = effects(of: session)
    session.become(try session.prepare(try version(new)), on: trial)
    return session
  }

  /// The effects until there are none, in short.
  private func effects(of session: StreamSession) -> [String] {
    var found: [String] = []
    while let effect = session.next() {
      switch effect {
      case .event(.value(let value)): found.append("\(value)")
      case .event(.finished): found.append("finished")
      case .event(.failure(let failure)): found.append("failure \(failure.code)")
      case .event(.call(let call)): found.append("call \(call.id)")
      case .event, .busy: break
      case .limited(let failure): found.append("limited \(failure.code)")
      case .rolledBack: found.append("rolled back")
      }
    }
    return found
  }

  @Test("A version that fails at a timer is to blame if the one before does not fail there")
  func timer() throws {
    let trial = SwapTrial { _ in }
    let session = try session(
      #"{"debounce": {"seconds": 0.2}}, {"map": {"expression": "value + 1"}}"#,
      #"{"debounce": {"seconds": 0.2}}, {"map": {"expression": "value / 0"}}"#, trial)
    session.send(1, to: 0, at: time(1))
    let first = effects(of: session)
    session.advance(to: time(1.2))
    let second = effects(of: session)
    #expect(first.isEmpty)
    #expect(second == ["rolled back", "2"])
    guard case .failed(let failure) = trial.verdict else {
      Issue.record("\(trial.verdict)")
      return
    }
    #expect(failure.code == "S402")
  }

  @Test("A version that fails where the one before fails, too, ends the stream with its failure, and is not to blame")
  func bothFail() throws {
    let trial = SwapTrial { _ in }
    let session = try session(
      #"{"debounce": {"seconds": 0.2}}, {"map": {"expression": "value / 0"}}"#,
      #"{"debounce": {"seconds": 0.2}}, {"map": {"expression": "value + 'x'"}}"#, trial)
    session.send(1, to: 0, at: time(1))
    _ = effects(of: session)
    session.advance(to: time(1.2))
    let found = effects(of: session)
    #expect(found == ["failure S405"])
    #expect(trial.verdict == .open)
  }

  @Test("A verdict from elsewhere brings the version before back, with what has come since")
  func verdict() throws {
    let trial = SwapTrial { _ in }
    let session = try session(
      #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#,
      #"{"scan": {"initialValue": 0, "expression": "acc + value"}}, {"map": {"expression": "value * 100"}}"#, trial)
    session.send(1, to: 0, at: time(1))
    let before = effects(of: session)
    trial.fail(StreamFailure(.streamFailed, "halted"))
    session.settle()
    session.send(2, to: 0, at: time(2))
    let after = effects(of: session)
    #expect(before == ["100"])
    #expect(after == ["rolled back", "3"])
  }

  @Test("The number of a call occurs once, also after a return to the version before")
  func calls() throws {
    let trial = SwapTrial { _ in }
    let call = #"{"flatMap": {"stream": {"source": {"call": {"function": "f", "argument": "outer"}}}}}"#
    let session = try session(call, call + #", {"map": {"expression": "value / 0"}}"#, trial)
    session.send(1, to: 0, at: time(1))
    let first = effects(of: session)
    session.answer(0, .success(7), at: time(2))
    let second = effects(of: session)
    let canceled = session.takeCanceledCalls()
    session.answer(1, .success(8), at: time(3))
    let third = effects(of: session)
    #expect(first == ["call 0"])
    #expect(second == ["rolled back", "call 1"])
    #expect(canceled.isEmpty)
    #expect(third == ["8"])
  }

  @Test("Work without an event has a limit; a received value and a passing clock are events")
  func limit() throws {
    let version = try version(#"{"filter": {"expression": "false"}}"#)
    let session = StreamSession(version, origin: Timestamp(seconds: 0), limit: RunLimits(budget: 50_000))
    session.start()
    var found: [String] = []
    for number in 0..<100_000 {
      session.send(.int(Int64(number)), to: 0, at: time(1))
      found += effects(of: session)
    }
    #expect(found.isEmpty)

    let ticking = StreamSession(
      try StreamVersion(
        try stream(#"{"source": {"timer": {"every": 1}}, "operators": [{"filter": {"expression": "false"}}]}"#).model),
      origin: Timestamp(seconds: 0), limit: RunLimits(budget: 50_000))
    ticking.start()
    var codes: [String] = []
    for isClock in [true, false] {
      var limits = 0
      for _ in 0..<50_000 where limits == 0 {
        ticking.advanceToNextTimer()
        if isClock { ticking.noteEvent() }
        while let effect = ticking.next() { if case .limited = effect { limits += 1; break } }
      }
      codes.append("\(isClock) \(limits)")
    }
    #expect(codes == ["true 0", "false 1"])

    let endless = StreamSession(
      try StreamVersion(
        try stream(#"{"source": {"repeatElement": {"value": 1}}, "operators": [{"filter": {"expression": "false"}}]}"#)
          .model), origin: Timestamp(seconds: 0), limit: RunLimits(budget: 50_000))
    endless.start()
    var last: String?
    while last == nil {
      switch endless.next() {
      case .limited(let failure): last = failure.code
      case .busy: continue
      default: last = "none"
      }
    }
    #expect(last == "S417")
  }

  @Test("The door of the page runs a stream to its end, with its timers, calls and failures")
  func page() throws {
    let pipeline = try version(
      #"{"flatMap": {"stream": {"source": {"call": {"function": "double", "argument": "outer"}}}}}, {"delay": {"seconds": 1}}"#
    ).pipeline
    let limit = RunLimits()
    var source = [Value.int(1), .int(2)].makeIterator()
    var written: [Value] = []
    func write(_ value: Value) { written.append(value) }
    func report(_ failure: StreamFailure) { Issue.record("\(failure)") }
    func answer(_ call: Call) -> Result<Value, StreamFailure> {
      .success(.list([call.argument, call.argument]))
    }

    let session = StreamSession(pipeline, origin: Timestamp(seconds: 0), limit: limit)
    session.start()
    while true {
      guard let effect = session.next() else {
        if let value = source.next() {
          session.send(value, to: 0, at: session.time)
        } else if !session.advanceToNextTimer() {
          break
        }
        continue
      }
      switch effect {
      case .event(.value(let value)): write(value)
      case .event(.failure(let failure)), .limited(let failure): report(failure)
      case .event(.call(let call)): session.answer(call.id, answer(call), at: session.time)
      case .event, .rolledBack, .busy: break
      }
    }

    #expect(written == [.list([1, 1]), .list([2, 2])])
    #expect(session.time == time(1))
  }
}

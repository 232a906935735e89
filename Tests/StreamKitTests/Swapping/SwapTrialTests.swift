import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// A stream that returns to the version before a swap if the new one fails.
@Suite("A swap on trial")
struct SwapTrialTests {
  private let heard = Recorder<Value>()
  private let ends = Recorder<Completion>()
  private let verdicts = Recorder<SwapTrial.Verdict>()

  private static let total = #"{"id": "total", "scan": {"initialValue": 0, "expression": "acc + value"}}"#
  /// Fails for values from 10.
  private static let picky = #"\#(total), {"map": {"expression": "value < 10 ? -value : value / 0"}}"#

  private func version(
    _ operators: String, _ members: String = #""inputs": {"a": {}}"#, _ services: HostServices = HostServices()
  ) throws -> StreamVersion {
    var options = CompileOptions()
    services.announce(to: &options.host)
    return try StreamVersion(try stream(fed(operators, members)).model, options)
  }

  private func run(
    _ version: StreamVersion, _ inputs: [String: any StreamFeed], _ services: HostServices = HostServices(),
    clock: some Clock<Duration> = ContinuousClock()
  ) -> ChangingStream {
    ChangingStream(
      version, inputs: inputs, services: services, options: CompileOptions(), clock: clock,
      receive: { [heard] value in
        heard.append(value)
        return nil
      },
      end: { [ends] in ends.append($0) })
  }

  private func trial(values: Int? = nil) -> SwapTrial {
    SwapTrial(values: values) { [verdicts] in verdicts.append($0) }
  }

  /// Waits until everything sent so far has been delivered.
  private func settle(_ stream: ChangingStream, as version: StreamVersion) async throws {
    _ = try await stream.swap(to: version, on: trial())
  }

  @Test("A failure restores the former version with its state, and the former version answers the input")
  func restores() async throws {
    let input = PassthroughInput<Int>()
    let old = try version(Self.total)
    let stream = run(old, ["a": input])
    input.send(1)
    let trial = trial()
    let report = try await stream.swap(to: version(Self.picky), on: trial)
    #expect(report?.description == "kept #total; 1 operator is new")
    input.send(2)
    input.send(3)
    input.send(40)
    input.send(5)
    _ = try await stream.swap(to: old, on: nil)
    #expect(heard.values == [1, -3, -6, 46, 51])
    #expect(ends.values.isEmpty)
    guard case .failed(let failure)? = verdicts.values.first else { Issue.record("there is no verdict"); return }
    #expect(failure.code == "S402")
    #expect(verdicts.values.count == 1)
  }

  @Test("A state that the new version has lost is restored")
  func lostState() async throws {
    let input = PassthroughInput<Int>()
    let old = try version(Self.total)
    let stream = run(old, ["a": input])
    input.send(100)
    _ = try await stream.swap(to: version(#"{"map": {"expression": "value < 10 ? value : value / 0"}}"#), on: trial())
    input.send(1)
    input.send(10)
    _ = try await stream.swap(to: old, on: nil)
    #expect(heard.values == [100, 1, 111])
  }

  @Test("A failure that the former version has as well is not blamed on the new one, and ends the stream")
  func bothFail() async throws {
    let input = PassthroughInput<Int>()
    let old = try version(Self.picky)
    let stream = run(old, ["a": input])
    let trial = trial()
    _ = try await stream.swap(to: version(#"\#(Self.picky), {"map": {"expression": "value"}}"#), on: trial)
    input.send(3)
    input.send(30)
    while ends.values.isEmpty { await Task.yield() }
    #expect(heard.values == [-3])
    #expect(ends.values.count == 1)
    #expect(verdicts.values.isEmpty)
    #expect(trial.verdict == .open)
    withExtendedLifetime(stream) {}
  }

  @Test("After a number of values the version has passed, and a failure ends the stream")
  func passes() async throws {
    let input = PassthroughInput<Int>()
    let stream = run(try version(Self.total), ["a": input])
    _ = try await stream.swap(to: version(Self.picky), on: trial(values: 2))
    input.send(1)
    input.send(2)
    input.send(30)
    while ends.values.isEmpty { await Task.yield() }
    #expect(verdicts.values == [.passed])
    #expect(heard.values == [-1, -3])
    withExtendedLifetime(stream) {}
  }

  @Test("A trial begins when the version has worked on its first value, although it publishes none")
  func begins() async throws {
    let input = PassthroughInput<Int>()
    let begun = Recorder<Bool>()
    let trial = SwapTrial(values: 2) {
      begun.append(true)
    } tell: { [verdicts] verdict in
      verdicts.append(verdict)
    }
    let next = try version(#"{"filter": {"expression": "value > 1"}}"#)
    let stream = run(try version(Self.total), ["a": input])
    _ = try await stream.swap(to: next, on: trial)
    #expect(begun.values.isEmpty)
    input.send(1)
    _ = try await stream.swap(to: next, on: trial)
    #expect(begun.values.count == 1)
    for value in 2...3 { input.send(value) }
    while verdicts.values.isEmpty { await Task.yield() }
    #expect(verdicts.values == [.passed])
    #expect(begun.values.count == 1)
  }

  @Test("A version without another one to return to is watched, and its failure ends the stream", arguments: [2, 30])
  func lasting(_ second: Int) async throws {
    let input = PassthroughInput<Int>()
    let stream = run(try version(Self.picky), ["a": input])
    let trial = trial(values: 2)
    stream.begin(trial)
    input.send(1)
    input.send(second)
    while verdicts.values.isEmpty, ends.values.isEmpty { await Task.yield() }
    #expect(verdicts.values == (second == 2 ? [.passed] : []))
    #expect(ends.values.count == (second == 2 ? 0 : 1))
    #expect(heard.values == (second == 2 ? [-1, -3] : [-1]))
    withExtendedLifetime(stream) {}
  }

  @Test("A version that publishes without end in one instant does not pass")
  func neverIdle() async throws {
    let input = PassthroughInput<Int>()
    let stream = run(try version(Self.total), ["a": input])
    let trial = trial(values: 10)
    let endless = #"{"flatMap": {"stream": {"source": {"repeatElement": {"value": 1}}}}}"#
    _ = try await stream.swap(to: version(endless), on: trial)
    input.send(1)
    while heard.values.count < 1_000 { await Task.yield() }
    trial.pass()
    #expect(trial.verdict == .open)
    stream.cancel()
    #expect(verdicts.values.isEmpty)
  }

  @Test("A trial that fails in one stream ends in the others")
  func several() async throws {
    let (first, second) = (PassthroughInput<Int>(), PassthroughInput<Int>())
    let old = try version(Self.total)
    let (one, two) = (run(old, ["a": first]), run(old, ["a": second]))
    let trial = trial()
    for stream in [one, two] { _ = try await stream.swap(to: version(Self.picky), on: trial) }
    second.send(2)
    try await settle(two, as: version(Self.picky))
    #expect(heard.values == [-2])
    _ = try await two.swap(to: version(Self.picky), on: trial)
    first.send(10)
    while trial.verdict == .open { await Task.yield() }
    two.settle()
    second.send(3)
    _ = try await two.swap(to: old, on: nil)
    #expect(Set(heard.values) == [-2, 10, 5])
  }

  @Test("A second swap during a trial keeps the version before the first one")
  func twice() async throws {
    let input = PassthroughInput<Int>()
    let old = try version(Self.total)
    let stream = run(old, ["a": input])
    _ = try await stream.swap(to: version(#"{"map": {"expression": "value * 2"}}"#), on: trial())
    input.send(1)
    _ = try await stream.swap(to: version(#"{"map": {"expression": "value / 0"}}"#), on: trial())
    input.send(2)
    _ = try await stream.swap(to: old, on: nil)
    #expect(heard.values == [2, 3])
  }

  @Test("Timers of the former version go on by the clock, without the values that were due during the trial")
  func timers() async throws {
    let clock = ManualClock()
    let timer = { (operators: String) in
      try StreamVersion(StreamModel(parsing: #"{"source": {"timer": {"every": 1}}, "operators": [\#(operators)]}"#))
    }
    let stream = run(try timer(""), [:], clock: clock)
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await clock.sleepers(1)
    _ = try await stream.swap(
      to: timer(#"{"map": {"expression": "value < 3 ? -value : value / 0"}}"#), on: trial())
    for _ in 0..<4 {
      clock.advance(by: .seconds(1))
      await clock.sleepers(1)
    }
    _ = try await stream.swap(to: timer(""), on: nil)
    #expect(heard.values == [0, -1, -2, 3, 4])
    #expect(verdicts.values.count == 1)
  }

  @Test("A call that the swap has canceled is made again, and the result of a later call is not mixed up")
  func calls() async throws {
    let calls = Recorder<Int>()
    let clock = ManualClock()
    var services = HostServices()
    services.function("f") { (argument: Int) -> Int in
      calls.append(argument)
      if argument == 2 { return 0 }
      try await clock.sleep(for: .seconds(1))
      return 41
    }
    let old = try version(
      #"{"flatMap": {"stream": {"source": {"call": {"function": "f", "argument": "outer"}}}}}"#,
      #""inputs": {"a": {}}"#, services)
    let input = PassthroughInput<Int>()
    let stream = run(old, ["a": input], services)
    input.send(1)
    while calls.values.isEmpty { await Task.yield() }
    let new = try version(#"{"map": {"expression": "value / 0"}}"#, #""inputs": {"a": {}}"#, services)
    _ = try await stream.swap(to: new, on: trial())
    input.send(2)
    while verdicts.values.isEmpty { await Task.yield() }
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    while heard.values.count < 2 { await Task.yield() }
    #expect(Set(heard.values) == [0, 41])
    #expect(calls.values.sorted() == [1, 1, 2])
    withExtendedLifetime(stream) {}
  }

  @Test("With too many inputs since the swap, only the latest is delivered again")
  func tooMany() async throws {
    let input = PassthroughInput<Int>()
    let old = try version(Self.total)
    let stream = run(old, ["a": input])
    input.send(1)
    _ = try await stream.swap(to: version(#"{"filter": {"expression": "1 / (value - 7) == 9"}}"#), on: trial())
    for _ in 0..<10_001 { input.send(1) }
    input.send(7)
    input.send(1)
    _ = try await stream.swap(to: old, on: nil)
    #expect(heard.values == [1, 8, 9])
  }

  @Test("A failure of an input is that of the stream, not of the new version")
  func failingInput() async throws {
    let input = PassthroughInput<Int>()
    let stream = run(try version(Self.total), ["a": input])
    let trial = trial()
    _ = try await stream.swap(to: version(Self.picky), on: trial)
    input.send(1)
    input.fail(StreamFailure(.streamFailed, "no more"))
    while ends.values.isEmpty { await Task.yield() }
    #expect(heard.values == [-1])
    #expect(ends.values == [.failure(StreamFailure(.streamFailed, "no more"))])
    #expect(trial.verdict == .open)
    withExtendedLifetime(stream) {}
  }

  @Test("A swap for a version that fails at its first value changes nothing that subscribers see")
  func unseen() async throws {
    let operators = [
      Self.total, #"{"collect": {"count": 2}}, {"map": {"expression": "value[0] * 10 + size(value)"}}"#,
      #"{"removeDuplicates": {}}"#, #"{"drop": {"count": 2}}"#, #"{"filter": {"expression": "value != 3"}}"#,
      #"{"prefix": {"count": 6}}"#, #"{"distinct": {}}"#,
    ]
    let fails = #"{"map": {"expression": "[value][1]"}}"#
    for seed in 0..<PropertyCount.cases(byDefault: 100) {
      var random = SeededGenerator(seed: UInt64(seed))
      let first = random.happens(oneIn: 2) ? [Self.total] : []
      let chosen = first + (0..<random.below(4)).map { _ in operators[1 + random.below(operators.count - 1)] }
      let values = (0..<12).map { _ in random.below(5) }
      let old = try version(chosen.joined(separator: ","))
      var results: [[Value]] = []
      for place in [nil, random.below(12)] {
        let (input, heard) = (PassthroughInput<Int>(), Recorder<Value>())
        let stream = ChangingStream(
          old, inputs: ["a": input], services: HostServices(), options: CompileOptions(), clock: ContinuousClock(),
          receive: { value in
            heard.append(value)
            return nil
          }, end: { _ in })
        for (number, value) in values.enumerated() {
          if number == place {
            _ = try await stream.swap(to: version((chosen + [fails]).joined(separator: ",")), on: trial())
          }
          input.send(value)
        }
        _ = try await stream.swap(to: old, on: nil)
        results.append(heard.values)
      }
      #expect(results[0] == results[1], "seed \(seed): \(chosen) \(values)")
    }
  }

  @Test("A former version that publishes without end is restored")
  func endless() async throws {
    let endless = { (operators: String) in
      try StreamVersion(
        StreamModel(
          parsing: #"{"source": {"range": {"from": 1, "through": 1000000000000}}, "operators": [\#(operators)]}"#))
    }
    let stream = ChangingStream(
      try endless(""), inputs: [:], services: HostServices(), options: CompileOptions(), clock: ContinuousClock(),
      receive: { _ in nil }, end: { _ in })
    let trial = trial()
    _ = try await stream.swap(to: endless(#"{"map": {"expression": "value / 0"}}"#), on: trial)
    while trial.verdict == .open { await Task.yield() }
    #expect(verdicts.values.count == 1)
    stream.cancel()
  }

  @Test("Values and ends of inputs that only the former version has are not lost")
  func inputOfTheFormer() async throws {
    let both = #""inputs": {"a": {}, "b": {}}"#
    let (a, b) = (PassthroughInput<Int>(), PassthroughInput<Int>())
    let merging = #"{"merge": {"with": [{"source": {"input": {"name": "b"}}}]}}, \#(Self.total)"#
    let old = try version(merging, both)
    let stream = run(old, ["a": a, "b": b])
    a.send(1)
    _ = try await stream.swap(to: version(Self.picky), on: trial())
    b.send(100)
    b.finish()
    a.send(40)
    a.finish()
    _ = try await stream.swap(to: old, on: nil)
    #expect(heard.values == [1, 141])
    #expect(ends.values == [.finished])
  }

  @Test("A version that declares another type for an input is to blame for the values that do not fit it")
  func otherType() async throws {
    let input = PassthroughInput<Int>()
    let old = try version(Self.total)
    let stream = run(old, ["a": input])
    input.send(1)
    let typed = try version(#"{"map": {"expression": "value + 'x'"}}"#, #""inputs": {"a": {"type": "string"}}"#)
    _ = try await stream.swap(to: typed, on: trial())
    input.send(2)
    _ = try await stream.swap(to: old, on: nil)
    #expect(heard.values == [1, 3])
    #expect(ends.values.isEmpty)
    guard case .failed(let failure)? = verdicts.values.first else { Issue.record("there is no verdict"); return }
    #expect(failure.code == "S304")
  }

  @Test("A value for an input that only a later version has is kept through a failed trial")
  func inputOfALaterVersion() async throws {
    let (a, c) = (PassthroughInput<Int>(), PassthroughInput<Int>())
    let stream = run(try version(Self.total), ["a": a, "c": c])
    a.send(1)
    _ = try await stream.swap(to: version(Self.picky), on: trial())
    c.send(7)
    a.send(40)
    let later = try version(
      #"{"withLatestFrom": {"with": [{"source": {"input": {"name": "c"}}}]}}"#,
      #""inputs": {"a": {}, "c": {"initialValue": 0}}"#)
    _ = try await stream.swap(to: later, on: nil)
    a.send(2)
    try await settle(stream, as: later)
    #expect(heard.values == [1, 41, [2, 7]])
  }
}

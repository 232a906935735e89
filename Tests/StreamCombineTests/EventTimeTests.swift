import StreamCombine
import StreamCore
import StreamEngine
import StreamKit
import Synchronization
import Testing

/// Streams of an app whose time follows the values that it sends. `ReferenceTests` compares them with the model.
@Suite("Event time in apps", .timeLimit(.minutes(1)))
struct EventTimeTests {
  private static func reading(_ time: Int64, _ sensor: String = "a") -> Value {
    ["t": .int(time), "s": .string(sensor)]
  }

  /// Counts the values of each 10 seconds.
  private static func counting(_ time: String) throws -> StreamModel {
    try StreamModel(
      parsing: #"""
        {"inputs": {"a": {"time": {"expression": "value.t", "unit": "s"\#(time)}}}, "source": {"input": {"name": "a"}},
         "operators": [{"window": {"seconds": 10, "align": "clock", "operators": [
           {"count": {}}, {"map": {"expression": "[int(windowStart), value]"}}]}}]}
        """#)
  }

  private final class Heard: Sendable {
    let values = Mutex<[Value]>([])
    let end = Mutex<String?>(nil)

    var all: [Value] { values.withLock { $0 } }
    var ending: String? { end.withLock { $0 } }

    func subscribe(to stream: StreamPublisher<Value>) -> AnyCancellable {
      stream.sink(
        receiveCompletion: { completion in
          self.end.withLock {
            if case .failure(let failure) = completion { $0 = failure.code } else { $0 = "finished" }
          }
        }, receiveValue: { value in self.values.withLock { $0.append(value) } })
    }
  }

  @Test("Values out of order are counted where they belong, and late ones are reported")
  func disorder() throws {
    let input = PassthroughInput<Value>()
    let reports = Mutex<[StreamFailure]>([])
    var services = HostServices()
    services.report = { failure in reports.withLock { $0.append(failure) } }
    let live = try LiveStream(
      Self.counting(#", "lateness": 5, "late": "drop""#), inputs: ["a": input], services: services)
    let heard = Heard()
    let token = heard.subscribe(to: live.publisher(scheduler: VirtualScheduler(), delivery: .immediate))
    for time in [1_001, 1_012, 1_009, 1_016, 1_003, 1_031] as [Int64] { input.send(Self.reading(time)) }
    // The time of the stream is that of the latest value behind the watermark, 1016.
    #expect(heard.all == [[1_000, 2]])
    input.finish()
    #expect(heard.all == [[1_000, 2], [1_010, 2], [1_030, 1]])
    #expect(heard.ending == "finished")
    let messages = reports.withLock { $0.map(\.message) }
    #expect(messages == ["1 value arrived more than 5 s late, and was dropped"])
    token.cancel()
  }

  @Test("Inputs are merged by time, and one without a clock is present")
  func severalInputs() throws {
    let model = try StreamModel(
      parsing: #"""
        {"inputs": {"a": {"time": {"expression": "value.t", "unit": "s"}}, "b": {"time": {"expression": "value.t", "unit": "s"}},
          "scale": {"initialValue": 1}},
         "source": {"input": {"name": "a"}},
         "operators": [{"merge": {"with": ["b"]}}, {"withLatestFrom": {"with": ["scale"]}},
           {"map": {"expression": "[value[0].t, value[1]]"}}]}
        """#)
    let (first, second, scale) = (PassthroughInput<Value>(), PassthroughInput<Value>(), StreamInput(2))
    let live = try LiveStream(model, inputs: ["a": first, "b": second, "scale": scale])
    let heard = Heard()
    let token = heard.subscribe(to: live.publisher(scheduler: VirtualScheduler(), delivery: .immediate))
    for time in [1, 4, 7] as [Int64] { first.send(Self.reading(time)) }
    #expect(heard.all.isEmpty)
    for time in [2, 5] as [Int64] { second.send(Self.reading(time)) }
    #expect(heard.all == [[1, 2], [2, 2], [4, 2], [5, 2]])
    scale.value = 3
    second.finish()
    #expect(heard.all == [[1, 2], [2, 2], [4, 2], [5, 2], [7, 3]])
    token.cancel()
  }

  @Test("Timers fire by the values, and after 'idle' seconds of silence by the clock")
  func silence() throws {
    let model = try StreamModel(
      parsing: #"""
        {"inputs": {"a": {"time": {"expression": "value.t", "unit": "s", "idle": 2}}}, "source": {"input": {"name": "a"}},
         "operators": [{"debounce": {"seconds": 5}}, {"map": {"expression": "[value.t, int(now())]"}}]}
        """#)
    let (input, scheduler, heard) = (PassthroughInput<Value>(), VirtualScheduler(), Heard())
    let live = try LiveStream(model, inputs: ["a": input])
    let token = heard.subscribe(to: live.publisher(scheduler: scheduler))
    scheduler.advance(by: .zero)
    for time in [1_000, 1_003, 1_010] as [Int64] { input.send(Self.reading(time)) }
    scheduler.advance(by: .seconds(1))
    #expect(heard.all == [[1_003, 1_008]])
    scheduler.advance(by: .seconds(3))
    #expect(heard.all == [[1_003, 1_008]])
    scheduler.advance(by: .seconds(2))
    #expect(heard.all == [[1_003, 1_008], [1_010, 1_015]])
    token.cancel()
  }

  @Test("After a silence longer than 'maxJump' in which the input was idle, the next value does not count as a jump")
  func silenceLongerThanJump() throws {
    let (input, scheduler, heard) = (PassthroughInput<Value>(), VirtualScheduler(), Heard())
    let model = try StreamModel(
      parsing: #"""
        {"inputs": {"a": {"time": {"expression": "value.t", "unit": "s", "idle": 2, "maxJump": 5}}},
         "source": {"input": {"name": "a"}}, "operators": [{"map": {"expression": "[value.t]"}}]}
        """#)
    let live = try LiveStream(model, inputs: ["a": input])
    let token = heard.subscribe(to: live.publisher(scheduler: scheduler))
    input.send(Self.reading(1_000))
    scheduler.advance(by: .seconds(60))
    input.send(Self.reading(1_060))
    scheduler.advance(by: .seconds(1))
    #expect(heard.all == [[1_000], [1_060]])
    // Without a silence, the same distance is a jump.
    input.send(Self.reading(1_120))
    scheduler.advance(by: .seconds(1))
    #expect(heard.ending == "S305")
    token.cancel()
  }

  @Test("The first values wait until they agree, and a saved state has them")
  func firstValues() async throws {
    let time = #", "maxJump": 100"#
    let (input, heard) = (PassthroughInput<Value>(), Heard())
    var live = try LiveStream(Self.counting(time), inputs: ["a": input])
    live.state = StreamState()
    let token = heard.subscribe(to: live.publisher(scheduler: VirtualScheduler(), delivery: .immediate))
    for time in [1_001, 990_000] as [Int64] { input.send(Self.reading(time)) }
    let saved = try Snapshot(text: try #require(try await live.state?.save()).text())
    token.cancel()
    let (again, later) = (PassthroughInput<Value>(), Heard())
    live = try LiveStream(Self.counting(time), inputs: ["a": again])
    live.state = StreamState(restoring: saved)
    let second = later.subscribe(to: live.publisher(scheduler: VirtualScheduler(), delivery: .immediate))
    again.send(Self.reading(990_001))
    // The first of the three is wrong.
    #expect(later.ending == "S305")
    second.cancel()
  }

  @Test(
    "A first value that waits after a silence is in a saved state, and not lost without 'maxJump'",
    arguments: [true, false])
  func firstValueAfterSilence(keepsJump: Bool) async throws {
    let (input, heard) = (PassthroughInput<Value>(), Heard())
    let scheduler = VirtualScheduler()
    var live = try LiveStream(Self.counting(#", "maxJump": 100, "idle": 2"#), inputs: ["a": input])
    live.state = StreamState()
    let token = heard.subscribe(to: live.publisher(scheduler: scheduler, delivery: .immediate))
    scheduler.advance(by: .seconds(5))
    input.send(Self.reading(7))
    let saved = try Snapshot(text: try #require(try await live.state?.save()).text())
    token.cancel()
    #expect(heard.all.isEmpty)

    let (again, later) = (PassthroughInput<Value>(), Heard())
    live = try LiveStream(
      Self.counting(keepsJump ? #", "maxJump": 100, "idle": 2"# : #", "idle": 2"#), inputs: ["a": again])
    live.state = StreamState(restoring: saved)
    let second = later.subscribe(to: live.publisher(scheduler: VirtualScheduler(), delivery: .immediate))
    again.send(Self.reading(8))
    again.finish()
    #expect(later.all == [[0, 2]], "\(later.ending ?? "")")
    second.cancel()
  }

  @Test("A time that is none fails the input, after the values before it")
  func invalidTime() throws {
    let (input, heard) = (PassthroughInput<Value>(), Heard())
    let live = try LiveStream(Self.counting(#", "lateness": 5"#), inputs: ["a": input])
    let token = heard.subscribe(to: live.publisher(scheduler: VirtualScheduler(), delivery: .immediate))
    input.send(Self.reading(1_001))
    input.send(["t": "yesterday"])
    #expect(heard.all.isEmpty)
    #expect(heard.ending == "S305")
    token.cancel()
  }

  @Test("A saved state has the values that wait for their time")
  func saved() async throws {
    let (input, heard) = (PassthroughInput<Value>(), Heard())
    var live = try LiveStream(Self.counting(#", "lateness": 60"#), inputs: ["a": input])
    live.state = StreamState()
    let token = heard.subscribe(to: live.publisher(scheduler: VirtualScheduler(), delivery: .immediate))
    for time in [1_001, 1_012, 1_009] as [Int64] { input.send(Self.reading(time)) }
    let saved = try Snapshot(text: try #require(try await live.state?.save()).text())
    token.cancel()
    #expect(heard.all.isEmpty)

    let (again, later) = (PassthroughInput<Value>(), Heard())
    live = try LiveStream(Self.counting(#", "lateness": 60"#), inputs: ["a": again])
    live.state = StreamState(restoring: saved)
    let second = later.subscribe(to: live.publisher(scheduler: VirtualScheduler(), delivery: .immediate))
    again.send(Self.reading(1_003))
    again.finish()
    #expect(later.all == [[1_000, 3], [1_010, 1]])
    second.cancel()
  }

  @Test("A swap changes the clock, and keeps the values that wait for their time")
  func swapped() async throws {
    let (input, heard) = (PassthroughInput<Value>(), Heard())
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let stream = try ChangingStream(
      Self.counting(#", "lateness": 60"#), inputs: ["a": input],
      receive: { value in heard.values.withLock { $0.append(value) } }, end: { _ in end.finish() })
    for time in [1_001, 1_012, 1_009] as [Int64] { input.send(Self.reading(time)) }
    _ = try await stream.swap(to: try Self.counting(#", "lateness": 1"#))
    input.send(Self.reading(1_022))
    input.finish()
    for await _ in ends {}
    #expect(heard.all == [[1_000, 2], [1_010, 1], [1_020, 1]])
    stream.cancel()
  }

  @Test("A swap to a version without a clock lets the values go that waited, and later ones are present")
  func swappedClockAway() async throws {
    func model(_ time: String) throws -> StreamModel {
      try StreamModel(parsing: #"{"inputs": {"a": {\#(time)}}, "source": {"input": {"name": "a"}}}"#)
    }
    let (input, heard) = (PassthroughInput<Value>(), Heard())
    let (counts, count) = AsyncStream.makeStream(of: Int.self)
    let stream = try ChangingStream(
      model(#""time": {"expression": "value.t", "unit": "s", "lateness": 60}"#), inputs: ["a": input],
      receive: { value in
        count.yield(
          heard.values.withLock { values in
            values.append(value)
            return values.count
          })
      })
    for time in [1_012, 1_001] as [Int64] { input.send(Self.reading(time)) }
    _ = try await stream.swap(to: try model(""))
    input.send(Self.reading(900))
    for await number in counts where number == 3 { break }
    #expect(heard.all == [Self.reading(1_001), Self.reading(1_012), Self.reading(900)])
    stream.cancel()
  }

  @Test("A stream of late values has them in an app")
  func lateValues() throws {
    let model = try StreamModel(
      parsing: #"""
        {"inputs": {"a": {"time": {"expression": "value.t", "unit": "s", "lateness": 5, "late": "output"}}},
         "source": {"input": {"name": "a", "late": true}}, "operators": [{"map": {"expression": "value.t"}}]}
        """#)
    let (input, heard) = (PassthroughInput<Value>(), Heard())
    let token = heard.subscribe(
      to: try LiveStream(model, inputs: ["a": input]).publisher(scheduler: VirtualScheduler(), delivery: .immediate))
    for time in [1_001, 1_012, 1_003, 1_009] as [Int64] { input.send(Self.reading(time)) }
    input.finish()
    #expect(heard.all == [1_003])
    #expect(heard.ending == "finished")
    token.cancel()
  }

  @Test("No timer fires while the receiver is busy")
  func busyReceiver() throws {
    let model = try StreamModel(
      parsing: #"""
        {"inputs": {"a": {"time": {"expression": "value"}}}, "source": {"input": {"name": "a"}},
         "operators": [{"timeout": {"seconds": 0.01, "onTimeout": "publish", "value": "silence"}}]}
        """#)
    let (input, scheduler, probe) = (PassthroughInput<Int>(), VirtualScheduler(), Probe<Value>(demand: .max(1)))
    try LiveStream(model, inputs: ["a": input]).publisher(scheduler: scheduler, delivery: .immediate).subscribe(probe)
    input.send(1_000)
    scheduler.advance(by: .seconds(1))
    input.send(1_005)
    input.send(1_020)
    probe.request(.max(2))
    #expect(probe.values == [1_000, 1_005, "silence"])
    probe.cancel()
  }
}

import Foundation
import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Synchronization
import TestSupport
import Testing

/// A stream whose model an app changes while it runs.
@Suite("A stream that changes")
struct ChangingStreamTests {
  private let heard = Recorder<Value>()
  private let ends = Recorder<Completion>()

  private func model(_ operators: String, _ members: String = #""inputs": {"a": {}}"#) throws -> StreamModel {
    try stream(fed(operators, members)).model
  }

  private static let total = #"{"id": "total", "scan": {"initialValue": 0, "expression": "acc + value"}}"#

  private func run(
    _ model: StreamModel, _ inputs: [String: any StreamFeed] = [:], _ services: HostServices = HostServices()
  ) throws -> ChangingStream {
    try ChangingStream(model, inputs: inputs, services: services) { [heard] in
      heard.append($0)
    } end: { [ends] in
      ends.append($0)
    }
  }

  @Test("Values sent before a swap use the old version, later values the new one, and the state is kept")
  func swaps() async throws {
    let input = PassthroughInput<Int>()
    let stream = try run(model(Self.total), ["a": input])
    // The first swap is a sign that the stream has begun.
    _ = try await stream.swap(to: model(Self.total))
    input.send(1)
    input.send(2)
    let report = try await stream.swap(to: model(#"\#(Self.total), {"map": {"expression": "-value"}}"#))
    #expect(report?.description == "kept #total; 1 operator is new")
    input.send(3)
    _ = try await stream.swap(to: model(Self.total))
    #expect(heard.values == [1, 3, -6])
    input.finish()
    while ends.values.isEmpty { await Task.yield() }
    #expect(ends.values == [.finished])
    let late = try await stream.swap(to: model(Self.total))
    #expect(late == nil)
  }

  @Test("A feed that is missing or of the wrong type is refused, also by a swap, and the stream continues")
  func feeds() async throws {
    let whole = try model("", #""inputs": {"a": {"type": "int"}}"#)
    #expect(throws: Diagnostics.self) { try ChangingStream(whole) }
    #expect(throws: Diagnostics.self) { try ChangingStream(whole, inputs: ["a": PassthroughInput<String>()]) }
    let input = PassthroughInput<Int>()
    let stream = try ChangingStream(whole, inputs: ["a": input])
    var values = stream.values(of: Int.self).makeAsyncIterator()
    let text = try model("", #""inputs": {"a": {"type": "string"}}"#)
    await #expect(throws: Diagnostics.self) { _ = try await stream.swap(to: text) }
    input.send(1)
    let value = try await values.next()
    #expect(value == 1)
  }

  @Test("A loop over the values ends when the stream is canceled, and one that begins later", .timeLimit(.minutes(1)))
  func cancellationEndsLoops() async throws {
    let input = PassthroughInput<Int>()
    let stream = try ChangingStream(model(""), inputs: ["a": input])
    let others = stream.values(of: Int.self)
    var values = others.makeAsyncIterator()
    input.send(1)
    let first = try await values.next()
    let waiting = Task {
      for try await _ in others {}
      return true
    }
    stream.cancel()
    let last = try await values.next()
    let isOver = try await waiting.value
    let late = try await stream.values(of: Int.self).first { _ in true }
    #expect(first == 1)
    #expect(last == nil)
    #expect(isOver)
    #expect(late == nil)
  }

  @Test("An input that is faster than the stream fails at the limit of values that wait", .timeLimit(.minutes(1)))
  func mailLimit() async throws {
    let input = PassthroughInput<Int>()
    let isOpen = Atomic(false)
    var services = HostServices()
    services.limits.waiting = 1_000
    let model = try StreamModel(
      parsing: """
        {"inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}},
         "operators": [{"handleEvents": {"receiveOutput": "wait"}}]}
        """)
    // The hook holds the stream until all is sent.
    services.hook("wait") { (_: Int) in while !isOpen.load(ordering: .relaxed) { Thread.sleep(forTimeInterval: 0.001) }
    }
    let slow = try ChangingStream(model, inputs: ["a": input], services: services)
    var values = slow.values(of: Int.self, bufferingPolicy: .newest(1)).makeAsyncIterator()
    for number in 0..<1_002 { input.send(number) }
    isOpen.store(true, ordering: .relaxed)
    let failure = await #expect(throws: StreamFailure.self) { while try await values.next() != nil {} }
    #expect(failure?.code == "S409")
    #expect(failure?.message == "1000 values wait for the stream, which is slower than input 'a'")
  }

  @Test("A stream continues as another model")
  func page() async throws {
    let input = StreamInput(2)
    let (model, changed) = (
      try self.model(Self.total), try self.model(#"\#(Self.total), {"map": {"expression": "-value"}}"#)
    )

    let running = try ChangingStream(model, inputs: ["a": input])
    var totals = running.values(of: Int.self).makeAsyncIterator()
    let report = try await running.swap(to: changed)

    #expect(report?.description == "kept #total; 1 operator is new")
    input.wrappedValue = 3
    let first = try await totals.next()
    let second = try await totals.next()
    #expect([first, second] == [2, -5])
    running.cancel()
  }

  @Test("An invalid model is refused, and the stream continues unchanged")
  func refuses() async throws {
    let input = StreamInput(1)
    let current = #""inputs": {"a": {"initialValue": 0, "type": "int"}}"#
    let stream = try run(model(Self.total, current), ["a": input])
    await #expect(throws: Diagnostics.self) { _ = try await stream.swap(to: model(#"{"map": {"expression": "no"}}"#)) }
    input.wrappedValue = 5
    _ = try await stream.swap(to: model(Self.total, current))
    #expect(heard.values == [1, 6])
    stream.cancel()
    let late = try await stream.swap(to: model(Self.total, current))
    #expect(late == nil)
    input.wrappedValue = 7
    #expect(heard.values == [1, 6])
  }

  @Test("An input that a later model has is fed from then on")
  func laterInputs() async throws {
    let (a, b) = (PassthroughInput<Int>(), StreamInput(10))
    let stream = try run(model(Self.total), ["a": a, "b": b])
    _ = try await stream.swap(to: model(Self.total))
    a.send(1)
    let both = #"{"inputs": {"b": {"initialValue": 0}, "a": {}}, "source": {"input": {"name": "a"}},"#
    let joined = try StreamModel(
      parsing: both + #" "operators": [\#(Self.total), {"withLatestFrom": {"with": ["b"]}}]}"#)
    _ = try await stream.swap(to: joined)
    a.send(2)
    b.wrappedValue = 20
    a.send(3)
    _ = try await stream.swap(to: joined)
    #expect(heard.values == [1, [3, 10], [6, 20]])
  }

  @Test("Timers go on by the clock, and an open call is answered once")
  func timersAndCalls() async throws {
    let clock = ManualClock()
    let timer = { (operators: String) in
      try StreamModel(parsing: #"{"source": {"timer": {"every": 1}}, "operators": [\#(operators)]}"#)
    }
    let ticks = try ChangingStream(timer(""), clock: clock) { [heard] in heard.append($0) }
    await clock.sleepers(1)
    clock.advance(by: .seconds(1.5))
    await clock.sleepers(1)
    _ = try await ticks.swap(to: timer(#"{"map": {"expression": "value * 10"}}"#))
    clock.advance(by: .seconds(0.5))
    await clock.sleepers(1)
    _ = try await ticks.swap(to: timer(""))
    #expect(heard.values == [0, 10])

    let (calls, answers) = (Recorder<Int>(), Recorder<Value>())
    let (gate, opener) = AsyncStream.makeStream(of: Int.self)
    var services = HostServices()
    services.function("f") { (argument: Int) -> Int in
      calls.append(argument)
      for await answer in gate { return answer }
      return 0
    }
    let call = { (operators: String) in
      try StreamModel(
        parsing: #"{"source": {"call": {"function": "f", "argument": "1"}}, "operators": [\#(operators)]}"#)
    }
    let asking = try ChangingStream(call(""), services: services) { answers.append($0) }
    _ = try await asking.swap(to: call(#"{"map": {"expression": "value + 1"}}"#))
    opener.yield(41)
    while answers.values.isEmpty { await Task.yield() }
    #expect(answers.values == [42])
    #expect(calls.values == [1])
  }
}

import Foundation
import StreamCombine
import StreamCore
import StreamEngine
import StreamKit
import Synchronization
import Testing

/// The limits of streams that run in real time: publishers, sequences and changing streams.
@Suite("Limits of live streams")
struct LiveLimitTests {
  private static let endless = """
    {"source": {"repeatElement": {"value": 1}}, "operators": [{"map": {"expression": "value + 1"}}]}
    """

  private static func services(_ limits: RunLimits) -> HostServices {
    var services = HostServices()
    services.limits = limits
    return services
  }

  /// Returns the failure with which a publisher ends.
  private static func failure(
    _ text: String, _ limits: RunLimits, inputs: [String: any StreamFeed] = [:],
    options: CompileOptions = CompileOptions()
  ) throws -> StreamFailure? {
    let stream = try LiveStream(
      StreamModel(parsing: text), inputs: inputs, services: services(limits), options: options)
    var failure: StreamFailure?
    stream.publisher(delivery: .immediate).sink { completion in
      if case .failure(let found) = completion { failure = found }
    } receiveValue: { _ in
    }.cancel()
    return failure
  }

  @Test("An endless publisher fails with the source's name and place", .timeLimit(.minutes(1)))
  func endlessInstant() throws {
    let failure = try #require(try Self.failure(Self.endless, RunLimits(burst: 100_000)))
    #expect(failure.code == "S417")
    #expect(failure.message.hasPrefix("'repeatElement' makes the stream publish more than 100000 values"))
    #expect(failure.pointer.description == "/source/repeatElement")
  }

  @Test("An endless publisher leaves the main queue to others, and then fails", .timeLimit(.minutes(1)))
  func yieldsQueue() async throws {
    let stream = try LiveStream(
      StreamModel(parsing: Self.endless), services: Self.services(RunLimits(burst: 3_000_000)))
    let queue = DispatchQueue(label: "main")
    let ticks = Atomic(0)
    let ticksAtEnd = Atomic(0)
    let end = AsyncStream<StreamFailure?>.makeStream()
    let cancellable = stream.publisher(scheduler: queue.asScheduler).sink { completion in
      ticksAtEnd.store(ticks.load(ordering: .relaxed), ordering: .relaxed)
      if case .failure(let failure) = completion { end.continuation.yield(failure) }
      end.continuation.finish()
    } receiveValue: { _ in
    }
    for _ in 0..<100 {
      queue.async { ticks.add(1, ordering: .relaxed) }
      try await Task.sleep(for: .milliseconds(1))
    }
    var failure: StreamFailure?
    for await found in end.stream { failure = found }
    withExtendedLifetime(cancellable) {}
    // The stream may fail before this test has dispatched its last tick, which is then still to come.
    await withCheckedContinuation { done in queue.async { done.resume() } }
    #expect(ticksAtEnd.load(ordering: .relaxed) > 0)
    #expect(ticks.load(ordering: .relaxed) == 100)
    #expect(failure?.message.contains("'repeatElement'") == true)
  }

  @Test("An endless stream whose values lead to none fails with the source's name", .timeLimit(.minutes(1)))
  func endlessWork() throws {
    let text = #"{"source": {"repeatElement": {"value": 1}}, "operators": [{"filter": {"expression": "value > 1"}}]}"#
    let failure = try #require(try Self.failure(text, RunLimits(budget: 100_000)))
    #expect(failure.message.hasSuffix("'repeatElement' publishes values that lead to none"))
  }

  @Test(
    "A sent value that starts endless work on the sender's thread fails with a limit", .timeLimit(.minutes(1)),
    arguments: [
      #"{"count": {}}"#, #"{"filter": {"expression": "value > 1"}}"#, #"{"collect": {}}"#,
      #"{"map": {"expression": "value"}}"#,
    ])
  func endlessAnswer(_ text: String) throws {
    let input = PassthroughInput<Int>()
    let endless = #"{"source": {"repeatElement": {"value": 1}}, "operators": [\#(text)]}"#
    let model = #"""
      {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"switchMap": {"stream": \#(endless)}}]}
      """#
    let limits = RunLimits(budget: 100_000, burst: 100_000, memory: 1_000_000)
    let stream = try LiveStream(StreamModel(parsing: model), inputs: ["a": input], services: Self.services(limits))
    var failure: StreamFailure?
    let token = stream.publisher(delivery: .immediate).sink { completion in
      if case .failure(let found) = completion { failure = found }
    } receiveValue: { _ in
    }
    input.send(1)
    token.cancel()
    #expect(failure?.code == (text.contains("collect") ? "S409" : "S417"), "\(failure?.description ?? "none")")
  }

  @Test("A long burst within the limit, and many inputs, are no endless instant", .timeLimit(.minutes(1)))
  func longBurst() throws {
    let range = #"{"source": {"range": {"from": 1, "through": 90000}}}"#
    #expect(try Self.failure(range, RunLimits(burst: 100_000)) == nil)
    let input = PassthroughInput<Int>()
    let model = try StreamModel(parsing: #"{"inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}}}"#)
    let stream = try LiveStream(model, inputs: ["a": input], services: Self.services(RunLimits(burst: 1_000)))
    var (count, failures) = (0, 0)
    let token = stream.publisher(delivery: .immediate).sink { _ in
      failures += 1
    } receiveValue: { _ in
      count += 1
    }
    for number in 0..<20_000 { input.send(number) }
    token.cancel()
    #expect((count, failures) == (20_000, 0))
  }

  @Test(
    "A stream that holds too much fails with the operator's name, and how much it held", .timeLimit(.minutes(1)),
    arguments: [
      (#"{"collect": {}}"#, "collect"),
      (#"{"groupBy": {"key": "string(value)", "operators": [{"count": {}}]}}"#, "groupBy"),
      (#"{"scan": {"initialValue": [], "expression": "acc + [value, value, value]"}}"#, "scan"),
      (#"{"delay": {"seconds": 3600}}"#, "delay"),
      (#"{"distinct": {}}"#, "distinct"),
    ])
  func memory(_ text: String, _ name: String) throws {
    let input = PassthroughInput<Int>()
    let model = #"{"inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}}, "operators": [\#(text)]}"#
    let stream: LiveStream
    do {
      stream = try LiveStream(
        StreamModel(parsing: model), inputs: ["a": input], services: Self.services(RunLimits(memory: 1_000_000)))
    } catch {
      Issue.record("\(error)")
      return
    }
    var failure: StreamFailure?
    let token = stream.publisher(delivery: .immediate).sink { completion in
      if case .failure(let found) = completion { failure = found }
    } receiveValue: { _ in
    }
    var number = 0
    while failure == nil, number < 400_000 {
      input.send(number)
      number += 1
      if name == "scan", number > 40_000 { break }
    }
    token.cancel()
    #expect(failure?.code == "S409")
    #expect(failure?.message.hasPrefix("'\(name)' holds about") == true, "\(String(describing: failure))")
  }

  @Test("A changing stream has the limits of its services", .timeLimit(.minutes(1)))
  func changing() async throws {
    let stream = try ChangingStream(
      StreamModel(parsing: Self.endless), services: Self.services(RunLimits(burst: 200_000)))
    let failure = await #expect(throws: StreamFailure.self) {
      for try await _ in stream.values(bufferingPolicy: .newest(1)) {}
    }
    #expect(failure?.message.hasPrefix("'repeatElement' makes the stream publish") == true)
  }

  @Test("Expressions have the limits of the options")
  func expressions() throws {
    var options = CompileOptions()
    options.expressionLimits = ExpressionLimits(budget: 1_000)
    let long = """
      {"source": {"just": {"value": 10000}}, "operators": [{"map": {"expression": "lists.range(value).map(x, x + 1)"}}]}
      """
    let failure = try Self.failure(long, RunLimits(), options: options)
    #expect(failure?.message.contains("more than 1000 steps") == true)
    #expect(try Self.failure(long, RunLimits()) == nil)
    options.expressionLimits = ExpressionLimits(bytes: 10)
    #expect(throws: Diagnostics.self) { try Self.failure(long, RunLimits(), options: options) }
  }
}

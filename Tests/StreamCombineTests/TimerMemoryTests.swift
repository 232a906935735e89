#if os(Linux)
import Foundation
import StreamCombine
import StreamEngine
import StreamKit
import Synchronization
import TestSupport
import Testing

/// Resident memory over 100,000 of each kind, in a process for each: beside a timer of an hour, 60 bytes a published value
/// at most, and 100 bytes a subscription that has ended.
@Suite("Timers keep no memory", .serialized)
struct TimerMemoryTests {
  @Test("A publisher publishes beside a timer of an hour")
  func publisherValues() async throws {
    try await OwnProcess.run(of: "TimerMemoryTests") { try await TimerMemory(.publisher).checkValues() }
  }

  @Test("A publisher on a queue of its own publishes beside a timer of an hour")
  func queueValues() async throws {
    try await OwnProcess.run(of: "TimerMemoryTests") { try await TimerMemory(.queue).checkValues() }
  }

  @Test("A sequence publishes beside a timer of an hour")
  func sequenceValues() async throws {
    try await OwnProcess.run(of: "TimerMemoryTests") { try await TimerMemory(.values).checkValues() }
  }

  @Test("A changing stream publishes beside a timer of an hour")
  func changingValues() async throws {
    try await OwnProcess.run(of: "TimerMemoryTests") { try await TimerMemory(.changing).checkValues() }
  }

  @Test("A publisher ends beside a timer of an hour")
  func publisherEnds() async throws {
    try await OwnProcess.run(of: "TimerMemoryTests") { try await TimerMemory(.publisher).checkEnds() }
  }

  @Test("A sequence ends beside a timer of an hour")
  func sequenceEnds() async throws {
    try await OwnProcess.run(of: "TimerMemoryTests") { try await TimerMemory(.values).checkEnds() }
  }

  @Test("A changing stream ends beside a timer of an hour")
  func changingEnds() async throws {
    try await OwnProcess.run(of: "TimerMemoryTests") { try await TimerMemory(.changing).checkEnds() }
  }

  @Test("The timers of a changing stream are replaced")
  func swaps() async throws {
    try await OwnProcess.run(of: "TimerMemoryTests") { try await TimerMemory(.changing).checkSwaps() }
  }
}

/// Measures one way to run streams.
private final class TimerMemory: Sendable {
  enum Door {
    case publisher, queue, values, changing
  }

  enum Ending: CaseIterable {
    case cancellation, completion, release
  }

  private let door: Door
  private let published = Atomic(0)
  private let ended = Atomic(0)
  private static let count = 100_000

  init(_ door: Door) { self.door = door }

  private static func model(_ operators: String) throws -> StreamModel {
    try StreamModel(
      parsing: """
        {"inputs": {"in": {"type": "int"}}, "source": {"input": {"name": "in"}},
         "operators": [\(operators),
           {"handleEvents": {"receiveOutput": "value", "receiveCompletion": "end", "receiveCancel": "end"}}]}
        """)
  }

  private var services: HostServices {
    var services = HostServices()
    services.hook("value", of: { [self] _ in published.add(1, ordering: .relaxed) })
    services.hook("end", of: { [self] _ in ended.add(1, ordering: .relaxed) })
    return services
  }

  /// A subscription, which ends when it is canceled or released.
  private struct Subscription {
    var token: AnyCancellable?
    var iterator: StreamValues<Int>.Iterator?
    var stream: ChangingStream?

    mutating func cancel() {
      token?.cancel()
      stream?.cancel()
      iterator = nil
    }
  }

  private func subscribe(_ model: StreamModel, _ live: LiveStream, _ input: PassthroughInput<Int>) throws
    -> Subscription
  {
    let live = try LiveStream(live.pipeline, inputs: ["in": input], services: live.services)
    switch door {
    case .publisher:
      let publisher = live.publisher(of: Int.self, delivery: .immediate)
      return Subscription(token: publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
    case .queue:
      let publisher = live.publisher(of: Int.self, scheduler: Self.queue.asScheduler, delivery: .onScheduler)
      return Subscription(token: publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
    case .values:
      return Subscription(iterator: live.values(of: Int.self, bufferingPolicy: .newest(1)).makeAsyncIterator())
    case .changing:
      return Subscription(
        stream: try ChangingStream(model, inputs: ["in": input], services: live.services, receive: { _ in }))
    }
  }

  private static let queue = DispatchQueue(label: "streams")

  private func wait(until isReached: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !isReached() {
      try await Task.sleep(for: .microseconds(50))
      if ContinuousClock.now > deadline { throw StreamFailure(code: "X1", message: "a number is not reached") }
    }
  }

  /// Each value is published by a short timer, in 200 subscriptions at the same time.
  func checkValues() async throws {
    let model = try Self.model(#"{"debounce": {"seconds": 0.0001}}, {"timeout": {"seconds": 3600}}"#)
    let live = try LiveStream(model, inputs: ["in": PassthroughInput<Int>()], services: services)
    let (input, size) = (PassthroughInput<Int>(), 200)
    let subscriptions = try (0..<size).map { _ in try subscribe(model, live, input) }
    let growth = try await ResidentMemory.growth(over: Self.count / size) { number in
      input.send(number)
      try await wait { published.load(ordering: .relaxed) >= size * (number + 1) }
    }
    let bytes = growth / Double(size)
    print("\(door): \(Int(bytes)) bytes a published value")
    #expect(bytes <= 60)
    withExtendedLifetime(subscriptions) {}
  }

  func checkEnds() async throws {
    for ending in Ending.allCases {
      let operators = #"{"timeout": {"seconds": 3600}}, {"prefix": {"count": \#(ending == .completion ? 1 : 9)}}"#
      let model = try Self.model(operators)
      let live = try LiveStream(model, inputs: ["in": PassthroughInput<Int>()], services: services)
      let before = ended.load(ordering: .relaxed)
      var completing: [Subscription] = []
      let bytes = try await ResidentMemory.growth(over: Self.count) { number in
        let input = PassthroughInput<Int>()
        var subscription: Subscription? = try subscribe(model, live, input)
        input.send(1)
        switch ending {
        case .cancellation: subscription?.cancel()
        case .completion: completing += [subscription].compactMap(\.self)
        case .release: subscription = nil
        }
        guard number % 64 == 63 else { return }
        try await wait { ended.load(ordering: .relaxed) > before + number }
        completing = []
      }
      print("\(door): \(Int(bytes)) bytes a subscription, \(ending)")
      #expect(bytes <= 100, "\(ending)")
    }
  }

  /// Sessions whose version is replaced by one with a timer that is due earlier, and back.
  func checkSwaps() async throws {
    let (input, size) = (PassthroughInput<Int>(), 100)
    let models = try [3_600, 1_800, 900].map { try Self.model(#"{"timeout": {"seconds": \#($0)}}"#) }
    let versions = try models.map { try StreamVersion($0, CompileOptions(services: services)) }
    let live = try LiveStream(models[0], inputs: ["in": input], services: services)
    let sessions = try (0..<size).map { _ in try subscribe(models[0], live, input) }
    let bytes = try await ResidentMemory.growth(over: Self.count) { number in
      _ = try await sessions[number % size].stream?.swap(to: versions[number / size % versions.count], on: nil)
    }
    print("\(door): \(Int(bytes)) bytes a swap")
    #expect(bytes <= 60)
  }
}
#endif

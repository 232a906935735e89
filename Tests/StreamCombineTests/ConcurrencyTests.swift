import Foundation
import StreamCombine
import StreamCore
import StreamEngine
import StreamKit
import Synchronization
import Testing

/// One shared stream, used from eight threads at once. A second each, or as many as `CONCURRENCY_SECONDS` says; made for
/// the thread sanitizer too.
@Suite("Streams are used from many threads", .serialized)
struct ConcurrencyTests {
  private static let seconds = ProcessInfo.processInfo.environment["CONCURRENCY_SECONDS"].flatMap(Double.init) ?? 1
  private static let threadCount = 8

  /// Runs a closure in as many threads. Its second argument is true the first time in each thread, and then until the
  /// time is over.
  private static func inThreads(_ body: @escaping @Sendable (Int, () -> Bool) -> Void) {
    let end = ContinuousClock.now + .seconds(seconds)
    let group = DispatchGroup()
    for index in 0..<threadCount {
      group.enter()
      Thread {
        var isFirst = true
        body(index) {
          defer { isFirst = false }
          return isFirst || ContinuousClock.now < end
        }
        group.leave()
      }
      .start()
    }
    group.wait()
  }

  private static func model(_ operators: String, buffer: String = "{}") throws -> StreamModel {
    try StreamModel(
      parsing: """
        {"inputs": {"in": \(buffer)}, "source": {"input": {"name": "in"}}, "operators": [\(operators)]}
        """)
  }

  private static func publisher(
    _ model: StreamModel, _ input: PassthroughInput<Int>
  ) -> Unchecked<AnyPublisher<Int, StreamFailure>> {
    Unchecked(
      model.publisher(
        of: Int.self, inputs: ["in": input], scheduler: DispatchQueue.global().asScheduler, delivery: .immediate))
  }

  @Test("Nothing is lost, and each thread's values keep their order")
  func sending() throws {
    let input = PassthroughInput<Int>()
    let publisher = Self.publisher(
      try Self.model(#"{"map": {"expression": "value * 2"}}, {"filter": {"expression": "value >= 0"}}"#), input)
    let probe = Probe<Int>()
    publisher.content.subscribe(probe)
    let sent = Mutex([Int](repeating: 0, count: Self.threadCount))
    Self.inThreads { index, isTime in
      var count = 0
      while isTime(), count < 200_000 {
        for _ in 0..<100 {
          input.send(index * 1_000_000_000 + count)
          count += 1
        }
      }
      sent.withLock { $0[index] = count }
    }
    var next = [Int](repeating: 0, count: Self.threadCount)
    var isOrdered = true
    for value in probe.values.map({ $0 / 2 }) {
      let (index, number) = value.quotientAndRemainder(dividingBy: 1_000_000_000)
      isOrdered = isOrdered && next[index] == number
      next[index] += 1
    }
    #expect(isOrdered)
    let counts = sent.withLock { $0 }
    #expect(next == counts)
    probe.cancel()
  }

  @Test("A state is saved while others send, and has every value that was sent before", .timeLimit(.minutes(2)))
  func saving() async throws {
    let input = PassthroughInput<Int>()
    var live = try LiveStream(
      Self.model(#"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#), inputs: ["in": input])
    let state = StreamState()
    live.state = state
    let probe = Probe<Int>()
    live.publisher(of: Int.self, delivery: .immediate).subscribe(probe)
    let sent = Atomic(0)
    let saves = Counter()
    Self.inThreads { index, isTime in
      while isTime() {
        if index == 0 {
          let isSaved = DispatchSemaphore(value: 0)
          Task {
            if (try? await state.save()) != nil { saves.count.add(1, ordering: .relaxed) }
            isSaved.signal()
          }
          isSaved.wait()
        } else {
          for _ in 0..<100 { input.send(1) }
          sent.add(100, ordering: .relaxed)
        }
      }
    }
    let last = try await state.save()
    probe.cancel()
    live.state = StreamState(restoring: last)
    var iterator = live.values(of: Int.self).makeAsyncIterator()
    input.send(0)
    // The values that had not been delivered when the state was saved come first.
    var total: Int?
    while let next = try await iterator.next() {
      total = next
      if next >= sent.load(ordering: .relaxed) { break }
    }
    #expect(total == sent.load(ordering: .relaxed))
    #expect(probe.values.last == total)
    #expect(saves.count.load(ordering: .relaxed) > 0)
  }

  @Test("Streams and observers come and go while others send")
  func joining() throws {
    let input = StreamInput(0)
    let stream = try LiveStream(Self.model(#"{"map": {"expression": "value"}}"#), inputs: ["in": input])
    let probe = Probe<Int>()
    stream.publisher(of: Int.self, delivery: .immediate).subscribe(probe)
    let sent = Atomic(0)
    Self.inThreads { index, isTime in
      while isTime() {
        if index < 2 {
          for count in 1...100 { input.send(count) }
          sent.add(100, ordering: .relaxed)
        } else {
          let others = (0..<20).map { _ in
            stream.publisher(of: Int.self, delivery: .immediate).sink(
              receiveCompletion: { _ in }, receiveValue: { _ in })
          }
          let tokens = (0..<20).map { _ in input.observe { _ in } }
          for token in tokens { token.cancel() }
          for other in others { other.cancel() }
        }
      }
    }
    // The current value comes first.
    #expect(probe.values.count == sent.load(ordering: .relaxed) + 1)
    probe.cancel()
  }

  @Test("A fast sender waits: only a limited number of values are in flight")
  func pausing() throws {
    let input = PassthroughInput<Int>()
    let publisher = Self.publisher(try Self.model(#"{"map": {"expression": "value"}}"#), input)
    let sent = Atomic(0)
    let heard = Atomic(0)
    let most = Atomic(0)
    let probe = Probe<Int>()
    probe.onValue = { _, _ in
      heard.add(1, ordering: .relaxed)
      return .none
    }
    publisher.content.subscribe(probe)
    Self.inThreads { _, isTime in
      for count in 0..<50_000 where count % 1_000 > 0 || isTime() {
        let lead = sent.add(1, ordering: .relaxed).newValue - heard.load(ordering: .relaxed)
        most.max(lead, ordering: .relaxed)
        input.send(count)
      }
    }
    // 1,024 each that wait, that are being taken up and that have been, and those that the threads have in hand.
    #expect(most.load(ordering: .relaxed) <= 4 * 1_024)
    #expect(heard.load(ordering: .relaxed) == sent.load(ordering: .relaxed))
    probe.cancel()
  }

  @Test("After `cancel` returns, at most the value in flight arrives, while others send")
  func canceling() throws {
    let input = PassthroughInput<Int>()
    let publisher = Self.publisher(
      try Self.model(#"{"scan": {"initialValue": 0, "expression": "(acc + value) % 1000"}}"#), input)
    let late = Atomic(0)
    let canceled = Atomic(0)
    Self.inThreads { index, isTime in
      while isTime() {
        if index % 2 == 0 {
          for value in 0..<100 { input.send(value) }
        } else {
          let isOver = Flag()
          let isInFlight = Flag()
          let probe = Probe<Int>()
          probe.onValue = { _, _ in
            if isOver.isRaised {
              if isInFlight.isRaised { late.add(1, ordering: .relaxed) }
              isInFlight.raise()
            }
            return .none
          }
          publisher.content.subscribe(probe)
          for value in 0..<5 { input.send(value) }
          probe.cancel()
          isOver.raise()
          canceled.add(1, ordering: .relaxed)
        }
      }
    }
    #expect(late.load(ordering: .relaxed) == 0)
    #expect(canceled.load(ordering: .relaxed) > 0)
  }

  @Test("A delivery that waits for a queue does not deadlock with a cancel on that queue", .timeLimit(.minutes(1)))
  func cancelingOnAQueue() throws {
    let input = PassthroughInput<Int>()
    let publisher = Self.publisher(try Self.model(#"{"map": {"expression": "value"}}"#), input)
    let queue = DispatchQueue(label: "main")
    let isDelivering = DispatchSemaphore(value: 0)
    let probe = Probe<Int>()
    probe.onValue = { _, _ in
      isDelivering.signal()
      queue.sync {}
      return .none
    }
    publisher.content.subscribe(probe)
    let group = DispatchGroup()
    queue.sync {
      group.enter()
      Thread {
        input.send(1)
        group.leave()
      }
      .start()
      isDelivering.wait()
      probe.cancel()
    }
    group.wait()
    #expect(probe.values == [1])
  }

  @Test("A thread that subscribes is not kept by the values of others", .timeLimit(.minutes(1)))
  func subscribingAmongSenders() throws {
    let input = PassthroughInput<Int>()
    let publisher = Self.publisher(try Self.model(#"{"map": {"expression": "value"}}"#), input)
    let isOver = Flag()
    let group = DispatchGroup()
    for _ in 0..<4 {
      group.enter()
      Thread {
        while !isOver.isRaised { input.send(1) }
        group.leave()
      }
      .start()
    }
    for _ in 0..<20 {
      let probe = Probe<Int>()
      publisher.content.subscribe(probe)
      probe.cancel()
    }
    isOver.raise()
    group.wait()
  }

  @Test("An endless source on a queue leaves the queue to others", .timeLimit(.minutes(1)))
  func endlessSource() throws {
    let model = try StreamModel(parsing: #"{"source": {"repeatElement": {"value": 1}}}"#)
    let queue = DispatchQueue(label: "main")
    let probe = Probe<Int>()
    model.publisher(of: Int.self, scheduler: queue.asScheduler).subscribe(probe)
    for _ in 0..<5 { queue.sync {} }
    probe.cancel()
    #expect(!probe.isFinished)
  }

  @Test("An endless source that publishes nothing fails at the limit of work", .timeLimit(.minutes(1)))
  func endlessWork() async throws {
    let model = try StreamModel(
      parsing: """
        {"source": {"repeatElement": {"value": 1}}, "operators": [{"filter": {"expression": "value > 1"}}]}
        """)
    var services = HostServices()
    services.limits.budget = 100_000
    let stream = try LiveStream(model, services: services)
    var iterator = stream.values(of: Int.self).makeAsyncIterator()
    await #expect(throws: StreamFailure.self) { try await iterator.next() }
  }

  @Test("As many values come as all threads ask for")
  func requesting() throws {
    let input = PassthroughInput<Int>()
    let publisher = Self.publisher(
      try Self.model(
        #"{"map": {"expression": "value + 1"}}"#,
        buffer: #"{"buffer": {"capacity": 1000000, "whenFull": "dropNewest"}}"#),
      input)
    let probe = Probe<Int>(demand: .none)
    publisher.content.subscribe(probe)
    let asked = Atomic(0)
    Self.inThreads { index, isTime in
      var count = 0
      while isTime(), count < 20_000 {
        count += 1
        if index % 2 == 0 {
          input.send(count)
        } else if count % 2 == 0 {
          probe.request(.max(1))
          asked.add(1, ordering: .relaxed)
        }
      }
    }
    // The unmet demand, or the waiting values.
    let wanted = asked.load(ordering: .relaxed)
    for value in 0..<max(0, wanted - probe.values.count) { input.send(value) }
    #expect(probe.values.count == wanted)
    probe.cancel()
  }

  @Test("Subscriptions nest in deliveries without a limit", arguments: [63, 64, 65, 10_000])
  func nestedSubscriptions(count: Int) throws {
    let input = StreamInput(7)
    let live = try LiveStream(Self.model(#"{"map": {"expression": "value"}}"#), inputs: ["in": input])
    var probes: [Probe<Int>] = []
    func subscribe() {
      let probe = Probe<Int>()
      probes.append(probe)
      let isLast = probes.count == count
      probe.onValue = { value, _ in
        if value == 7, !isLast { subscribe() }
        return .none
      }
      live.publisher(of: Int.self, delivery: .immediate).subscribe(probe)
    }
    subscribe()
    input.send(8)
    let isComplete = probes.count == count && probes.allSatisfy { $0.values == [7, 8] }
    #expect(isComplete)
    for probe in probes {
      probe.cancel()
      probe.onValue = { _, _ in .none }
    }
  }

  @Test("A value sent in a delivery that is nested too deep arrives after it")
  func nestedSending() throws {
    let model = try Self.model(#"{"map": {"expression": "value + 1"}}"#)
    let inputs = (0..<200).map { _ in PassthroughInput<Int>() }
    let probes = inputs.map { _ in Probe<Int>() }
    for (number, probe) in probes.enumerated() {
      probe.onValue = { value, _ in
        if number + 1 < inputs.count { inputs[number + 1].send(value) }
        return .none
      }
      Self.publisher(model, inputs[number]).content.subscribe(probe)
    }
    inputs[0].send(0)
    inputs[0].send(1_000)
    #expect(probes.map(\.values) == (1...200).map { [$0, 1_000 + $0] })
    for probe in probes { probe.cancel() }
  }

  @Test("Two streams that cancel each other from within do not wait for each other")
  func mutualCanceling() throws {
    let model = try Self.model(#"{"map": {"expression": "value"}}"#)
    Self.inThreads { index, isTime in
      guard index < 2 else { return }
      while isTime() {
        let (left, right) = (PassthroughInput<Int>(), PassthroughInput<Int>())
        let probes = (Probe<Int>(), Probe<Int>())
        probes.0.onValue = { _, _ in
          probes.1.cancel()
          return .none
        }
        probes.1.onValue = { _, _ in
          probes.0.cancel()
          return .none
        }
        Self.publisher(model, left).content.subscribe(probes.0)
        Self.publisher(model, right).content.subscribe(probes.1)
        let group = DispatchGroup()
        for input in [left, right] {
          group.enter()
          Thread {
            for value in 0..<20 { input.send(value) }
            group.leave()
          }
          .start()
        }
        group.wait()
        probes.0.cancel()
        probes.1.cancel()
        probes.0.onValue = { _, _ in .none }
        probes.1.onValue = { _, _ in .none }
      }
    }
  }
}

/// Something that has happened.
private final class Flag: Sendable {
  private let value = Atomic(false)
  var isRaised: Bool { value.load(ordering: .sequentiallyConsistent) }
  func raise() { value.store(true, ordering: .sequentiallyConsistent) }
}

private final class Counter: Sendable {
  let count = Atomic(0)
}

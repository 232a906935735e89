import Dispatch
import Foundation
import StreamCombine
import StreamKit
import Testing

/// Cases with threads, in which a model behaves as the same pipeline of OpenCombine. A case that hangs fails after a
/// minute.
@Suite("Threads", .serialized)
struct ThreadCaseTests {
  // MARK: Sending

  /// Sends 500 values from each thread and then the end, and checks that all of them arrive in the order of each thread.
  private func sendAndCheck(_ engine: Engine, _ delivery: Delivery, threads: Int) async throws {
    let relay = try Relay(engine, delivery)
    let (received, end) = (Recorder<Int>(), DispatchSemaphore(value: 0))
    let token = relay.sink({ received.append($0) }, end: { end.signal() })
    let hasEnded = await ends {
      inThreads(threads) { thread in for number in 0..<500 { relay.send(thread * 1_000 + number) } }
      relay.send(completion: .finished)
      end.wait()
    }
    #expect(hasEnded)
    expectAll(received.values, threads: threads)
    token.cancel()
  }

  /// Checks that 500 doubled values of each thread are complete and in order.
  private func expectAll(_ values: [Int], threads: Int) {
    let grouped = Dictionary(grouping: values.map { $0 / 2 }, by: { $0 / 1_000 })
    let wanted = (0..<threads).map { thread in (thread, (0..<500).map { thread * 1_000 + $0 }) }
    #expect(grouped == Dictionary(uniqueKeysWithValues: wanted))
  }

  @Test("1. Threads send, and deliver themselves", arguments: Engine.allCases, [1, 4, 8, 16])
  func sendingImmediately(engine: Engine, threads: Int) async throws {
    try await sendAndCheck(engine, .immediate, threads: threads)
  }

  @Test("2. Threads send to the main queue", arguments: Engine.allCases, [1, 4, 8, 16])
  func sendingToMainQueue(engine: Engine, threads: Int) async throws {
    try await sendAndCheck(engine, .mainQueue, threads: threads)
  }

  @Test("3. Threads send to a queue of the app", arguments: Engine.allCases, [1, 4, 8, 16])
  func sendingToOwnQueue(engine: Engine, threads: Int) async throws {
    try await sendAndCheck(engine, .ownQueue, threads: threads)
  }

  @Test("4. Eight threads send to eight inputs of one stream", arguments: Engine.allCases)
  func manyInputs(engine: Engine) async throws {
    let names = (0..<8).map { "in\($0)" }
    let publisher: AnyPublisher<Int, StreamFailure>
    let sends: [@Sendable (Int?) -> Void]
    switch engine {
    case .model:
      let feeds = names.map { _ in PassthroughInput<Int>() }
      let others = StreamReferences(names.dropFirst().map { .name($0) })
      var model = StreamModel(source: .input("in0"), operators: [.merge(with: others), .map("value * 2")])
      for name in names { model.inputs[name] = InputDeclaration(type: .int) }
      publisher = model.publisher(
        of: Int.self, inputs: Dictionary(uniqueKeysWithValues: zip(names, feeds)), delivery: .immediate)
      sends = feeds.map { feed in { value in if let value { feed.send(value) } else { feed.finish() } } }
    case .combine:
      let relays = try names.map { _ in try Relay(.combine) }
      publisher = relays.publisher.setFailureType(to: StreamFailure.self).flatMap(\.publisher).eraseToAnyPublisher()
      sends = relays.map { relay in
        { value in if let value { relay.send(value) } else { relay.send(completion: .finished) } }
      }
    }
    let (received, end) = (Recorder<Int>(), DispatchSemaphore(value: 0))
    let token = publisher.sink(receiveCompletion: { _ in end.signal() }, receiveValue: { received.append($0) })
    let hasEnded = await ends {
      inThreads(8) { thread in
        for number in 0..<500 { sends[thread](thread * 1_000 + number) }
        sends[thread](nil)
      }
      end.wait()
    }
    #expect(hasEnded)
    expectAll(received.values, threads: 8)
    token.cancel()
  }

  @Test("5. Four threads send to 500 subscribers of one input", arguments: Engine.allCases)
  func manySubscribers(engine: Engine) async throws {
    let relay = try Relay(engine)
    let recorders = (0..<500).map { _ in Recorder<Int>() }
    let tokens = recorders.map { recorder in relay.sink { recorder.append($0) } }
    let hasEnded = await ends {
      inThreads(4) { thread in for number in 0..<50 { relay.send(thread * 1_000 + number) } }
    }
    #expect(hasEnded)
    let wanted = (0..<4).map { thread in (0..<50).map { 2 * (thread * 1_000 + $0) } }
    for recorder in recorders {
      let grouped = Dictionary(grouping: recorder.values, by: { $0 / 2_000 })
      #expect(grouped.count == 4)
      for thread in 0..<4 { #expect(grouped[thread] == wanted[thread]) }
    }
    for token in tokens { token.cancel() }
  }

  // MARK: Canceling and releasing

  /// Ends a subscription on the main queue while its delivery, on another thread, waits for the main queue.
  private func endWhileWaiting(_ engine: Engine, _ end: @escaping @Sendable (Holder) -> Void) async throws {
    let (relay, holder, received) = (try Relay(engine), Holder(), Recorder<Int>())
    let isDelivering = DispatchSemaphore(value: 0)
    holder.hold(
      relay.sink { value in
        received.append(value)
        isDelivering.signal()
        DispatchQueue.main.sync {}
      })
    let group = DispatchGroup()
    let hasReturned = await ends(onMainQueue: true) {
      startThread(in: group) { relay.send(1) }
      isDelivering.wait()
      end(holder)
    }
    #expect(hasReturned)
    let hasDelivered = await ends { group.wait() }
    #expect(hasDelivered)
    relay.send(2)
    #expect(received.values == [2])
  }

  @Test("6. Cancel returns while a delivery waits for the thread that cancels", arguments: Engine.allCases)
  func cancelingWhileWaiting(engine: Engine) async throws {
    try await endWhileWaiting(engine) { $0.cancel() }
  }

  @Test("7. A release returns while a delivery waits for the thread that releases", arguments: Engine.allCases)
  func releasingWhileWaiting(engine: Engine) async throws {
    try await endWhileWaiting(engine) { $0.release() }
  }

  @Test("8. After a release, only the value in flight arrives while another thread sends", arguments: Engine.allCases)
  func releasingWhileSending(engine: Engine) async throws {
    let (relay, isOver, late) = (try Relay(engine), Flag(), Recorder<Int>())
    let group = DispatchGroup()
    startThread(in: group) { while !isOver.isRaised { relay.send(1) } }
    let hasReturned = await ends(onMainQueue: true) {
      for _ in 0..<200 {
        let (holder, isReleased, lateHere) = (Holder(), Flag(), Recorder<Int>())
        holder.hold(relay.sink { if isReleased.isRaised { lateHere.append($0) } })
        holder.release()
        isReleased.raise()
        if lateHere.values.count > 1 { late.append(lateHere.values.count) }
      }
    }
    isOver.raise()
    let hasEnded = await ends { group.wait() }
    #expect(hasReturned)
    #expect(hasEnded)
    #expect(late.values == [])
  }

  @Test("9. A release within its own delivery ends the subscription", arguments: Engine.allCases)
  func releasingWithin(engine: Engine) async throws {
    let (relay, holder, received) = (try Relay(engine), Holder(), Recorder<Int>())
    holder.hold(
      relay.sink { value in
        received.append(value)
        if value == 6 { holder.release() }
      })
    let hasEnded = await ends { for value in 1...10 { relay.send(value) } }
    #expect(hasEnded)
    #expect(received.values == [2, 4, 6])
  }

  /// The order of a subject's subscribers depends on hashes in OpenCombine.
  @Test("10. The first of two subscribers cancels the other, which receives nothing", arguments: Engine.allCases)
  func cancelingAnother(engine: Engine) async throws {
    let (relay, first, second) = (try Relay(engine), Holder(), Holder())
    let (received, others) = (Recorder<Int>(), Recorder<Int>())
    first.hold(
      relay.sink { value in
        received.append(value)
        second.cancel()
      })
    second.hold(
      relay.sink { value in
        others.append(value)
        first.cancel()
      })
    let hasEnded = await ends { for value in 1...3 { relay.send(value) } }
    #expect(hasEnded)
    #expect(Set([received.values, others.values]) == [[2, 4, 6], []])
    first.release()
    second.release()
  }

  @Test("11. Two streams cancel each other from within their deliveries", arguments: Engine.allCases)
  func cancelingEachOther(engine: Engine) async throws {
    let hasEnded = await ends {
      for _ in 0..<200 {
        guard let left = try? Relay(engine), let right = try? Relay(engine) else { return }
        let holders = (Holder(), Holder())
        holders.0.hold(left.sink { _ in holders.1.cancel() })
        holders.1.hold(right.sink { _ in holders.0.cancel() })
        inThreads(2) { thread in for value in 0..<20 { (thread == 0 ? left : right).send(value) } }
        holders.0.release()
        holders.1.release()
      }
    }
    #expect(hasEnded)
  }

  /// An object that sends a value when it is released.
  private final class Farewell: Sendable {
    private let relay: Relay
    init(_ relay: Relay) { self.relay = relay }
    deinit { relay.send(7) }
  }

  @Test("12. An object that a canceled subscription releases sends a value", arguments: Engine.allCases)
  func sendingAtRelease(engine: Engine) async throws {
    let (relay, holder, received) = (try Relay(engine), Holder(), Recorder<Int>())
    let other = relay.sink { received.append($0) }
    do {
      let farewell = Farewell(relay)
      holder.hold(relay.sink { _ in _ = farewell })
    }
    let hasEnded = await ends {
      relay.send(1)
      holder.release()
    }
    #expect(hasEnded)
    #expect(received.values == [2, 14])
    other.cancel()
  }

  /// An object that records its release.
  private final class Target: Sendable {
    private let released: Recorder<Bool>
    init(_ released: Recorder<Bool>) { self.released = released }
    deinit { released.append(true) }
  }

  @Test(
    "13. A subscription that is canceled before its first turn on the main queue is released",
    arguments: Engine.allCases)
  func cancelingBeforeStart(engine: Engine) async throws {
    let (relay, received) = (try Relay(engine, .mainQueue, current: 1), Recorder<Int>())
    let released = Recorder<Bool>()
    let hasEnded = await ends {
      for _ in 0..<200 {
        let (target, holder) = (Target(released), Holder())
        holder.hold(
          relay.sink { [target] in
            _ = target
            received.append($0)
          })
        holder.cancel()
      }
    }
    #expect(hasEnded)
    await withCheckedContinuation { turn in DispatchQueue.main.async { turn.resume() } }
    // A value may be in flight when its subscription is canceled.
    #expect(received.values.count <= 200)
    #expect(released.values.count == 200)
  }

  // MARK: Within a delivery

  @Test("14. The end within a delivery comes after its value, and is the last event", arguments: Engine.allCases)
  func finishingWithin(engine: Engine) async throws {
    let (relay, events) = (try Relay(engine), Recorder<String>())
    let token = relay.sink { value in
      events.append("\(value)")
      if value == 4 { relay.send(completion: .finished) }
    } end: {
      events.append("end")
    }
    let hasEnded = await ends { for value in 1...5 { relay.send(value) } }
    #expect(hasEnded)
    #expect(events.values == ["2", "4", "end"])
    token.cancel()
  }

  @Test("15. A subscriber that comes within a delivery receives the next values", arguments: Engine.allCases)
  func subscribingWithin(engine: Engine) async throws {
    let (relay, second) = (try Relay(engine), Holder())
    let (received, others) = (Recorder<Int>(), Recorder<Int>())
    let first = relay.sink { value in
      received.append(value)
      if value == 2 { second.hold(relay.sink { others.append($0) }) }
    }
    let hasEnded = await ends { for value in 1...3 { relay.send(value) } }
    #expect(hasEnded)
    #expect(received.values == [2, 4, 6])
    #expect(others.values == [4, 6])
    first.cancel()
    second.cancel()
  }

  /// Subjects nest the deliveries of such sends, so only a model is as deep as that.
  @Test("16. Each delivery sends the next value", arguments: [(Engine.combine, 100), (.model, 100), (.model, 100_000)])
  func sendingWithin(engine: Engine, depth: Int) async throws {
    let (relay, received) = (try Relay(engine), Recorder<Int>())
    let token = relay.sink { value in
      received.append(value)
      if value < 2 * depth { relay.send(value / 2 + 1) }
    }
    let hasEnded = await ends { relay.send(1) }
    #expect(hasEnded)
    let isComplete = received.values == (1...depth).map { 2 * $0 }
    #expect(isComplete)
    token.cancel()
  }

  /// Holders that the closures of subscriptions fill.
  private final class Nest: @unchecked Sendable {  // used by one thread
    let relay: Relay
    let depth: Int
    var tokens: [AnyCancellable] = []
    var values: [Int] = []

    init(_ relay: Relay, depth: Int) {
      self.relay = relay
      self.depth = depth
    }

    func subscribe() {
      let number = values.count
      tokens.append(
        relay.sink { [unowned self] value in
          values.append(value)
          if values.count == number + 1, number < depth { subscribe() }
        })
    }
  }

  /// Subscribing delivers the current value at once, so the stack of OpenCombine grows by each.
  @Test(
    "17. Each delivery of a current value subscribes again",
    arguments: [(Engine.combine, 100), (.model, 100), (.model, 10_000)])
  func subscribingDeep(engine: Engine, depth: Int) async throws {
    let nest = Nest(try Relay(engine, current: 3), depth: depth)
    let hasEnded = await ends { nest.subscribe() }
    #expect(hasEnded)
    let isComplete = nest.values == Array(repeating: 6, count: depth + 1)
    #expect(isComplete)
    #expect(nest.tokens.count == depth + 1)
    for token in nest.tokens { token.cancel() }
  }

  @Test("An observer sends more values than wait at most, and receives them")
  func sendingObserver() async throws {
    let (input, received) = (PassthroughInput<Int>(), Recorder<Int>())
    let token = input.observe { value in
      received.append(value)
      if value == 0 { for number in 1...5_000 { input.send(number) } }
    }
    let hasEnded = await ends { input.send(0) }
    #expect(hasEnded)
    #expect(received.values == Array(0...5_000))
    token.cancel()
  }

  /// Operators of OpenCombine nest such values, so their order differs.
  @Test("18. Hooks send values to the input of their stream", arguments: Engine.allCases)
  func sendingHooks(engine: Engine) async throws {
    let received = Recorder<Int>()
    let (token, send): (AnyCancellable, @Sendable (Int) -> Void)
    switch engine {
    case .model:
      let input = PassthroughInput<Int>()
      var services = HostServices()
      services.hook("seen") { (value: Int) in if value < 500 { input.send(value + 1) } }
      let model = StreamModel(
        inputs: ["in": InputDeclaration(type: .int)], source: .input("in"),
        operators: [PlacedOperator(.handleEvents(.init(receiveOutput: "seen")))])
      let live = try LiveStream(model, inputs: ["in": input], services: services)
      send = { input.send($0) }
      token = live.publisher(of: Int.self, delivery: .immediate)
        .sink(receiveCompletion: { _ in }, receiveValue: { received.append($0) })
    case .combine:
      let relay = try Relay(.combine)
      send = { relay.send($0) }
      token = relay.publisher.map { $0 / 2 }
        .handleEvents(receiveOutput: { if $0 < 500 { relay.send($0 + 1) } })
        .sink(receiveCompletion: { _ in }, receiveValue: { received.append($0) })
    }
    let hasEnded = await ends { send(1) }
    #expect(hasEnded)
    #expect(received.values.sorted() == Array(1...500))
    token.cancel()
  }

  /// Subjects deadlock here: each thread holds the lock of one and waits for that of the other.
  @Test("19. Two threads send to two streams whose deliveries send to each other")
  func crossing() async throws {
    let (left, right, count) = (try Relay(.model), try Relay(.model), Recorder<Int>())
    let tokens = [(left, right), (right, left)].map { from, to in
      from.sink { value in
        count.append(value)
        if value > 0 { to.send(value / 2 - 1) }
      }
    }
    let hasEnded = await ends {
      inThreads(2) { thread in for _ in 0..<500 { (thread == 0 ? left : right).send(3) } }
    }
    #expect(hasEnded)
    #expect(count.values.count == 2 * 500 * 4)
    for token in tokens { token.cancel() }
  }

  // MARK: Ends among senders

  @Test("20. One thread finishes while eight send: one end, and nothing after it", arguments: Engine.allCases)
  func finishingWhileSending(engine: Engine) async throws {
    let (relay, events) = (try Relay(engine), Recorder<Bool>())
    let token = relay.sink { _ in
      events.append(false)
    } end: {
      events.append(true)
    }
    let hasEnded = await ends {
      inThreads(9) { thread in
        if thread == 8 {
          while events.values.count < 200 {}
          relay.send(completion: .finished)
        } else {
          for value in 0..<2_000 { relay.send(value) }
        }
      }
    }
    #expect(hasEnded)
    #expect(events.values.last == true)
    #expect(events.values.count { $0 } == 1)
    token.cancel()
  }

  @Test("21. An error while eight threads send: one failure, and nothing after it", arguments: Engine.allCases)
  func failingWhileSending(engine: Engine) async throws {
    let (relay, events) = (try Relay(engine), Recorder<String>())
    let publisher: AnyPublisher<Int, StreamFailure>
    let send: @Sendable (Int) -> Void
    switch engine {
    case .model:
      let input = PassthroughInput<Int>()
      let model = StreamModel(
        inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.map("1000 / value")])
      publisher = model.publisher(of: Int.self, inputs: ["in": input], delivery: .immediate)
      send = { input.send($0) }
    case .combine:
      publisher = relay.publisher.tryMap { value in
        guard value != 0 else { throw StreamFailure(code: "S402", message: "1000 cannot be divided by zero") }
        return 1_000 / value
      }
      .mapError { $0 as? StreamFailure ?? StreamFailure(code: "app", message: "\($0)") }.eraseToAnyPublisher()
      send = { relay.send($0) }
    }
    let token = publisher.sink { completion in
      if case .failure(let failure) = completion { events.append(failure.code) } else { events.append("end") }
    } receiveValue: { _ in
      events.append("value")
    }
    let hasEnded = await ends {
      inThreads(8) { _ in for value in (-200...200).reversed() { send(value) } }
    }
    #expect(hasEnded)
    #expect(events.values.count { $0 != "value" } == 1)
    #expect(events.values.last == "S402")
    token.cancel()
  }

  // MARK: Demand

  /// Records values, and passes its subscription to other threads.
  private final class Requester: Subscriber, @unchecked Sendable {  // the subscription is set before threads start
    typealias Input = Int
    typealias Failure = StreamFailure
    let received = Recorder<Int>()
    private(set) var subscription: (any Subscription)?

    func receive(subscription: any Subscription) { self.subscription = subscription }
    func receive(_ input: Int) -> Subscribers.Demand {
      received.append(input)
      return .none
    }
    func receive(completion: Subscribers.Completion<StreamFailure>) {}
  }

  @Test("22. Eight threads request values of a source: as many come, in order", arguments: Engine.allCases)
  func requesting(engine: Engine) async throws {
    let requester = Requester()
    switch engine {
    case .model:
      let model = StreamModel(source: .range(.init(from: 0, through: 1_000_000)))
      model.publisher(of: Int.self, delivery: .immediate).subscribe(requester)
    case .combine:
      (0...1_000_000).publisher.setFailureType(to: StreamFailure.self).subscribe(requester)
    }
    let hasEnded = await ends {
      inThreads(8) { _ in for _ in 0..<500 { requester.subscription?.request(.max(1)) } }
    }
    #expect(hasEnded)
    #expect(requester.received.values == Array(0..<4_000))
    requester.subscription?.cancel()
  }

  // MARK: Tasks

  @Test("23. The second of two tasks that await one iterator gets an error, and the first its value")
  func awaitingTwice() async throws {
    /// NB: a mistake of the app, which the compiler finds unless the copies are unchecked.
    struct Unchecked: @unchecked Sendable { var iterator: StreamValues<Int>.Iterator }
    let input = PassthroughInput<Int>()
    let live = try LiveStream(Relay.doubling, inputs: ["in": input])
    let shared = Unchecked(iterator: live.values(of: Int.self).makeAsyncIterator())
    let results = await withTaskGroup(of: Result<Int?, any Error>.self) { group in
      for _ in 0..<2 {
        group.addTask {
          var copy = shared
          do { return .success(try await copy.iterator.next()) } catch { return .failure(error) }
        }
      }
      let first = await group.next()
      input.send(4)
      return [first, await group.next()]
    }
    let failure = #expect(throws: StreamFailure.self) { try results[0]?.get() }
    #expect(failure?.message == "two tasks await the next value of one iterator")
    let value = try results[1]?.get()
    #expect(value == 8)
  }

  @Test("24. A canceled task ends its loop and its subscription")
  func cancelingLoop() async throws {
    let (input, canceled) = (PassthroughInput<Int>(), Recorder<Value>())
    var services = HostServices()
    services.hook("canceled", of: { canceled.append($0) })
    var model = Relay.doubling
    model.operators.append(PlacedOperator(.handleEvents(.init(receiveCancel: "canceled"))))
    let live = try LiveStream(model, inputs: ["in": input], services: services)
    let (values, mail) = AsyncStream.makeStream(of: Int.self)
    let loop = Task {
      for try await value in live.values(of: Int.self, bufferingPolicy: .newest(1)) { mail.yield(value) }
      return "ended"
    }
    let group = DispatchGroup()
    let isOver = Flag()
    startThread(in: group) { while !isOver.isRaised { input.send(1) } }
    for await _ in values { break }
    loop.cancel()
    let result = try await loop.value
    isOver.raise()
    let hasEnded = await ends { group.wait() }
    #expect(result == "ended")
    #expect(hasEnded)
    #expect(canceled.values == [.null])
  }

  // MARK: The main thread

  @Test("25. The main thread subscribes and cancels while others send", arguments: Engine.allCases, [1, 4])
  func subscribingWhileSending(engine: Engine, senders: Int) async throws {
    let (relay, isOver, group) = (try Relay(engine), Flag(), DispatchGroup())
    let first = relay.sink { _ in }
    for _ in 0..<senders { startThread(in: group) { while !isOver.isRaised { relay.send(1) } } }
    let hasReturned = await ends(onMainQueue: true) {
      for _ in 0..<500 { relay.sink { _ in }.cancel() }
    }
    isOver.raise()
    let hasEnded = await ends { group.wait() }
    #expect(hasReturned)
    #expect(hasEnded)
    first.cancel()
  }

  /// Operators of OpenCombine hold a lock that the timer needs.
  @Test("A timer of the main queue does not wait for a delivery that waits for the main queue")
  func timerWhileWaiting() async throws {
    let model = try StreamModel(
      parsing: """
        {"inputs": {"in": {"type": "int"}}, "source": {"input": {"name": "in"}},
         "operators": [{"merge": {"with": [{"source": {"timer": {"every": 0.001}}}]}}]}
        """)
    let (input, received) = (PassthroughInput<Int>(), Recorder<Int>())
    let live = try LiveStream(model, inputs: ["in": input])
    // NB: The main queue of a program without a run loop has no thread of its own.
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    let token = live.publisher(of: Int.self, delivery: .immediate).sink(
      receiveCompletion: { _ in },
      receiveValue: { value in
        if DispatchQueue.getSpecific(key: key) == nil { DispatchQueue.main.sync {} }
        received.append(value)
      })
    let hasEnded = await ends { inThreads(4) { _ in for _ in 0..<5_000 { input.send(-1) } } }
    #expect(hasEnded)
    #expect(received.values.count { $0 < 0 } == 20_000)
    token.cancel()
  }

  /// A queue that receives more values than it delivers runs nothing else with `receive(on:)`, so this is about models.
  @Test("26. A thread that sends without a pause leaves the main queue to others")
  func ticking() async throws {
    let (relay, isOver, group) = (try Relay(.model, .mainQueue), Flag(), DispatchGroup())
    let received = Recorder<Int>()
    let token = relay.sink { received.append($0) }
    let ticks = Recorder<Int>()
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now(), repeating: .milliseconds(20))
    timer.setEventHandler { ticks.append(received.values.count) }
    timer.resume()
    startThread(in: group) { while !isOver.isRaised { relay.send(1) } }
    try await Task.sleep(for: .seconds(2))
    timer.cancel()
    isOver.raise()
    let hasEnded = await ends { group.wait() }
    token.cancel()
    #expect(hasEnded)
    // 100 ticks are due, and come on a free machine; other processes may take the processors.
    #expect(ticks.values.count > 20)
    #expect(!received.values.isEmpty)
  }
}

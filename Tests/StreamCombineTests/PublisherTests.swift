import StreamCombine
import StreamCore
import StreamEngine
import StreamKit
import Testing

/// Combine's requirements of a publisher.
@Suite("Publishers keep Combine's contract")
struct PublisherTests {
  private let doubled = """
    {"inputs": {"in": {}}, "source": {"input": {"name": "in"}},
     "operators": [{"filter": {"expression": "value % 2 == 1"}}, {"map": {"expression": "value * 2"}}]}
    """

  private func makePublisher<Output: Decodable>(
    _ text: String, of type: Output.Type = Int.self, inputs: [String: any StreamFeed] = [:],
    scheduler: VirtualScheduler = VirtualScheduler(), delivery: StreamDelivery = .immediate
  ) throws -> AnyPublisher<Output, StreamFailure> {
    try StreamModel(parsing: text).publisher(of: type, inputs: inputs, scheduler: scheduler, delivery: delivery)
  }

  @Test("The subscription comes before values and before the end", arguments: [StreamDelivery.immediate, .onScheduler])
  func order(delivery: StreamDelivery) throws {
    let scheduler = VirtualScheduler()
    for (text, expected) in [
      (#"{"stream": [{"value": 1}, {"value": 2}]}"#, "s 1 2 |"), (#"{"source": {"empty": {}}}"#, "s |"),
      (#"{"source": {"fail": {"error": "no"}}}"#, "s #"), (#"{"source": {"never": {}}}"#, "s"),
    ] {
      let probe = Probe<Int>()
      try makePublisher(text, scheduler: scheduler, delivery: delivery).subscribe(probe)
      if delivery == .onScheduler { #expect(probe.text == "s") }
      scheduler.run(through: scheduler.now) { true }
      #expect(probe.text == expected)
    }
  }

  @Test("A stream that ends at once ends without demand")
  func endsWithoutDemand() throws {
    let probe = Probe<Int>(demand: .none)
    try makePublisher(#"{"source": {"empty": {}}}"#).subscribe(probe)
    #expect(probe.text == "s |")
  }

  @Test("No more values than were asked for, and each request adds")
  func demand() throws {
    let probe = Probe<Int>(demand: .max(2))
    try makePublisher(#"{"source": {"range": {"from": 1, "through": 6}}}"#).subscribe(probe)
    #expect(probe.text == "s 1 2")
    probe.request(.max(1))
    #expect(probe.text == "s 1 2 3")
    probe.onValue = { value, _ in value == 4 ? .max(1) : .none }
    probe.request(.max(1))
    #expect(probe.text == "s 1 2 3 4 5")
    probe.onValue = { _, probe in
      probe.request(.unlimited)
      return .none
    }
    probe.request(.max(1))
    #expect(probe.text == "s 1 2 3 4 5 6 |")
  }

  @Test("A value without demand waits until it is requested")
  func waitsInInput() throws {
    let input = PassthroughInput<Int>()
    let probe = Probe<Int>(demand: .max(1))
    try makePublisher(doubled, inputs: ["in": input]).subscribe(probe)
    for value in [1, 3, 5] { input.send(value) }
    probe.request(.max(1))
    input.send(7)
    #expect(probe.text == "s 2 6")
    probe.request(.unlimited)
    #expect(probe.text == "s 2 6 10 14")
  }

  @Test("Nothing comes after the end")
  func afterTheEnd() throws {
    let input = PassthroughInput<Int>()
    let probe = Probe<Int>()
    try makePublisher(doubled, inputs: ["in": input]).subscribe(probe)
    input.send(1)
    input.finish()
    input.send(3)
    input.finish()
    probe.request(.max(3))
    probe.cancel()
    #expect(probe.text == "s 2 |")
    #expect(input.isEnded)
  }

  @Test("Canceling is idempotent, from within a value too")
  func canceling() throws {
    let input = PassthroughInput<Int>()
    let probe = Probe<Int>()
    probe.onValue = { value, probe in
      if value == 6 {
        probe.cancel()
        probe.cancel()
      }
      return .max(5)
    }
    try makePublisher(doubled, inputs: ["in": input]).subscribe(probe)
    for value in [1, 3, 5] { input.send(value) }
    input.finish()
    probe.request(.unlimited)
    probe.cancel()
    #expect(probe.text == "s 2 6")
  }

  @Test("A source that publishes without end is canceled from within")
  func cancelingEndless() throws {
    let probe = Probe<Int>()
    probe.onValue = { value, probe in
      if value == 1_000 { probe.cancel() }
      return .none
    }
    try makePublisher(#"{"source": {"range": {"from": 1, "through": 9000000000}}}"#).subscribe(probe)
    #expect(probe.values == Array(1...1_000))
  }

  @Test("Cancellation before the start suppresses all events")
  func canceledBeforeBeginning() throws {
    let scheduler = VirtualScheduler()
    let probe = Probe<Int>()
    try makePublisher(#"{"stream": [{"value": 1}]}"#, scheduler: scheduler, delivery: .onScheduler).subscribe(probe)
    probe.cancel()
    scheduler.run(through: VirtualInstant(nanoseconds: 1)) { true }
    #expect(probe.text == "s")
  }

  @Test("A value that is sent from within a value comes after it")
  func reentrantSend() throws {
    let input = PassthroughInput<Int>()
    let probe = Probe<Int>()
    probe.onValue = { value, _ in
      if value < 10 {
        input.send(value / 2 + 2)
        input.send(value / 2 + 2)
      }
      return .none
    }
    try makePublisher(doubled, inputs: ["in": input]).subscribe(probe)
    input.send(1)
    #expect(probe.text == "s 2 6 6 10 10 10 10")
  }

  @Test("Each subscriber has an execution of its own")
  func subscribers() throws {
    let input = PassthroughInput<Int>()
    let text = """
      {"inputs": {"in": {}}, "source": {"input": {"name": "in"}},
       "operators": [{"scan": {"initialValue": 0, "expression": "acc + value"}}]}
      """
    let publisher = try makePublisher(text, inputs: ["in": input])
    let (first, second) = (Probe<Int>(), Probe<Int>())
    publisher.subscribe(first)
    input.send(1)
    publisher.subscribe(second)
    input.send(2)
    first.cancel()
    input.send(3)
    #expect(first.text == "s 1 3")
    #expect(second.text == "s 2 5")
  }

  @Test("`now()` is the time of the scheduler of a test, which begins in 1970")
  func calendar() throws {
    let scheduler = VirtualScheduler()
    let probe = Probe<String>()
    try makePublisher(
      #"{"stream": [{"value": 1, "operators": [{"delay": {"seconds": 90}}]}], "operators": [{"map": {"expression": "string(now())"}}]}"#,
      of: String.self, scheduler: scheduler
    ).subscribe(probe)
    scheduler.run(through: VirtualInstant(nanoseconds: 90_000_000_000)) { true }
    #expect(probe.values == ["1970-01-01T00:01:30Z"])
  }

  @Test("The stream's time is the scheduler's")
  func time() throws {
    let scheduler = VirtualScheduler()
    scheduler.schedule(after: VirtualInstant(nanoseconds: 5_000_000_000)) {}
    scheduler.run(through: VirtualInstant(nanoseconds: 5_000_000_000)) { true }
    let probe = Probe<Int>()
    let text = """
      {"stream": [{"value": 1, "operators": [{"delay": {"seconds": 1}}]},
                  {"value": 2, "operators": [{"delay": {"seconds": 0.25}}]}]}
      """
    try makePublisher(text, scheduler: scheduler).subscribe(probe)
    for (nanoseconds, expected) in [
      (5_999_999_999, "s"), (6_000_000_000, "s 1"), (6_249_999_999, "s 1"), (6_250_000_000, "s 1 2 |"),
    ] as [(Int64, String)] {
      scheduler.run(through: VirtualInstant(nanoseconds: nanoseconds)) { true }
      #expect(probe.text == expected)
    }
  }

  @Test("A scheduler that never waits runs through timers at once")
  func immediateScheduler() throws {
    let probe = Probe<Int>()
    let model = try StreamModel(
      parsing: #"{"stream": [{"value": 1, "operators": [{"delay": {"seconds": 3600}}]}, {"value": 2}]}"#)
    model.publisher(of: Int.self, scheduler: ImmediateScheduler.shared).subscribe(probe)
    #expect(probe.text == "s 1 2 |")
  }

  @Test("A value of the wrong type ends the stream with the reason")
  func misfit() throws {
    struct Point: Decodable, Sendable {
      let x: Double
      let y: Double
    }
    let probe = Probe<Point>()
    let text =
      #"{"stream": [{"value": {"x": 1, "y": 2}}, {"value": {"x": 1, "y": "two"}}, {"value": {"x": 3, "y": 4}}]}"#
    try makePublisher(text, of: Point.self).subscribe(probe)
    #expect(probe.values.map(\.y) == [2])
    let failure = try #require(probe.failure)
    #expect(failure.code == "S414")
    #expect(failure.message == "a value does not fit Point at /y: expected a number, found a string")
  }

  @Test("A model that does not compile fails at the subscription, with all that is wrong")
  func uncompilable() throws {
    let model = try StreamModel(
      json: [
        "stream": [["value": 1]],
        "operators": [["filter": ["expression": "valu > 1"]], ["map": ["expression": "value +"]]],
      ] as Value)
    let probe = Probe<Value>()
    model.toPublisher().subscribe(probe)
    let failure = try #require(probe.failure)
    #expect(failure.code == "S202")
    #expect(failure.pointer.description == "/operators/0/filter/expression")
    #expect(failure.cause?.code == "S201")
  }

  @Test("Everything is released on cancellation, at the end, and with the subscriber")
  func release() throws {
    final class Canary: Sendable {}
    for ending in ["cancel", "finish", "fail"] {
      let input = PassthroughInput<Int>()
      weak var released: Canary?
      weak var heldProbe: Probe<Int>?
      do {
        let canary = Canary()
        let probe = Probe<Int>()
        probe.onValue = { [canary] _, _ in
          _ = canary
          return .none
        }
        released = canary
        heldProbe = probe
        try makePublisher(doubled, inputs: ["in": input]).subscribe(probe)
        input.send(1)
        switch ending {
        case "cancel": probe.cancel()
        case "finish": input.finish()
        default: input.fail(StreamFailure(code: "X1", message: "no"))
        }
        probe.forget()
      }
      #expect(released == nil, "\(ending)")
      #expect(heldProbe == nil, "\(ending)")
    }
  }

  @Test("A pending timer does not keep a canceled subscription")
  func releasedTimer() throws {
    let scheduler = VirtualScheduler()
    weak var held: Probe<Int>?
    do {
      let probe = Probe<Int>()
      held = probe
      try makePublisher(
        #"{"stream": [{"value": 1, "operators": [{"delay": {"seconds": 60}}]}]}"#, scheduler: scheduler
      ).subscribe(probe)
      probe.cancel()
      probe.forget()
    }
    #expect(held == nil)
  }

  @Test("A sink's token cancels when it goes, and a weak target is not kept")
  func weakTargets() throws {
    final class View {
      var text = 0
    }
    let input = PassthroughInput<Int>()
    let publisher = try makePublisher(doubled, inputs: ["in": input])
    var view: View? = View()
    weak let released = view
    var failures: [StreamFailure] = []
    var tokens: [AnyCancellable] = []
    if let view {
      publisher.assign(to: \.text, onWeak: view, onFailure: { failures.append($0) }).store(in: &tokens)
    }
    input.send(1)
    #expect(view?.text == 2)
    view = nil
    #expect(released == nil)
    input.send(3)
    let last = View()
    publisher.assign(to: \.text, onWeak: last, onFailure: { failures.append($0) }).store(in: &tokens)
    input.send(5)
    #expect(last.text == 10)
    tokens = []
    input.send(7)
    #expect(last.text == 10)
    publisher.assign(to: \.text, onWeak: last, onFailure: { failures.append($0) }).store(in: &tokens)
    input.fail(StreamFailure(code: "X1", message: "broken"))
    #expect(failures.map(\.code) == ["X1"])
  }
}

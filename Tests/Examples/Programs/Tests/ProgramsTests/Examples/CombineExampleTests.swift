import StreamCombine
import StreamCore
import StreamKit
import Testing

/// The examples in the comments of StreamCombine's public types.
@Suite("Examples of StreamCombine's types", .timeLimit(.minutes(1)))
struct CombineExampleTests {
  @Test("ReportedFailures")
  func reportedFailuresExample() throws {
    var lines: [String] = []
    let log = Recorder<String>()
    let model = StreamModel(
      inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.map("10 / value")])
    let input = PassthroughInput<Int>()
    let live = try LiveStream(model, inputs: ["in": input])

    let reported = ReportedFailures.handled { failure in log.append(failure.code) }
    let token = live.publisher(of: Int.self, delivery: .immediate).failures(reported).sink { lines.append("\($0)") }

    input.send(2)
    input.send(0)
    #expect(lines == ["5"])
    #expect(log.values == ["S402"])
    token.cancel()
  }

  @Test("PublishedFailures")
  func publishedFailuresExample() throws {
    var lines: [String] = []
    let model = StreamModel(
      inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.map("10 / value")])
    let input = PassthroughInput<Int>()
    let live = try LiveStream(model, inputs: ["in": input])

    let token = live.publisher(of: Int.self, delivery: .immediate).failures(.asValues).sink { result in
      switch result {
      case .success(let number): lines.append("\(number)")
      case .failure(let failure): lines.append(failure.code)
      }
    }

    input.send(2)
    input.send(0)
    #expect(lines == ["5", "S402"])
    token.cancel()
  }

  @Test("QueueScheduler")
  func queueSchedulerExample() throws {
    let model = StreamModel(
      inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.map("10 / value")])
    let input = PassthroughInput<Int>()
    let live = try LiveStream(model, inputs: ["in": input])

    func numbers(on queue: QueueScheduler) -> StreamPublisher<Int> { live.publisher(of: Int.self, scheduler: queue) }

    _ = numbers
    _ = input
  }

  @Test("VirtualInstant")
  func virtualInstantExample() throws {
    let start = VirtualInstant(nanoseconds: 0)
    let end = start.advanced(by: .seconds(10))

    #expect(end.nanoseconds == 10_000_000_000)
  }

  @Test("VirtualScheduler")
  func virtualSchedulerExample() throws {
    var lines: [String] = []
    let model = StreamModel(source: .timer(every: 3_600, count: 24))

    let scheduler = VirtualScheduler()
    let token = model.publisher(of: Int.self, scheduler: scheduler).failures(.log).sink { lines.append("\($0)") }
    scheduler.advance(by: .seconds(86_400))

    #expect(lines.count == 24)
    token.cancel()
  }

  @Test("StreamDelivery")
  func streamDeliveryExample() throws {
    var lines: [String] = []
    let model = StreamModel(
      inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.map("10 / value")])
    let input = PassthroughInput<Int>()
    let live = try LiveStream(model, inputs: ["in": input])

    let token = live.publisher(of: Int.self, delivery: .immediate).failures(.log).sink { lines.append("\($0)") }
    input.send(2)

    #expect(lines == ["5"])
    token.cancel()
  }

  @Test("StreamPublisher")
  func streamPublisherExample() throws {
    var lines: [String] = []
    let model = StreamModel(
      inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.map("10 / value")])
    let input = PassthroughInput<Int>()
    let live = try LiveStream(model, inputs: ["in": input])

    let numbers: StreamPublisher<Int> = live.publisher(of: Int.self, delivery: .immediate)
    let token = numbers.failures(.log).sink { lines.append("\($0)") }

    input.send(5)
    #expect(lines == ["2"])
    token.cancel()
  }
}

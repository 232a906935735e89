import Foundation
import Programs
import StreamCombine
import StreamCore
import StreamEngine
import StreamKit
import Testing

@Suite("Programs: streams that run", .timeLimit(.minutes(1)))
struct RunningTests {
  private struct ClientGone: Error {}

  @Test("8. A request handler reads a stream no faster than its client, and ends it when the client goes")
  func requestHandler() async throws {
    let (read, canceled) = (Recorder<Int>(), Recorder<Value>())
    var services = HostServices()
    services.hook("read") { (number: Int) in read.append(number) }
    services.hook("gone", of: { canceled.append($0) })
    let model = try StreamModel(
      parsing: """
        {"source": {"range": {"from": 1, "through": 1000000000}},
         "operators": [{"handleEvents": {"receiveOutput": "read", "receiveCancel": "gone"}}]}
        """)
    let handler = try RequestHandler(model, services: services)
    var lines = ""
    await #expect(throws: ClientGone.self) {
      try await handler.respond { line in
        lines += line
        if line == "3\n" { throw ClientGone() }
      }
    }
    #expect(lines == "1\n2\n3\n")
    #expect(read.values == [1, 2, 3])
    #expect(canceled.values == [.null])
  }

  @Test("8. A canceled request ends its stream")
  func canceledRequest() async throws {
    let handler = try RequestHandler(StreamModel(parsing: #"{"source": {"timer": {"every": 0.001}}}"#))
    let (lines, mail) = AsyncStream.makeStream(of: String.self)
    let request = Task { try await handler.respond { mail.yield($0) } }
    for await _ in lines { break }
    request.cancel()
    try await request.value
  }

  @Test("9. A counter is saved when the app goes to the background, and restored when it starts again")
  func tapCounter() async throws {
    let stored: Data
    do {
      let counter = try TapCounter()
      var counts = counter.counts.makeAsyncIterator()
      counter.taps.send("left")
      counter.taps.send("right")
      let before = try await [counts.next(), counts.next()]
      #expect(before == [1, 2])
      stored = try await counter.enterBackground()
    }
    let counter = try TapCounter(stored: stored)
    var counts = counter.counts.makeAsyncIterator()
    counter.taps.send("left")
    let after = try await counts.next()
    #expect(after == 3)
  }

  @Test("11. 10,000 executions side by side have states of their own")
  func manyMeters() throws {
    let count = 10_000
    let meters = try ManyMeters(count: count)
    var published: [Int: [Int]] = [:]
    for round in 1...3 {
      for meter in 0..<count {
        let time = StreamTime(seconds: Double(round))
        published[meter, default: []] += try meters.send(meter + round, to: meter, at: time)
      }
    }
    let isRight = (0..<count).allSatisfy { meter in
      let totals = [meter + 1, 2 * meter + 3, 3 * meter + 6]
      return published[meter] == totals.filter { $0.isMultiple(of: 2) }
    }
    #expect(isRight)
  }

  @Test("12. Lines of eight threads arrive on the main queue, in the order of each thread")
  @MainActor func threadedLog() async throws {
    let log = try ThreadedLog()
    let (threads, lines) = (8, 1_000)
    var received: [[Int]] = Array(repeating: [], count: threads)
    let (ends, mail) = AsyncStream.makeStream(of: Void.self)
    let subscription = log.receive { line in
      MainActor.assumeIsolated {
        dispatchPrecondition(condition: .onQueue(.main))
        received[line.thread].append(line.number)
      }
    } end: {
      mail.finish()
    }
    let senders = DispatchGroup()
    for thread in 0..<threads {
      senders.enter()
      Thread {
        for number in 0..<lines { log.lines.send(ThreadedLog.Line(thread: thread, number: number)) }
        senders.leave()
      }
      .start()
    }
    senders.notify(queue: .global()) { log.lines.send(completion: .finished) }
    for await _ in ends {}
    #expect(received == Array(repeating: Array(0..<lines), count: threads))
    subscription.cancel()
  }

  @Test("Two outputs of one run")
  func outputsOfOneRun() async throws {
    let model = try StreamModel(
      checking: """
        {
          "inputs": {"level": {"type": "int"}},
          "streams": {
            "alerts": {"source": {"input": {"name": "level"}}, "operators": [{"filter": {"expression": "value > 9"}}, {"map": {"expression": "'level ' + string(value)"}}]},
            "totals": {"source": {"input": {"name": "level"}}, "operators": [{"scan": {"initialValue": 0, "expression": "acc + value"}}]}
          },
          "source": {"input": {"name": "level"}}
        }
        """)
    let level = PassthroughInput<Int>()

    let meter = try ChangingStream(model, outputs: ["alerts", "totals"], inputs: ["level": level])
    var alerts = meter.values(of: String.self, output: "alerts").makeAsyncIterator()
    var totals = meter.values(of: Int.self, output: "totals").makeAsyncIterator()

    level.send(3)
    level.send(10)
    #expect(try await alerts.next() == "level 10")
    #expect(try await totals.next() == 3)
    #expect(try await totals.next() == 13)
  }

  @Test("One run for each request, of a file that is compiled once")
  func requests() async throws {
    struct Order: Codable, Sendable { var items: [String] }
    let model = try StreamModel(
      parsing: """
        {"inputs": {"order": {}}, "source": {"input": {"name": "order"}},
         "operators": [
           {"flatMap": {"stream": {"source": {"sequence": {"expression": "outer.items"}}}}},
           {"flatMap": {"stream": {"source": {"call": {"function": "priceOf", "argument": "outer"}}}, "maxPublishers": 1}}
         ]}
        """)
    let prices = ["tea": 2.5, "cake": 4.0]

    var services = HostServices()
    services.function("priceOf") { (item: String) in prices[item] ?? 0 }
    let pipeline = try model.compile(CompileOptions(services: services))

    let order = Order(items: ["cake", "tea"])
    var amounts: [Double] = []

    let input = StreamInput(order)
    input.finish()
    let run = try LiveStream(pipeline, inputs: ["order": input], services: services)
    for try await amount in run.values(of: Double.self, bufferingPolicy: .demand) { amounts.append(amount) }

    #expect(amounts == [4, 2.5])
  }
}

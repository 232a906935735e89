import Programs
import StreamCore
import StreamEngine
import StreamKit
import Testing

/// The examples in the comments of StreamEngine's public types.
@Suite("Examples of StreamEngine's types", .timeLimit(.minutes(1)))
struct EngineExampleTests {
  @Test("Call")
  func callExample() throws {
    let model = try StreamModel(
      parsing: #"{"source": {"call": {"function": "double", "argument": "4"}}, "operators": [{"print": {}}]}"#)
    let execution = Execution(try model.compile(CompileOptions(host: .any)))
    execution.request(.unlimited)

    while let event = execution.next() {
      guard case .call(let call) = event, let number = call.argument.int else { continue }
      execution.resolve(call.id, with: .success(.int(Int64(2 * number))), at: execution.time)
    }

    #expect(execution.isEnded)
  }

  @Test("HookEvent")
  func hookEventExample() async throws {
    let log = Recorder<String>()
    var services = HostServices()

    services.print = { event in log.append(event.message.string ?? "") }

    let model = StreamModel(source: .range(1...1), operators: [PlacedOperator(.print(.init()))])
    for try await _ in model.values(services: services) {}
    #expect(log.values.count > 1)
  }

  @Test("Demand")
  func demandExample() throws {
    let model = StreamModel(
      inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.map("10 / value")])
    let execution = Execution(try model.compile())

    execution.request(Demand(2))

    for number: Value in [1, 2, 5] { execution.send(number, to: 0, at: .zero) }
    var values: [Value] = []
    while case .value(let value)? = execution.next() { values.append(value) }
    #expect(values == [10, 5])
  }

  @Test("Execution")
  func executionExample() throws {
    var events: [ExecutionEvent] = []
    let model = StreamModel(
      inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.map("10 / value")])

    let execution = Execution(try model.compile())
    execution.request(.unlimited)
    try execution.send(2, to: "in", at: StreamTime(seconds: 1))
    while let event = execution.next() { events.append(event) }

    #expect(events == [.value(5)])
  }

  @Test("ExecutionEvent")
  func executionEventExample() throws {
    var lines: [String] = []
    let model = StreamModel(
      inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.map("10 / value")])
    let execution = Execution(try model.compile())
    execution.request(.unlimited)
    for number: Value in [2, 0] { execution.send(number, to: 0, at: .zero) }

    while let event = execution.next() {
      switch event {
      case .value(let value): lines.append("\(value)")
      case .failure(let failure): lines.append(failure.code)
      case .finished, .skipped, .call, .noted: break
      }
    }

    #expect(lines == ["5", "S402"])
  }

  @Test("ErrorPolicy")
  func errorPolicyExample() async throws {
    var division = PlacedOperator.map("10 / value")
    division.onError = .skip

    let model = StreamModel(stream: [2, 0, 5].map { StreamItem($0) }, operators: [division])
    var values: [Int] = []
    for try await value in model.values(of: Int.self) { values.append(value) }
    #expect(values == [5, 2])
  }

  @Test("Pipeline")
  func pipelineExample() throws {
    let model = StreamModel(
      inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.map("10 / value")])

    let pipeline = try model.compile()
    let executions = (1...3).map { _ in Execution(pipeline) }

    #expect(executions.count == 3)
    #expect(pipeline.input(named: "in") == 0)
  }

  @Test("Snapshot")
  func snapshotExample() throws {
    let model = StreamModel(
      inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.map("10 / value")])
    let pipeline = try model.compile()
    let execution = Execution(pipeline)

    let stored = try execution.snapshot().text()
    let resumed = try Execution(pipeline, restoring: Snapshot(text: stored))

    #expect(resumed.time == .zero)
  }

  @Test("StreamFailure")
  func streamFailureExample() async throws {
    var lines: [String] = []
    let model = StreamModel(stream: [StreamItem(0)], operators: [.map("10 / value")])

    do {
      for try await value in model.values() { lines.append("\(value)") }
    } catch let failure as StreamFailure {
      lines.append("\(failure.code) at \(failure.pointer)")
    }

    #expect(lines == ["S402 at /operators/0/map/expression"])
  }

  @Test("StreamTime")
  func streamTimeExample() throws {
    let later = StreamTime(seconds: 1.5) + Interval(seconds: 0.5)

    #expect(later == StreamTime(seconds: 2))
  }

  @Test("Interval")
  func intervalExample() throws {
    let elapsed = StreamTime(seconds: 2) - StreamTime(seconds: 0.5)

    #expect(elapsed.seconds == 1.5)
  }
}

import Foundation
import StreamCore
import StreamEngine
import Testing

/// Passes everything on.
private struct PassMachine: Machine {
  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) { effects.publish(value) }
}

/// Says each value twice, the second time a second later; a value `0` throws.
private struct EchoMachine: Machine {
  struct State: Codable, Sendable { var waiting: [Value] = [] }
  var state = State()

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if value == 0 { throw StreamFailure(.divisionByZero, "zero") }
    state.waiting.append(value)
    effects.publish(value)
    effects.setTimer(state.waiting.count - 1, at: effects.now + Interval(seconds: 1))
  }

  mutating func fire(_ timer: Int, _ effects: Effects) { effects.publish(state.waiting[timer]) }
}

/// Merges two ports.
private struct BothMachine: Machine {
  mutating func start(_ effects: Effects) {
    effects.subscribe(to: 0)
    effects.subscribe(to: 1)
  }
  mutating func request(_ demand: Demand, _ effects: Effects) {
    effects.request(demand, from: 0)
    effects.request(demand, from: 1)
  }
  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) { effects.publish(value) }
}

@Suite struct ExecutionTests {
  private let input = PipelineNode.input(0, pointer: JSONPointer())

  private func pipeline(_ root: PipelineNode, initialValue: Value? = nil, capacity: Int = 0) -> Pipeline {
    Pipeline(
      root: root,
      inputs: [Pipeline.Input(name: "a", initialValue: initialValue, capacity: capacity, whenFull: .dropNewest)])
  }

  private func drain(_ execution: Execution) -> [ExecutionEvent] {
    var events: [ExecutionEvent] = []
    while let event = execution.next() { events.append(event) }
    return events
  }

  @Test("Demand after the subscription and before its first step counts")
  func requestsBeforeTheFirstStep() {
    let execution = Execution(
      pipeline(.machine(PassMachine(), name: "pass", pointer: JSONPointer(), upstreams: [input])))
    execution.request(.none)
    execution.request(Demand(1))
    execution.request(Demand(1))
    for value in [1, 2, 3] as [Value] { execution.send(value, to: 0, at: .zero) }
    let events = drain(execution)
    #expect(events == [.value(1), .value(2)])
  }

  @Test("A sent value is published, and finishing ends the stream")
  func passesValues() {
    let execution = Execution(
      pipeline(.machine(PassMachine(), name: "pass", pointer: JSONPointer(), upstreams: [input])))
    execution.request(.unlimited)
    execution.send(1, to: 0, at: .zero)
    execution.send(2, to: 0, at: .zero)
    execution.finish(0, at: .zero)
    execution.send(3, to: 0, at: .zero)
    let events = drain(execution)
    #expect(events == [.value(1), .value(2), .finished])
    #expect(execution.stageCount == 0)
  }

  @Test("An input keeps values without demand within its buffer, and counts dropped ones")
  func honorsDemand() {
    for (capacity, expected) in [(0, [1] as [Value]), (1, [1, 2]), (2, [1, 2, 3])] {
      let execution = Execution(pipeline(input, capacity: capacity))
      execution.request(Demand(1))
      for value in [1, 2, 3] as [Value] { execution.send(value, to: 0, at: .zero) }
      let first = drain(execution)
      execution.request(Demand(2))
      let values = (first + drain(execution)).compactMap { if case .value(let value) = $0 { value } else { nil } }
      #expect(values == expected)
      #expect(execution.drops.map(\.count) == (values.count < 3 ? [3 - values.count] : []))
    }
  }

  @Test("An input with an initial value publishes the newest as soon as it is asked")
  func currentValue() {
    let execution = Execution(pipeline(input, initialValue: 0))
    execution.request(Demand(1))
    let first = drain(execution)
    execution.send(1, to: 0, at: .zero)
    execution.send(2, to: 0, at: .zero)
    let none = drain(execution)
    execution.request(Demand(1))
    let newest = drain(execution)
    #expect(first == [.value(0)])
    #expect(none.isEmpty)
    #expect(newest == [.value(2)])
  }

  @Test("At one instant, the host's events come before timers")
  func hostBeforeTimers() {
    let execution = Execution(
      pipeline(.machine(EchoMachine(), name: "echo", pointer: JSONPointer(), upstreams: [input])))
    execution.request(.unlimited)
    execution.send(1, to: 0, at: .zero)
    execution.send(2, to: 0, at: StreamTime(seconds: 1))
    let sent = drain(execution)
    #expect(sent == [.value(1), .value(2)])
    execution.advance(to: StreamTime(seconds: 1))
    let echoed = drain(execution)
    #expect(echoed == [.value(1)])
    #expect(execution.nextDeadline == StreamTime(seconds: 2))
  }

  @Test("Sending at a later time runs the timers in between, at their own times")
  func timersInBetween() {
    let execution = Execution(
      pipeline(.machine(EchoMachine(), name: "echo", pointer: JSONPointer(), upstreams: [input])))
    execution.request(.unlimited)
    execution.send(1, to: 0, at: .zero)
    execution.send(2, to: 0, at: StreamTime(seconds: 5))
    var timed: [String] = []
    while let event = execution.next() {
      if case .value(let value) = event { timed.append("\(JSONWriter.compact(value))@\(execution.time.seconds)") }
    }
    #expect(timed == ["1@0.0", "1@1.0", "2@5.0"])
  }

  @Test("A throwing operator fails the stream and names itself, or skips the value where that is asked for")
  func throwing() {
    let pointer = JSONPointer(["operators", "0"])
    for skips in [false, true] {
      let node = PipelineNode.machine(
        EchoMachine(), name: "echo", pointer: pointer, upstreams: [input], errorPolicy: skips ? .skip : .fail)
      let execution = Execution(pipeline(node))
      execution.request(.unlimited)
      execution.send(0, to: 0, at: .zero)
      execution.send(1, to: 0, at: .zero)
      let events = drain(execution)
      let failure = StreamFailure(.divisionByZero, "zero", pointer: pointer)
      #expect(events == (skips ? [.skipped(failure), .value(1)] : [.failure(failure)]))
    }
  }

  @Test("Canceling is prompt, and may be done twice")
  func cancels() {
    let execution = Execution(
      pipeline(.machine(EchoMachine(), name: "echo", pointer: JSONPointer(), upstreams: [input])))
    execution.request(.unlimited)
    execution.send(1, to: 0, at: .zero)
    execution.send(2, to: 0, at: .zero)
    let first = execution.next()
    execution.cancel()
    execution.cancel()
    let rest = execution.next()
    #expect(first == .value(1))
    #expect(rest == nil)
    #expect(execution.stageCount == 0)
    #expect(execution.nextDeadline == nil)
  }

  @Test("An input that the pipeline does not have wants nothing, and what is sent to it is ignored")
  func unknownInputs() {
    for count in [0, 1] {
      let execution = Execution(
        pipeline(.machine(PassMachine(), name: "pass", pointer: JSONPointer(), upstreams: [input])))
      execution.request(.unlimited)
      if count > 0 { execution.send(1, to: 0, at: .zero) }
      let first = drain(execution)
      let wants = [-1, 0, 1, 99, .max, .min].map(execution.wants)
      for other in [-1, 1, 99] {
        execution.send(2, to: other, at: .zero)
        execution.finish(other, at: .zero)
        execution.fail(other, StreamFailure(payload: "x"), at: .zero)
      }
      let sent = execution.next(sending: 3, to: 99, at: .zero)
      let rest = drain(execution)
      #expect(first == (count > 0 ? [.value(1)] : []))
      #expect(wants == [false, true, false, false, false, false])
      #expect(sent == nil)
      #expect(rest == [])
    }
  }

  @Test("A snapshot goes through text, and of another pipeline is refused")
  func snapshots() throws {
    let echo = pipeline(.machine(EchoMachine(), name: "echo", pointer: JSONPointer(), upstreams: [input]))
    let execution = Execution(echo)
    execution.request(.unlimited)
    execution.send(1, to: 0, at: .zero)
    execution.send(2, to: 0, at: .zero)
    let first = execution.next()
    let text = try execution.snapshot().text()
    let restored = try Execution(echo, restoring: Snapshot(text: text))
    restored.advance(to: StreamTime(seconds: 3))
    let events = drain(restored)
    #expect(first == .value(1))
    #expect(events == [.value(2), .value(1), .value(2)])
    #expect(throws: Diagnostics.self) {
      _ = try Execution(
        pipeline(.machine(PassMachine(), name: "pass", pointer: JSONPointer(), upstreams: [input])),
        restoring: Snapshot(text: text))
    }
    // Through a coder that does not keep doubles apart from ints, a snapshot is one string.
    let coded = try JSONDecoder().decode(Snapshot.self, from: JSONEncoder().encode(Snapshot(text: text)))
    #expect(try coded.text() == text)
    #expect(throws: Diagnostics.self) { _ = try Snapshot(text: "{\"time\": true}") }
  }

  @Test("A pipeline of ten thousand operators runs, is saved and is released without recursion")
  func longPipelines() throws {
    var node = input
    for _ in 0..<10_000 {
      node = .machine(PassMachine(), name: "pass", pointer: JSONPointer(), upstreams: [node])
    }
    let long = pipeline(node)
    let execution = Execution(long)
    execution.request(.unlimited)
    execution.send(1, to: 0, at: .zero)
    let first = drain(execution)
    let restored = try Execution(long, restoring: execution.snapshot())
    restored.send(2, to: 0, at: .zero)
    restored.finish(0, at: .zero)
    let rest = drain(restored)
    #expect(first == [.value(1)])
    #expect(rest == [.value(2), .finished])
  }

  @Test("Streams that double at each level are stopped at the limit of stages")
  func subscriptionBomb() {
    var node = input
    for _ in 0..<40 {
      node = .machine(BothMachine(), name: "both", pointer: JSONPointer(), upstreams: [node, node])
    }
    #expect(node.subscriptionCount > 1_000_000_000)
    let execution = Execution(pipeline(node))
    execution.request(.unlimited)
    let events = drain(execution)
    guard case .failure(let failure)? = events.last else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.code == DiagnosticCode.limitExceeded.rawValue)
    #expect(execution.stageCount == 0)
  }

  @Test("A timer that is postponed repeatedly is in the queue once")
  func movedTimers() {
    struct RestartMachine: Machine {
      mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
        effects.setTimer(0, at: effects.now + Interval(seconds: 10))
      }
      mutating func fire(_ timer: Int, _ effects: Effects) { effects.publish("fired") }
    }
    let execution = Execution(
      pipeline(.machine(RestartMachine(), name: "restart", pointer: JSONPointer(), upstreams: [input])))
    execution.request(.unlimited)
    for step in 0..<1_000 {
      execution.send(1, to: 0, at: StreamTime(seconds: Double(step)))
      let events = drain(execution)
      #expect(events.isEmpty)
    }
    #expect(execution.nextDeadline == StreamTime(seconds: 1009))
  }
}

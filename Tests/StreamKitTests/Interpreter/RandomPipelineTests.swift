import StreamCore
import StreamKit
import StreamRuntime
import StreamTesting
import Testing

/// Streams put together at random from every operator's examples.
@Suite struct RandomPipelineTests {
  private static let operators = ExampleStream.running.filter { !$0.isSource }

  /// A stream of up to six operators over input `a`, with what comes in on `a` to `d`.
  private static func make(_ seed: UInt64) throws -> (model: Value, inputs: [History]) {
    var generator = SeededGenerator(seed: seed)
    var placed: [Value] = []
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let example = operators[Int.random(in: 0..<operators.count, using: &generator)]
      guard case .map(let fields) = try example.fields() else { continue }
      let skips = Bool.random(using: &generator)
      placed.append(.map(ValueMap(fields.pairs.map { ($0, $1) } + (skips ? [("onError", "skip")] : []))))
    }
    let names = ["a", "b", "c", "d"]
    let model: Value = [
      "inputs": .map(ValueMap(names.map { (.string($0), .map(ValueMap())) })),
      "source": ["input": ["name": "a"]], "operators": .list(placed),
    ]
    var inputs: [History] = []
    for _ in names {
      var events: [TimedEvent] = []
      var time: Int64 = 0
      for _ in 0..<Int.random(in: 0...8, using: &generator) {
        time += Int64.random(in: 0...4, using: &generator)
        let value: Value = .int(.random(in: 0...5, using: &generator))
        events.append(TimedEvent(StreamTime(nanoseconds: time * 1_000_000), .value(value)))
      }
      time += Int64.random(in: 0...4, using: &generator)
      let end = StreamTime(nanoseconds: time * 1_000_000)
      switch Int.random(in: 0...9, using: &generator) {
      case 0: events.append(TimedEvent(end, .failure(StreamFailure(payload: "random"))))
      case 1: break
      default: events.append(TimedEvent(end, .finished))
      }
      inputs.append(History(events))
    }
    return (model, inputs)
  }

  /// The pipeline, or nil where the operators that met do not fit each other's types.
  private func compile(_ model: StreamModel) throws -> Pipeline? {
    do throws(Diagnostics) {
      return try model.compile()
    } catch {
      let codes = error.all.map(\.code)
      let fits: [DiagnosticCode] = [.typeMismatch, .noMatchingOverload, .unknownField]
      #expect(codes.allSatisfy { fits.contains($0) }, "\(codes)")
      return nil
    }
  }

  private func record(_ execution: Execution, _ inputs: [History]) -> HistoryRecorder {
    var recorder = HistoryRecorder(execution)
    recorder.stepLimit = 2_000
    recorder.silenceLimit = 2_000
    recorder.run(inputs) { $0 }
    return recorder
  }

  @Test("Saved and restored between any two steps, a stream put together at random says the same", arguments: 0..<40)
  func survivesSaving(_ block: UInt64) throws {
    for seed in (block * 10)..<(block * 10 + 10) {
      let (model, inputs) = try Self.make(seed)
      guard let pipeline = try compile(StreamModel(model)) else { continue }
      let expected = record(Execution(pipeline), inputs).history
      var recorder = HistoryRecorder(Execution(pipeline))
      recorder.stepLimit = 2_000
      recorder.silenceLimit = 2_000
      try recorder.run(inputs) { try Execution(pipeline, restoring: Snapshot(text: $0.snapshot().text())) }
      let actual = recorder.history
      #expect(actual == expected, "seed \(seed): \(JSONWriter.compact(model))")
    }
  }

  @Test(
    "A stream put together at random ends once, releases everything, and is read as it was written", arguments: 0..<40)
  func keepsTheRules(_ block: UInt64) throws {
    var ran = 0
    for seed in (block * 50)..<(block * 50 + 50) {
      let (json, inputs) = try Self.make(seed)
      let model = try StreamModel(json)
      let again = try StreamModel(model.value)
      guard let pipeline = try compile(model) else { continue }
      ran += 1
      let first = record(Execution(pipeline), inputs)
      let second = record(Execution(pipeline), inputs).history
      let ends = first.history.events.indices.filter { index in
        switch first.history.events[index].event {
        case .finished, .failure: true
        default: false
        }
      }
      let times = first.history.events.map(\.time)
      #expect(again == model, "seed \(seed)")
      #expect(first.history == second, "seed \(seed)")
      #expect(ends.isEmpty || ends == [first.history.events.count - 1], "seed \(seed)")
      #expect(times == times.sorted(), "seed \(seed)")
      first.execution.cancel()
      #expect(first.execution.stageCount == 0, "seed \(seed)")
      #expect(first.execution.nextDeadline == nil, "seed \(seed)")
    }
    #expect(ran > 15)
  }
}

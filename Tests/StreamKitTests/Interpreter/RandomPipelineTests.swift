import Foundation
import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Testing

/// Streams put together at random from every operator's examples.
@Suite struct RandomPipelineTests {
  /// How many streams of each block run fused and unfused: `FUSION_STREAMS`, else 2.
  private static let fusedCount = ProcessInfo.processInfo.environment["FUSION_STREAMS"].flatMap(UInt64.init) ?? 2

  private static let operators = ExampleStream.running.filter { !$0.isSource }

  /// A stream of up to six operators over input `a`, with the values of `a` to `d`.
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
      var events: [History.Event] = []
      var time: Int64 = 0
      for _ in 0..<Int.random(in: 0...8, using: &generator) {
        time += Int64.random(in: 0...4, using: &generator)
        let value: Value = .int(.random(in: 0...5, using: &generator))
        events.append(History.Event(StreamTime(nanoseconds: time * 1_000_000), .value(value)))
      }
      time += Int64.random(in: 0...4, using: &generator)
      let end = StreamTime(nanoseconds: time * 1_000_000)
      switch Int.random(in: 0...9, using: &generator) {
      case 0: events.append(History.Event(end, .failure(StreamFailure(payload: "random"))))
      case 1: break
      default: events.append(History.Event(end, .finished))
      }
      inputs.append(History(events))
    }
    return (model, inputs)
  }

  /// The same stream over values whose type is known: numbers that are sent, and sources that publish runs of values.
  private static func typed(_ model: Value) -> [Value] {
    guard case .map(let map) = model else { return [] }
    let names = ["a", "b", "c", "d"]
    let inputs: Value = .map(ValueMap(names.map { (.string($0), ["type": "int"]) }))
    let changes: [[(Value, Value)]] = [
      [("inputs", inputs)], [("source", ["range": ["from": -2, "through": 9]])],
      [("source", ["sequence": ["values": [3, 1.5, 3, "x", 4, .null, 4, 2]]])],
    ]
    return changes.map { changes in
      .map(
        ValueMap(
          map.pairs.map { key, value in
            (key, changes.first { $0.0 == key }?.1 ?? value)
          }))
    }
  }

  private func compile(_ model: StreamModel) throws -> Pipeline? {
    try unlessMisfit { () throws(Diagnostics) in try model.compile() }
  }

  /// The law of fusion for the pipeline. `.ci/long` sends every snapshot through text, the gate half of them.
  private func law(_ model: StreamModel, _ inputs: [History]) throws -> FusionLaw? {
    var law = try unlessMisfit { () throws(Diagnostics) in try FusionLaw(model, CompileOptions(), inputs) }
    law?.writesEverySnapshot = Self.fusedCount > 2
    return law
  }

  /// The result, or nil where the operators that met do not fit each other's types.
  private func unlessMisfit<Result>(_ compile: () throws(Diagnostics) -> Result) throws -> Result? {
    do throws(Diagnostics) {
      return try compile()
    } catch {
      let codes = error.all.map(\.code)
      #expect(codes.allSatisfy(Differential.misfits.contains), "\(codes)")
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
    for seed in (block * 4)..<(block * 4 + 4) {
      let (model, inputs) = try Self.make(seed)
      guard let pipeline = try compile(StreamModel(json: model)) else { continue }
      let expected = record(Execution(pipeline), inputs).history
      var recorder = HistoryRecorder(Execution(pipeline))
      recorder.stepLimit = 2_000
      recorder.silenceLimit = 2_000
      try recorder.run(inputs) { try Execution(pipeline, restoring: Snapshot(text: $0.snapshot().text())) }
      let actual = recorder.history
      #expect(actual == expected, "seed \(seed): \(JSONWriter.compact(model))")
    }
  }

  @Test("A stream put together at random says the same fused and unfused", arguments: 0..<40)
  func saysTheSameFused(_ block: UInt64) throws {
    for seed in (block * Self.fusedCount)..<((block + 1) * Self.fusedCount) {
      let (model, inputs) = try Self.make(seed)
      for model in [model] + Self.typed(model) {
        guard let law = try law(StreamModel(json: model), inputs) else { continue }
        let problem = try law.problem()
        #expect(problem == nil, "seed \(seed): \(JSONWriter.compact(model))")
      }
    }
  }

  @Test("A stream put together at random says the same with and without probes", arguments: 0..<40)
  func saysTheSameObserved(_ block: UInt64) throws {
    for seed in (block * Self.fusedCount)..<((block + 1) * Self.fusedCount) {
      let (model, inputs) = try Self.make(seed)
      for model in [model] + Self.typed(model) {
        let stream = try StreamModel(json: model)
        guard try compile(stream) != nil else { continue }
        let problem = try FusionLaw.problem(observing: stream, CompileOptions(), inputs)
        #expect(problem == nil, "seed \(seed): \(JSONWriter.compact(model))")
      }
    }
  }

  /// Seeds of streams in which one operator ends the stream with the value at which another one fails or ends it, too.
  @Test("Streams that once differed when they were fused", arguments: [1034, 1214, 1356, 2090, 3664] as [UInt64])
  func onceDiffered(_ seed: UInt64) throws {
    let (model, inputs) = try Self.make(seed)
    for model in [model, Self.counting(model, seed)] + Self.typed(model) {
      let problem = try law(StreamModel(json: model), inputs)?.problem()
      #expect(problem == nil, "\(JSONWriter.compact(model))")
    }
  }

  /// The first operator of the stream between choices over a range and a count, so that as much as possible runs in typed
  /// code.
  private static func counting(_ model: Value, _ seed: UInt64) -> Value {
    guard case .map(let map) = model, case .list(let operators)? = map["operators"] else { return model }
    let choices: [Value] = [
      ["map": ["expression": "(value % 17 > 2 ? 7 : 3) + value"]],
      ["map": ["expression": "value % 3 > 0 ? value : (value > 40 ? 5 : value)"]], ["map": ["expression": "value"]],
      ["scan": ["initialValue": 1, "expression": "acc + value"]], ["filter": ["expression": "value % 5 < 3"]],
      ["map": ["expression": "value % 2 == 0 ? value : value"]],
    ]
    var generator = SeededGenerator(seed: seed)
    let (first, second) = (generator.pick(choices), generator.pick(choices))
    let changes: [(Value, Value)] = [
      ("source", ["range": ["from": -2, "through": .int(Int64(40 + generator.below(600)))]]),
      ("operators", .list([first, choices[5]] + operators.prefix(1) + [second, ["count": .map(ValueMap())]])),
    ]
    return .map(ValueMap(map.pairs.map { key, value in (key, changes.first { $0.0 == key }?.1 ?? value) }))
  }

  @Test("An operator between choices says the same fused and unfused over many values")
  func saysTheSameOverMany() throws {
    var compared = 0
    let seeds = max(Self.fusedCount * 30, 60)
    for seed in 0..<seeds {
      let (made, inputs) = try Self.make(seed)
      let model = Self.counting(made, seed)
      guard let law = try law(StreamModel(json: model), inputs) else { continue }
      let problem = try law.problem()
      #expect(problem == nil, "seed \(seed): \(JSONWriter.compact(model))")
      compared += 1
    }
    // A generator whose streams no longer compile compares nothing.
    #expect(compared * 2 > seeds)
  }

  @Test(
    "A stream put together at random ends once, releases everything, and is read as it was written", arguments: 0..<40)
  func keepsTheRules(_ block: UInt64) throws {
    var ran = 0
    for seed in (block * 20)..<(block * 20 + 20) {
      let (json, inputs) = try Self.make(seed)
      let model = try StreamModel(json: json)
      let again = try StreamModel(json: model.json)
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
    #expect(ran > 2)
  }
}

import StreamCore
import StreamEditing
import StreamEngine
import StreamKit
import StreamTesting
import Testing

/// Properties of any running stream and any other version of it. `PROPERTIES=100000` checks more of them.
@Suite struct SwapPropertyTests {
  private static let count = PropertyCount.cases(byDefault: 100)

  /// The events of each input.
  private static func inputs(_ random: inout RandomModel, of pipeline: Pipeline) -> [History] {
    pipeline.inputs.map { _ in
      var time: Int64 = 0
      var events = (0..<random.generator.below(7)).map { _ in
        time += Int64(random.generator.below(4))
        return History.Event(StreamTime(nanoseconds: time * 1_000_000), .value(.int(Int64(random.generator.below(5)))))
      }
      if random.generator.happens(oneIn: 2) {
        events.append(History.Event(StreamTime(nanoseconds: (time + 2) * 1_000_000), .finished))
      }
      return History(events)
    }
  }

  private static func recorder(_ version: StreamVersion, _ demand: Demand) -> HistoryRecorder {
    var recorder = HistoryRecorder(Execution(version.pipeline))
    recorder.demand = demand
    recorder.stepLimit = 120
    recorder.silenceLimit = 5_000
    return recorder
  }

  private static func version(_ model: StreamModel) throws -> StreamVersion {
    try StreamVersion(model, CompileOptions(host: .any))
  }

  @Test("A stream swapped for itself after every step has the same events")
  func itself() throws {
    // Seeds that failed once: a shared stream whose last subscriber had just gone was lost.
    for seed in Array(0..<Self.count) + [4_227, 14_835] {
      var random = RandomModel(seed: seed &* 104_729 &+ 1)
      let version = try Self.version(random.model())
      let inputs = Self.inputs(&random, of: version.pipeline)
      let demand: Demand = seed % 3 == 0 ? Demand(1) : .unlimited
      var plain = Self.recorder(version, demand)
      plain.run(inputs) { $0 }
      var swapped = Self.recorder(version, demand)
      try swapped.run(inputs) { execution in
        let swap = try StreamSwap(of: execution.snapshot(), from: version, to: version)
        let lost = swap.report.parts.filter { $0.outcome != .kept }
        #expect(lost == [], "seed \(seed)")
        return try Execution(version.pipeline, restoring: swap.snapshot)
      }
      #expect(plain.history == swapped.history, "seed \(seed)")
    }
  }

  @Test("A stream swapped for any other version continues as that, without the state that the diff reports as lost")
  func another() throws {
    // Seeds that failed once: a last operator that is yet to start was fused with others that ran, and counted them twice.
    for seed in Array(0..<Self.count) + [1_784, 3_899, 5_247] {
      var random = RandomModel(seed: seed &* 7_919 &+ 3)
      let model = random.model()
      let other = seed % 5 == 0 ? random.model() : random.variant(of: model)
      let (old, new) = (try Self.version(model), try Self.version(other))
      let diff = StreamDiff(from: model, to: other)
      let inputs = Self.inputs(&random, of: old.pipeline)
      let place = random.generator.below(25)
      let demand: Demand = seed % 3 == 0 ? Demand(1) : .unlimited
      var count = 0
      var recorder = Self.recorder(old, demand)
      try recorder.run(inputs) { execution in
        count += 1
        guard count == place, !execution.isEnded else { return execution }
        let swap = try StreamSwap(of: execution.snapshot(), from: old, to: new)
        for part in swap.report.parts where part.outcome == .kept {
          let loss = diff.changes.first {
            $0.oldPointer == part.oldPointer && $0.effect == .stateLost && $0.subject == .placedOperator
          }
          #expect(loss == nil, "seed \(seed): \(part)")
        }
        let restored = try Execution(new.pipeline, restoring: Snapshot(text: swap.snapshot.text()))
        #expect(restored.time == execution.time, "seed \(seed)")
        return restored
      }
      recorder.execution.cancel()
      #expect(recorder.execution.stageCount == 0, "seed \(seed)")
    }
  }
}

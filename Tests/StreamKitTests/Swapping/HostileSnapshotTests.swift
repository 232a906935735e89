import StreamCore
import StreamKit
import StreamRuntime
import StreamTesting
import Testing

/// Snapshots that somebody has changed: refused, or run, or swapped, and never a crash.
@Suite struct HostileSnapshotTests {
  /// The snapshot with one number, text, list or member of it changed.
  private static func damaged(_ value: Value, _ generator: inout SeededGenerator) -> Value {
    switch value {
    case .map(let map) where !map.isEmpty:
      var pairs = map.pairs.map { ($0, $1) }
      let place = generator.below(pairs.count)
      if generator.happens(oneIn: 12) {
        pairs.remove(at: place)
      } else {
        pairs[place].1 = damaged(pairs[place].1, &generator)
      }
      return .map(ValueMap(pairs))
    case .list(let elements) where !elements.isEmpty:
      var elements = elements
      let place = generator.below(elements.count)
      switch generator.below(8) {
      case 0: elements.remove(at: place)
      case 1: elements.append(elements[place])
      default: elements[place] = damaged(elements[place], &generator)
      }
      return .list(elements)
    case .int: return .int(generator.pick([-1, 0, 1, 2, 7, 1 << 40, .max, .min]))
    case .bool(let flag): return .bool(!flag)
    case .string: return .string(generator.pick(["", "share", "map", "flatMap"]))
    default: return generator.pick([.null, 1, .list([]), "text"])
    }
  }

  @Test("A damaged snapshot is refused, or goes on, and can be swapped", arguments: ExampleStream.running)
  func damaged(_ stream: ExampleStream) throws {
    let version = try StreamVersion(StreamModel(stream.stream()), stream.options)
    var generator = SeededGenerator(seed: 5)
    var texts: [String] = []
    var recorder = HistoryRecorder(Execution(version.pipeline))
    try recorder.run(stream.inputs()) { execution in
      texts.append(try execution.snapshot().text())
      return execution
    }
    var taken = 0
    for text in texts {
      let document = try JSONDocument(reading: text, file: "snapshot")
      for _ in 0..<6 {
        var value = document.value
        for _ in 0...generator.below(3) { value = Self.damaged(value, &generator) }
        guard let snapshot = try? Snapshot(text: JSONWriter.compact(value)) else { continue }
        for saved in [snapshot, try? StreamSwap(of: snapshot, from: version, to: version).snapshot] {
          guard let saved, let execution = try? Execution(version.pipeline, restoring: saved) else { continue }
          taken += 1
          var recorder = HistoryRecorder(execution)
          recorder.stepLimit = 40
          recorder.silenceLimit = 2_000
          try recorder.run(stream.inputs()) { $0 }
          _ = try? recorder.execution.snapshot()
          recorder.execution.cancel()
        }
      }
    }
    #expect(taken > 0 || texts.count < 3)
  }
}

import StreamCore
import StreamKit
import StreamRuntime
import StreamTesting
import Testing

/// Snapshots that somebody has changed: refused or swapped, and never a crash.
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

  @Test("A damaged snapshot is refused, or swapped for one that can be restored", arguments: ExampleStream.running)
  func damaged(_ stream: ExampleStream) throws {
    let model = try StreamModel(stream.stream())
    let version = try StreamVersion(model, stream.options)
    var longer = model
    longer.operators += try StreamModel(["stream": [], "operators": [["count": [:]]]]).operators
    let versions = [version, try StreamVersion(longer, stream.options)]
    var generator = SeededGenerator(seed: 5)
    var texts: [String] = []
    var recorder = HistoryRecorder(Execution(version.pipeline))
    try recorder.run(stream.inputs()) { execution in
      texts.append(try execution.snapshot().text())
      return execution
    }
    var (swapped, restored) = (0, 0)
    for text in texts {
      let document = try JSONDocument(reading: text, file: "snapshot")
      for _ in 0..<2 {
        var value = document.value
        for _ in 0...generator.below(3) { value = Self.damaged(value, &generator) }
        guard let snapshot = try? Snapshot(text: JSONWriter.compact(value)),
          let swap = try? StreamSwap(of: snapshot, from: version, to: generator.pick(versions))
        else { continue }
        swapped += 1
        for version in versions where (try? Execution(version.pipeline, restoring: swap.snapshot)) != nil {
          restored += 1
          break
        }
      }
    }
    #expect(swapped > 0)
    #expect(restored > 0)
  }

  @Test("Two stages in one place, and two last stages, are refused")
  func samePlace() throws {
    let json = #"""
      {"inputs": {"a": {}, "b": {}}, "source": {"input": {"name": "a"}}, "operators": [{"merge": {"with": ["b"]}}]}
      """#
    let pipeline = try stream(json).compile()
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    while execution.next() != nil {}
    let text = try execution.snapshot().text()
    for (old, new) in [(#""port":1"#, #""port":0"#), (#""downstream":0"#, #""downstream":null"#)] {
      let changed = text.replacing(old, with: new)
      #expect(changed != text)
      let snapshot = try Snapshot(text: changed)
      #expect(throws: Diagnostics.self) { _ = try Execution(pipeline, restoring: snapshot) }
    }
  }
}

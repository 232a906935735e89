import StreamCore
import StreamKit
import StreamTesting
import Testing

/// Random pipelines in every mode beside the baseline.
///
/// `PROPERTIES` is the number of pipelines (5,000); `Tests/Benchmarks` has the same for a long run in release.
@Suite struct DifferentialTests {
  private static let blocks: UInt64 = 4

  /// Returns a pipeline: one in twenty has up to 2,000 values, the others 64.
  private static func pipeline(_ seed: UInt64) -> RandomPipeline {
    RandomPipeline(seed: seed, atMost: seed % 20 == 0 ? 2_000 : 64)
  }

  /// Returns the modes to compare: one of those that apply to every pipeline, and one that applies to few.
  private static func modes(_ differential: Differential) -> [Differential.Mode] {
    // NB: another seed than the pipeline's, which has decided which modes apply.
    var generator = SeededGenerator(seed: ~differential.pipeline.seed)
    let (common, rare) = (differential.modes.filter(common.contains), differential.modes.filter(rare.contains))
    return [generator.pick(common)] + (rare.isEmpty ? [] : [generator.pick(rare)])
  }

  private static let rare: [Differential.Mode] = [.ndjson, .csv]
  private static let common = Differential.Mode.allCases.filter { !rare.contains($0) }

  @Test("A random pipeline says the same in every mode", arguments: 0..<blocks)
  func saysTheSame(_ block: UInt64) throws {
    let count = max(PropertyCount.cases(byDefault: 2_000) / Self.blocks, 500)
    var ran: UInt64 = 0
    var counts: [Differential.Mode: UInt64] = [:]
    for seed in block * count..<(block + 1) * count {
      guard let differential = try Differential(Self.pipeline(seed)) else { continue }
      let modes = Self.modes(differential)
      guard let differences = differential.differences(in: modes) else { continue }
      ran += 1
      for mode in modes { counts[mode, default: 0] += 1 }
      for difference in differences.prefix(1) {
        let small = Differential.shrunk(differential.pipeline, in: difference.mode, attempts: 500)
        Issue.record("\(difference.mode): \(difference.text)\n\(small.report)")
      }
    }
    // A generator that no longer fits its own operators, or reaches no mode, compares nothing.
    #expect(ran * 10 > count * 9)
    for mode in Self.common { #expect(counts[mode, default: 0] * 15 > count, "\(mode): \(counts)") }
    for mode in Self.rare { #expect(counts[mode, default: 0] * 200 > count, "\(mode): \(counts)") }
  }

  @Test("Every operator of the catalog is in some random pipeline")
  func everyOperator() {
    var found: Set<String> = []
    for seed in 0..<5_000 as Range<UInt64> {
      let pipeline = RandomPipeline(seed: seed, atMost: 1)
      guard pipeline.flavors.contains(.machines) else { continue }
      let text = JSONWriter.compact(pipeline.model)
      for entry in Operator.table where text.contains("{\"\(entry.spec.name)\":") { found.insert(entry.spec.name) }
    }
    let all = Set(ExampleStream.running.filter { !$0.isSource }.map(\.name))
    #expect(all.subtracting(found).isEmpty)
  }

  @Test("A pipeline is shrunk to the operator and the value that matter")
  func shrinking() throws {
    func matters(_ pipeline: RandomPipeline) -> Bool {
      guard case .events(let events) = pipeline.feed, (try? StreamModel(json: pipeline.model)) != nil else {
        return false
      }
      let isThere = JSONWriter.compact(pipeline.model).contains("\"map\"")
      return isThere && events.contains { if case .value(.int(let number)) = $0.kind { number > 5 } else { false } }
    }
    let pipeline = try #require((0..<1_000).lazy.map { RandomPipeline(seed: $0) }.first(where: matters))
    let small = Differential.shrunk(pipeline, attempts: 20_000, while: matters)
    guard case .events(let events) = small.feed, case .map(let model) = small.model,
      case .list(let operators)? = model["operators"]
    else {
      Issue.record("another kind of pipeline")
      return
    }
    #expect(events.count == 1)
    #expect(operators.count == 1)
  }

  @Test("A pipeline that is wrong in another respect than its types is an error, not left out")
  func wrongPipeline() {
    let pipeline = RandomPipeline(
      model: ["source": ["empty": [:]], "operators": [["map": ["expression": "nope"]]]])
    #expect {
      _ = try Differential(pipeline)
    } throws: { error in
      (error as? Diagnostics)?.all.map(\.code) == [.unknownName]
    }
  }
}

import StreamCore
import StreamTesting
import Testing

/// Random pipelines over up to 2,000 values, in every mode beside the baseline.
///
/// `PROPERTIES` says how many (200); `Tests/Benchmarks` has the same for a long run in release.
@Suite struct DifferentialTests {
  private static let blocks: UInt64 = 10

  @Test("A random pipeline says the same in every mode", arguments: 0..<blocks)
  func saysTheSame(_ block: UInt64) throws {
    let count = max(PropertyCount.cases(byDefault: 200) / Self.blocks, 20)
    var (ran, byColumns) = (0, 0)
    for seed in block * count..<(block + 1) * count {
      guard let differential = try Differential(RandomPipeline(seed: seed)) else { continue }
      ran += 1
      let differences = differential.differences()
      #expect(differences.isEmpty, "seed \(seed): \(differences), \(differential.listing)")
      if differential.columnInputCount > 0 { byColumns += 1 }
    }
    // A generator that no longer fits its own operators, or reaches no columns, compares nothing.
    #expect(ran * 2 > count)
    #expect(byColumns * 10 > ran)
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

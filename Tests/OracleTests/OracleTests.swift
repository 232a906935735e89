import Foundation
import StreamCore
import Testing

/// Short pipelines put together at random say the same as those of Combine, or of OpenCombine where there is none.
@Suite struct OracleTests {
  /// How many pipelines, from which seed on: `ORACLE=20000`, `ORACLE_SEED=7`.
  private static let count = number("ORACLE") ?? 2_000
  private static let firstSeed = UInt64(number("ORACLE_SEED") ?? 0)

  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

  @Test("A pipeline put together at random says what Combine's says, but for what is decided")
  func agrees() throws {
    var touched: [DecidedDifference: Int] = [:]
    var decided = 0
    var different = 0
    for seed in Self.firstSeed..<Self.firstSeed + UInt64(Self.count) {
      var generator = PipelineGenerator(seed: seed)
      let pipeline = generator.makePipeline()
      let actual = try pipeline.runStreamFile()
      let asked = pipeline.runPublishers()
      guard actual != asked else { continue }
      let decisions = pipeline.decisions
      let expected = decisions.isEmpty ? asked : pipeline.runPublishers(deciding: decisions)
      if actual == expected {
        decided += 1
        for decision in decisions { touched[decision, default: 0] += 1 }
      } else {
        different += 1
        if different <= 12 {
          Issue.record(
            """
            seed \(seed)
            \(JSONWriter.compact(pipeline.streamFile))
            \(JSONWriter.compact(pipeline.events))
            ours:    \(actual)
            Combine: \(asked)
            decided: \(expected) \(decisions.map(\.rawValue))
            """)
        }
      }
    }
    #expect(different == 0)
    for decision in DecidedDifference.allCases {
      print("  \(touched[decision, default: 0]) by \(decision.rawValue): \(decision.reason)")
    }
    print("Oracle: \(Self.count) pipelines, \(decided) differ by decision, \(different) differ")
  }
}

extension PipelineDescription {
  /// The decisions that can make a difference to it.
  fileprivate var decisions: Set<DecidedDifference> {
    let operators = stream.allOperators + (shared?.allOperators ?? [])
    return Set(DecidedDifference.allCases.filter { decision in operators.contains { decision.concerns($0) } })
  }
}

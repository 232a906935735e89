import Foundation
import StreamCore
import Testing

/// Short pipelines put together at random say the same as those of Combine, or of OpenCombine where there is none.
@Suite struct OracleTests {
  /// How many pipelines, from which seed on: `ORACLE=20000`, `ORACLE_SEED=7`.
  private static let count = number("ORACLE") ?? 2_000
  private static let firstSeed = UInt64(number("ORACLE_SEED") ?? 0)

  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

  @Test("A random pipeline has the events of Combine's, except for the decided differences")
  func agrees() throws {
    var touched: [DecidedDifference: Int] = [:]
    var decided = 0
    var different = 0
    for seed in Self.firstSeed..<Self.firstSeed + UInt64(Self.count) {
      var generator = PipelineGenerator(seed: seed)
      let pipeline = generator.makePipeline()
      for decision in pipeline.decisionsTakenOver { touched[decision, default: 0] += 1 }
      let actual = try pipeline.runStreamFile()
      let asked = pipeline.runPublishers()
      guard actual != asked else { continue }
      let explanation = pipeline.explanation(of: actual)
      guard explanation.isEmpty else {
        decided += 1
        for decision in explanation { touched[decision, default: 0] += 1 }
        continue
      }
      different += 1
      guard different <= 10 else { continue }
      Issue.record(
        """
        seed \(seed)
        \(JSONWriter.compact(pipeline.streamFile))
        \(JSONWriter.compact(pipeline.events))
        ours:    \(actual)
        Combine: \(asked)
        decided: \(pipeline.runPublishers(deciding: pipeline.decisions)) \(pipeline.decisions.map(\.rawValue))
        """)
    }
    #expect(different == 0)
    for decision in DecidedDifference.allCases {
      let verb = decision.isAlwaysTakenOver ? "with it from the start" : "by it"
      print("  \(decision.rawValue), \(touched[decision, default: 0]) \(verb): \(decision.reason)")
    }
    print("Oracle: \(Self.count) pipelines, \(decided) differ by decision, \(different) differ")
  }
}

extension PipelineDescription {
  /// The smallest set of differences with which the publishers behave as the stream; nil if there is none.
  fileprivate func explanation(of actual: HeardHistory) -> Set<DecidedDifference> {
    let all = decisions
    let withoutOrder = all.filter { !$0.isOfOrder }
    let orders = all.filter(\.isOfOrder).map { withoutOrder.union([$0]) }
    let found = ([withoutOrder] + orders + [all]).first { runPublishers(deciding: $0).rounded == actual.rounded }
    guard var found else { return [] }
    for decision in DecidedDifference.allCases where found.count > 1 && found.contains(decision) {
      let fewer = found.subtracting([decision])
      if runPublishers(deciding: fewer).rounded == actual.rounded { found = fewer }
    }
    return found
  }
}

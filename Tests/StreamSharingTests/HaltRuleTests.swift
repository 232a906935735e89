#if Sharing
import Testing

@testable import StreamSharing

/// The rule by which rollouts halt, beside exact probabilities.
@Suite struct HaltRuleTests {
  /// The probability that a rollout halts among its first reports, if the rule is evaluated after each of them.
  ///
  /// - Parameter failing: The share of clients that fail.
  private func probability(_ rule: HaltRule, failing: Double, reports: Int) -> Double {
    // The probability of each number of failures, without a halt so far.
    var open: [Double] = [1]
    var halted = 0.0
    for total in 1...reports {
      var next = [Double](repeating: 0, count: open.count + 1)
      for (failed, share) in open.enumerated() {
        next[failed] += share * (1 - failing)
        next[failed + 1] += share * failing
      }
      for failed in next.indices where rule.halts(failed, of: total) {
        halted += next[failed]
        next[failed] = 0
      }
      while let last = next.last, last < 1e-15, next.count > 1 { next.removeLast() }
      open = next
    }
    return halted
  }

  @Test func aGoodVersionWithBrokenDevicesIsHaltedInLessThanOneOfAThousandRollouts() {
    let halted = probability(HaltRule(), failing: 0.005, reports: 2_000)
    #expect(halted < 0.001)
  }

  @Test func aBadVersionIsHaltedWithinSixtyReports() {
    let halted = probability(HaltRule(), failing: 0.2, reports: 60)
    #expect(halted > 0.99)
  }

  /// The bounds that the formula of Wilson has in textbooks and in R's `prop.test(correct = FALSE)`.
  @Test(arguments: [(0, 10, 0.0), (1, 10, 0.0179), (5, 10, 0.2366), (10, 10, 0.7225), (6, 200, 0.0138)])
  func theLowerBoundIsThatOfTheScoreInterval(_ failed: Int, _ total: Int, _ expected: Double) {
    let bound = HaltRule.lowerBound(failed, of: total)
    #expect(abs(bound - expected) < 0.00005)
  }

  @Test func oneOddDeviceNeverHalts() {
    let halts = (1...1_000).filter { HaltRule().halts(1, of: $0) || HaltRule().halts(4, of: $0) }
    #expect(halts == [])
  }
}
#endif

import CEL
import StreamCore
import StreamTesting
import Testing

@testable import StreamEngine

/// Division by constants, done by multiplying.
@Suite struct DivisionTests {
  private static let divisors: [Int64] = {
    var random = SeededGenerator(seed: 3)
    let chosen: [Int64] = [
      2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 60, 100, 641, 1_000, 86_400, 1 << 20, 1 << 62, .max, .max - 1,
    ]
    let others = (0..<300).map { _ in Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(62)) }
    return (chosen + others).flatMap { $0 == .min ? [$0] : [$0, -$0] }
  }()

  /// Numbers at the edges, and around multiples of the divisor.
  private static func numbers(_ divisor: Int64, _ random: inout SeededGenerator) -> [Int64] {
    var numbers: [Int64] = [0, 1, -1, .max, .min, .min + 1, divisor, divisor &- 1, divisor &+ 1]
    for _ in 0..<40 {
      let number = Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(62))
      let multiple = number &- (divisor == -1 ? 0 : number % divisor)
      numbers += [number, multiple, multiple &+ 1, multiple &- 1]
    }
    return numbers
  }

  @Test("Multiples are distinguished from other numbers")
  func multiplesDistinguishedFrom() {
    var random = SeededGenerator(seed: 4)
    var multiples = 0
    for divisor in Self.divisors where DivisibilityTest.isPossible(divisor) {
      let test = DivisibilityTest(divisor)
      for number in Self.numbers(divisor, &random) {
        let actual = DivisibilityTest.isMultiple(number, inverse: test.inverse, bound: test.bound, shift: test.shift)
        let expected = number % divisor == 0
        if expected { multiples += 1 }
        #expect(actual == expected, "\(number) % \(divisor)")
      }
    }
    #expect(multiples > 10_000)
  }

  @Test("Quotients equal those of a division")
  func quotientsEqualThose() {
    var random = SeededGenerator(seed: 5)
    for divisor in Self.divisors {
      guard let reciprocal = Reciprocal(of: divisor) else {
        #expect((-1...1).contains(divisor) || divisor == .min)
        continue
      }
      for number in Self.numbers(divisor, &random) {
        let quotient = Reciprocal.quotient(number, factor: reciprocal.factor, shift: reciprocal.shift)
        let actual = divisor < 0 ? -quotient : quotient
        #expect(actual == number / divisor, "\(number) / \(divisor)")
      }
    }
  }

  @Test("A program divides as its plan", arguments: [7, -7, 12, -12, 8, -8, 1, -1, 1_000_003])
  func programDividesPlan(divisor: Int64) throws {
    var random = SeededGenerator(seed: 6)
    let quotient = try frame("value / \(divisor)", .int)
    let rest = try frame("value % \(divisor)", .int)
    let isMultiple = try frame("value % \(divisor) == 0 ? 1 : 2", .int)
    for number in Self.numbers(divisor, &random) where number != .min {
      #expect(try quotient.result(.int(number)) == .int(number / divisor))
      #expect(try rest.result(.int(number)) == .int(number % divisor))
      #expect(try isMultiple.result(.int(number)) == (number % divisor == 0 ? 1 : 2))
    }
  }
}

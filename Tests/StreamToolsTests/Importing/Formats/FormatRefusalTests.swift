import StreamCore
import StreamKit
import StreamTools
import TestSupport
import Testing

@Suite("Format strings that are refused")
struct FormatRefusalTests {
  private func problems(_ format: String, as purpose: FormatTranslator.Purpose = .predicate) -> [Diagnostic] {
    do {
      _ = try FormatTranslator.translate(format, as: purpose)
      return []
    } catch {
      return error.all.filter { $0.severity == .error }
    }
  }

  @Test(
    "A text that cannot be imported is refused at its place",
    arguments: [
      ("FUNCTION(%d, 'f') > 1", 0..<17),
      ("%d > CAST(1, 'NSNumber')", 5..<24),
      ("SUBQUERY(a, $x, $x > 1).@count > 0", 0..<30),
      ("ANY friends > 3", 0..<15),
      ("ALL {1, 2} > %d", 0..<15),
      ("friends.age > 3", 0..<11),
      ("$x > 3", 0..<2),
      ("%K == 3", 0..<2),
      ("%s == 3", 0..<2),
      ("%d ** %d > 3", 6..<8),
      ("%d ** 17 > 3", 6..<8),
      ("%d + 1", 0..<6),
      ("%@ MATCHES '(a)\\1'", 11..<18),
      ("%@ MATCHES '(?=a)'", 11..<18),
      ("%@ LIKE %@", 8..<10),
      ("%d BETWEEN 3", 11..<12),
      ("%d IN 3", 6..<7),
      ("{1} == {1}", 0..<10),
    ])
  func refusals(format: String, range: Range<Int>) {
    let problems = problems(format)
    #expect(problems.map(\.code) == [.unsupportedImport])
    #expect(problems.map(\.part) == [.text(range)])
  }

  @Test(
    "A broken text is refused at its place",
    arguments: [
      ("", 0..<0), ("%d >", 4..<4), ("%d > 3 3", 7..<8), ("(%d > 3", 7..<7), ("%d == 'a", 6..<8), ("1 < %d < 3", 7..<8),
      ("%d ==[x] 3", 5..<8), ("%d ; 3", 3..<4), ("%d > 99999999999999999999", 5..<25), ("%d > 3)", 6..<7),
      ("%d > 3abc", 5..<9), ("%d IN {1 2}", 9..<10), ("%d ==[c", 5..<7), ("AND", 0..<3), ("%d > 1e", 5..<7),
    ])
  func broken(format: String, range: Range<Int>) {
    let problems = problems(format)
    #expect(problems.map(\.code) == [.expressionSyntax])
    #expect(problems.map(\.part) == [.text(range)])
  }

  @Test("A condition is not a number")
  func conditionAsNumber() {
    let problems = problems("%d > 3", as: .expression)
    #expect(problems.map(\.code) == [.unsupportedImport])
  }

  @Test("All refused parts are reported at once")
  func everything() {
    let problems = problems("age > 3 AND FUNCTION(1) > 2 OR name == 'x'")
    #expect(problems.map(\.part) == [.text(0..<3), .text(12..<23), .text(31..<35)])
  }

  @Test("Deep nesting is refused instead of exhausting the stack")
  func deep() {
    let count = 200
    let format = String(repeating: "(", count: count) + "%d" + String(repeating: ")", count: count) + " > 1"
    let problems = problems(format)
    #expect(problems.map(\.code) == [.tooDeep])
  }

  @Test("A result that would be too long is refused")
  func long() {
    let sum = problems(Array(repeating: "%d", count: 100_000).joined(separator: "+"), as: .expression)
    #expect(sum.map(\.code) == [.expressionTooLarge])
    let power = String(repeating: "(", count: 50) + "%d" + String(repeating: " ** 16)", count: 50)
    let powers = problems(power, as: .expression)
    #expect(powers.allSatisfy { $0.code == .unsupportedImport })
    #expect(!powers.isEmpty)
  }

  @Test("No text makes the translator crash")
  func garbage() {
    let pieces = [
      "%", "%d", "'", "(", ")", "{", "}", "[", "]", "[c]", "IN", "NOT", "-", "**", "2", ".", "é", "\\", "$", " ",
    ]
    var seed: UInt64 = 42
    for _ in 0..<20_000 {
      var format = ""
      for _ in 0..<8 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        format += pieces[Int(seed >> 33) % pieces.count]
      }
      _ = problems(format)
      _ = problems(format, as: .expression)
    }
  }
}

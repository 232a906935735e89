import StreamCore
import StreamKit
import StreamTools
import Testing

@Suite("Format strings in CEL")
struct FormatTranslatorTests {
  @Test(
    "A predicate becomes a condition",
    arguments: [
      ("%d != 3", "int(value) != 3"),
      ("%d<>3", "int(value) != 3"),
      ("%d = 3", "int(value) == 3"),
      ("%ld == 3", "int(value) == 3"),
      ("%lld =< 3", "int(value) <= 3"),
      ("%u => 3", "int(value) >= 3"),
      ("%i > -3", "int(value) > -3"),
      ("%f >= 1.5", "double(value) >= 1.5"),
      ("%@ == 3", "int(value) == 3"),
      ("%@ == 'three'", "value == 'three'"),
      (#"%@ == "it's""#, #"value == 'it\'s'"#),
      ("(%d + 1) * 2 > 6", "(int(value) + 1) * 2 > 6"),
      ("%d - (2 - 1) > 0x10", "int(value) - (2 - 1) > 16"),
      ("%d > 1 AND TRUEPREDICATE", "int(value) > 1 && true"),
      ("%d == 1 or falsepredicate", "int(value) == 1 || false"),
      ("NOT %d == 1", "!(int(value) == 1)"),
      ("!(%d == 1 || FALSEPREDICATE) && TRUE", "!(int(value) == 1 || false) && true"),
      ("TRUEPREDICATE OR FALSEPREDICATE AND %d < 1", "true || false && int(value) < 1"),
      ("(TRUEPREDICATE OR FALSEPREDICATE) AND %d < 1", "(true || false) && int(value) < 1"),
      ("%d BETWEEN {1, 5}", "1 <= int(value) && int(value) <= 5"),
      ("%@ between {'a', 'f'}", "'a' <= value && value <= 'f'"),
      ("NOT %d BETWEEN {1, 5}", "!(1 <= int(value) && int(value) <= 5)"),
      ("%d IN {1, 2, 3}", "int(value) in [1, 2, 3]"),
      ("%@ IN {'a', 'b'}", "value in ['a', 'b']"),
      ("%@ IN[c] {'A', 'b'}", "value.lowerAscii() in ['a', 'b']"),
      ("%@ IN 'abc'", "'abc'.contains(value)"),
      ("%@ BEGINSWITH 'a'", "value.startsWith('a')"),
      ("%@ endswith 'a'", "value.endsWith('a')"),
      ("%@ CONTAINS[c] 'Ab'", "value.lowerAscii().contains('ab')"),
      ("%@ ==[c] 'AB'", "value.lowerAscii() == 'ab'"),
      ("%@ LIKE 'a*b?.c'", #"value.matches('^a.*b.\\.c$')"#),
      (#"%@ LIKE 'a\*'"#, #"value.matches('^a\\*$')"#),
      ("%@ LIKE[c] 'A*'", "value.lowerAscii().matches('^a.*$')"),
      ("%@ MATCHES '[0-9]+|x'", "value.matches('^(?:[0-9]+|x)$')"),
      (#"%@ MATCHES[c] '\D+'"#, #"value.matches('^(?i:\\D+)$')"#),
      ("%@ != NULL", "value != null"),
      ("%d == TRUE", "int(value) == 1"),
      ("%d ** 2 == 9", "int(value) * int(value) == 9"),
    ])
  func predicates(format: String, expected: String) throws {
    let translation = try FormatTranslator.translate(format, as: .predicate)
    #expect(translation.expression == expected)
  }

  @Test(
    "An expression becomes a number",
    arguments: [
      ("%d * 2", "int(value) * 2"),
      ("%d*2+1", "int(value) * 2 + 1"),
      ("%d / 2", "int(value) / 2"),
      ("(%d + 1) ** 2", "(int(value) + 1) * (int(value) + 1)"),
      ("%d ** 0", "1"),
      ("2 ** 3 / 4", "2 * 2 * 2 / 4"),
      ("4 / 2 ** 2", "4 / (2 * 2)"),
      ("-(%d + 1)", "-(int(value) + 1)"),
      ("1 - -2", "1 - -2"),
      ("- -2", "-(-2)"),
      ("+%d", "int(value)"),
      ("10 - (%d - 1)", "10 - (int(value) - 1)"),
      ("%@ + 1", "int(value) + 1"),
      ("%d * .5", "int(value) * 0.5"),
      ("1e3", "1e3"),
    ])
  func expressions(format: String, expected: String) throws {
    let translation = try FormatTranslator.translate(format, as: .expression)
    #expect(translation.expression == expected)
  }

  @Test(
    "The arguments of `scan` are the accumulated value, then the value",
    arguments: [
      ("%d + %d", "acc + int(value)"), ("%ld * %ld", "acc * int(value)"), ("%d - (%d + 1)", "acc - (int(value) + 1)"),
    ])
  func scans(format: String, expected: String) throws {
    let translation = try FormatTranslator.translate(format, as: .expression, arguments: [.accumulator, .value])
    #expect(translation.expression == expected)
    #expect(translation.notes == [])
  }

  @Test("An argument too many is the value again, with a warning at its place")
  func tooManyArguments() throws {
    let translation = try FormatTranslator.translate("%d > 1 AND %d < 5", as: .predicate)
    #expect(translation.expression == "int(value) > 1 && int(value) < 5")
    let warning = try #require(translation.notes.first)
    #expect(warning.severity == .warning)
    #expect(warning.part == .text(11..<13))
  }

  @Test("Numbers with a fraction are reported")
  func fractions() throws {
    let whole = try FormatTranslator.translate("%d / 2", as: .expression)
    let half = try FormatTranslator.translate("%d / 2.0", as: .expression)
    #expect(!whole.usesFractions)
    #expect(half.usesFractions)
  }

  @Test(
    "Differences between CEL and the format are noted",
    arguments: [
      ("%@ CONTAINS[d] 'e'", Diagnostic.Severity.warning), ("%@ ==[c] 'É'", .warning), ("SELF == 3", .note),
      ("%d CONTAINS '1'", .note), ("%d > 'three'", .note),
    ])
  func notes(format: String, severity: Diagnostic.Severity) throws {
    let translation = try FormatTranslator.translate(format, as: .predicate)
    #expect(translation.notes.map(\.severity) == [severity])
    #expect(translation.notes.map(\.code) == [.assumption])
  }
}

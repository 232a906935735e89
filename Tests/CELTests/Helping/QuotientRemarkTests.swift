import StreamCore
import Testing

@testable import CEL

/// The warning about a quotient of integers, which has no decimals.
@Suite struct QuotientRemarkTests {
  private static let type = CELType.record([
    RecordField("n", .int), RecordField("m", .int), RecordField("u", .uint), RecordField("x", .double),
    RecordField("may", .nullable(.int)), RecordField("any", .dyn), RecordField("when", .timestamp),
    RecordField("list", .list(.int)),
  ])

  private func remarks(_ text: String, ofKey isKey: Bool = false) -> [Diagnostic] {
    let environment = ExpressionEnvironment(variables: [Variable("value", Self.type)])
    return CELExpression(text).remarks(in: environment, ofKey: isKey)
  }

  /// Quotients that depend on how numbers are written, and those of two integers of the data.
  static let warned = [
    "value.any / 2", "value.any / value.any * 100", "100 / value.any", "value.any / value.n", "value.n / value.m",
    "value.n / value.u", "value.may / value.m", "{'a': value.any / 3}", "value.any / 2 + 1", "value.any / 2 > 0.5",
    "round(value.any / 7, 2)", "math.ceil(value.any / 8)", "'%.2f'.format([value.any / 3])",
    "value.list.map(q, q / value.n)", "value.any / 1000", "double(value.any / 2)",
  ]

  /// Quotients of doubles, of known units, and those without decimals on purpose.
  static let silent = [
    "value.x / 2", "value.n / 2.0", "value.any / 2.0", "double(value.any) / 2", "value.n / 60000", "1000 / value.n",
    "value.n / 1000 * 1000", "value.any / 60 * 60", "int(value.any / 2)", "math.floor(value.any / 2)",
    "math.trunc(value.any / value.any)", "value.any / 100 % 10", "value.list[value.any / 2]",
    "timestamp(value.any / 1000)",
    "value.list.slice(0, value.any / 2)", "lists.range(value.any / 2 + 1)", "duration('1h') / value.n", "value.any / 0",
    "7 / 2",
    "value.any / 60000", "(value.any - value.any) / 3600", "'%d %.2f'.format([value.any / 100, 1.5])",
  ]

  @Test("A quotient that may lose its decimals causes one warning, whose first cure is valid", arguments: warned)
  func warns(_ text: String) throws {
    let found = remarks(text)
    #expect(found.count == 1 && found.first?.severity == .warning)
    let help = try #require(found.first?.help)
    let cure = try #require(help.firstMatch(of: #/write (.+?)(?:, or |$)/#)?.1)
    guard case .text(let range)? = found.first?.part else { return }
    let bytes = Array(text.utf8)
    let cured =
      String(decoding: bytes[..<range.lowerBound], as: UTF8.self) + cure
      + String(decoding: bytes[range.upperBound...], as: UTF8.self)
    #expect(remarks(cured).isEmpty, "\(cured)")
  }

  @Test("A quotient on purpose causes none", arguments: silent)
  func isSilent(_ text: String) { #expect(remarks(text).isEmpty) }

  @Test("The cure keeps the parentheses of the operands")
  func parentheses() {
    let help = remarks("(value.n + 1) / (value.m - 1)").first?.help
    #expect(
      help
        == "write double(value.n + 1) / (value.m - 1), or int((value.n + 1) / (value.m - 1)) if it is meant to have none"
    )
  }

  @Test("In a key a quotient divides a range into parts")
  func keys() {
    #expect(remarks("value.any / 50", ofKey: true).isEmpty)
    #expect(remarks("value.any / 50").count == 1)
  }
}

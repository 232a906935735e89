import StreamCore
import Testing

@testable import CEL

/// The help for expressions that fail for a value.
@Suite struct FailureHelpTests {
  private static let value: Value = [
    "ms": "12.5", "word": "abc", "n": 3, "none": .null, "list": [1, .null], "texts": ["1", "26.6"], "o": ["a": 1],
    "when": "2024-01-01 00:00:05", "t": "2026-01-01T00:00:00Z", "millis": 1_767_225_600_123,
  ]

  private static func help(_ text: String) -> String? {
    let expression = CELExpression(text)
    do {
      _ = try evaluate(text, ["value": value])
      return "none fails"
    } catch let error as EvaluationError {
      return expression.help(for: error.code, error.message, at: error.range, with: ["value": value])
    } catch { return "\(error)" }
  }

  static let helps: [(String, String?)] = [
    ("value.z > 1", "write value.?z.orValue(0) where it may be missing"),
    ("value.z == 'a'", "write value.?z.orValue('') where it may be missing"),
    ("value.z > value.word", "write value.?z.orValue('') where it may be missing"),
    ("value.z == value.word", "write value.?z.orValue(null) where it may be missing"),
    ("-value.z", "write value.?z.orValue(0) where it may be missing"),
    ("value.z && value.n > 1", "write value.?z.orValue(false) where it may be missing"),
    ("value.z ? 1 : 2", "write value.?z.orValue(false) where it may be missing"),
    ("value.list.length", "write .size()"),
    ("[1].sortBy(x, value.none)", "write a key for null: x.name == null ? 0 : x.name"),
    ("value.o.z", "write value.o.?z.orValue(null) where it may be missing"),
    ("value['z k']", "write value[?'z k'].orValue(null) where it may be missing"),
    ("value.`z k`", "write value.?`z k`.orValue(null) where it may be missing"),
    ("value.wort", "did you mean value.word? Else write value.?wort.orValue(null) where it may be missing"),
    ("value.lst[0]", "did you mean value.list? Else write value.?lst.orValue(0) where it may be missing"),
    ("value.list[-1]", "write value.list[?size(value.list) - 1].orValue(null) where it may be missing"),
    ("(value.list + [3])[7]", "write (value.list + [3])[?7].orValue(null) where it may be missing"),
    (
      "(value.word + 'y').substring(0, 9)",
      "write (value.word + 'y').substring(0, math.least(9, size(value.word + 'y'))) for all up to the end"
    ),
    (
      "value.n - (value.ms + value.ms)",
      "if (value.ms + value.ms) is a number as text, "
        + "write value.n - double(value.ms + value.ms)"
    ),
    (
      "-value.word",
      "a string has no negative: 'descending: true' of an operator, and reverse() of a list, turn an order around"
    ),
    ("value.list[7] + 1", "write value.list[?7].orValue(0) where it may be missing"),
    ("value.none.x + 1", "'value.none' may be null: write value.none.?x.orValue(0)"),
    ("has(value.none.x)", "'value.none' may be null: write value.none.?x.hasValue()"),
    (
      "value.ms > 3",
      "the fields of a table are text: write double(value.ms) > 3, or declare the type of value.ms"
    ),
    (
      "value.n - value.ms",
      "the fields of a table are text: write value.n - double(value.ms), or declare the type of value.ms"
    ),
    (
      "value.ms * value.ms",
      "the fields of a table are text: write double(value.ms) * double(value.ms), or declare their types"
    ),
    ("'a' + value.n", "write 'a' + string(value.n)"), ("value.word + value.n", "write value.word + string(value.n)"),
    ("value.n > '1'", "write value.n > 1"), ("value.word > 1", nil), ("value.word * value.word", nil),
    (
      "value.none > 1",
      "'value.none' may be null: write (value.none == null ? 0 : value.none), or leave out such values: "
        + "value.none != null"
    ),
    ("value.list.sort()", "write value.list.filter(x, x != null).sort()"),
    ("value.list.max()", "write value.list.filter(x, x != null).max()"),
    ("value.list.sum()", "write value.list.filter(x, x != null).sum()"),
    (
      "value.texts.percentile(50)",
      "the fields of a table are text: write value.texts.map(x, double(x)).percentile(50), or declare the type"
    ),
    ("1 / 0", nil), ("value.n.x", nil), ("timestamp(value.when)", "write parseTime(value.when, 'yyyy-MM-dd HH:mm:ss')"),
    ("timestamp(value.word)", nil),
    ("double(value.word)", "write tryDouble(value.word).orValue(0.0) where it may be no number"),
    ("int(value.ms) + 1", "write tryInt(value.ms).orValue(0) where it may be no number"),
  ]

  static let times: [(String, String?)] = [
    ("value.t - duration('1h')", "write timestamp(value.t) - duration('1h')"),
    ("duration('1h') + value.t", "write duration('1h') + timestamp(value.t)"),
    ("timestamp(0) - value.t", "write timestamp(0) - timestamp(value.t)"),
    ("value.t - value.t", "write timestamp(value.t) - timestamp(value.t)"),
    ("value.t < timestamp('2026-02-01T00:00:00Z')", "write timestamp(value.t) < timestamp('2026-02-01T00:00:00Z')"),
    ("value.t.getHours()", "write timestamp(value.t).getHours()"),
    ("value.t.format('yyyy')", "write timestamp(value.t).format('yyyy')"),
    ("value.when.getHours()", "write parseTime(value.when, 'yyyy-MM-dd HH:mm:ss').getHours()"),
    ("value.millis < timestamp(0)", "write timestamp.fromMillis(value.millis) < timestamp(0)"),
    ("timestamp(value.millis)", "write timestamp.fromMillis(value.millis)"), ("value.word.getHours()", nil),
    ("value.word - duration('1h')", nil), ("value.millis - value.t", nil),
  ]

  static let nulls: [(String, String)] = [
    ("value.none.matches('^u')", "(value.none == null ? '' : value.none).matches('^u')"),
    ("value.none.split(',')", "(value.none == null ? '' : value.none).split(',')"),
    ("size(value.none)", "size((value.none == null ? '' : value.none))"),
    ("value.none.sum()", "(value.none == null ? [] : value.none).sum()"),
    ("value.none.map(x, x)", "(value.none == null ? [] : value.none)"),
    ("'a' in value.none", "(value.none == null ? [] : value.none)"),
    ("value.none + '-'", "(value.none == null ? '' : value.none)"),
    ("'b' < value.none", "(value.none == null ? '' : value.none)"),
    ("int(value.none)", "(value.none == null ? 0 : int(value.none))"),
    ("timestamp(value.none)", "(value.none == null ? null : timestamp(value.none))"),
    ("value.none.slice(0, 1)", "(value.none == null ? null : value.none.slice(0, 1))"),
    ("value.none.getHours()", "(value.none == null ? null : value.none.getHours())"),
  ]

  @Test("The help for null names a value of a type that the function takes", arguments: nulls)
  func helpForNull(text: String, written: String) {
    let end = ", or leave out such values: value.none != null"
    #expect(Self.help(text) == "'value.none' may be null: write \(written)\(end)")
  }

  static let operands: [(String, String?)] = [
    ("-value.ms", "the fields of a table are text: write -double(value.ms), or declare the type of value.ms"),
    (
      "math.abs(value.ms)",
      "the fields of a table are text: write math.abs(double(value.ms)), or declare the type of value.ms"
    ),
    ("value.none[0]", "'value.none' may be null: leave out such values: value.none != null"),
    ("value.list.slice(0, 5)", "write value.list.slice(0, math.least(5, size(value.list))) for all up to the end"),
    (
      "value.word.substring(0, 5)",
      "write value.word.substring(0, math.least(5, size(value.word))) for all up to the end"
    ),
    ("value.list.slice(2, 1)", nil),
  ]

  @Test("The help of a failure corrects the expression", arguments: helps + times + operands)
  func helpForFailure(text: String, expected: String?) {
    let help = Self.help(text)
    #expect(help == expected)
  }

  static let quotients: [(String, Bool)] = [
    ("round(value.n / value.t, 2)", true), ("math.round(size([1]) / 2)", true), ("math.ceil(value.n / 8)", true),
    ("'%.2f'.format([value.n / value.t])", true), ("round(double(value.n) / value.t, 2)", false),
    ("round(value.x / 2, 2)", false), ("round(value.any / value.t, 2)", true), ("math.floor(value.n / 2)", false),
    ("double(value.n / 1000)", false), ("'%d'.format([value.n / 2])", false),
  ]

  @Test("A warning says that a quotient of integers has no decimals to round", arguments: quotients)
  func integerQuotients(text: String, expected: Bool) {
    let type = CELType.record([
      RecordField("n", .int), RecordField("t", .int), RecordField("x", .double), RecordField("any", .dyn),
    ])
    let remarks = CELExpression(text).remarks(in: ExpressionEnvironment(variables: [Variable("value", type)]))
    #expect(remarks.isEmpty != expected)
  }

  @Test("A warning counts the values that a format does not write")
  func surplusValues() {
    func remarks(_ text: String) -> [Diagnostic] { CELExpression(text).remarks(in: ExpressionEnvironment()) }
    #expect(remarks("'%s'.format(['a', 'b'])").first?.message.contains("1 of the 2 values") == true)
    for text in ["'%s %d'.format(['a', 1])", "'%d %%'.format([1])", "'%5.2f'.format([1.0])", "'%s'.format(['a'])"] {
      #expect(remarks(text).isEmpty, "\(text)")
    }
  }

  @Test("The extremes of numbers with NaN do not depend on their order")
  func extremesWithNaN() throws {
    for list in ["[1.0, 0.0 / 0.0, 0.5]", "[0.0 / 0.0, 1.0, 0.5]", "[1.0, 0.5, 0.0 / 0.0]"] {
      #expect(try evaluate("math.isNaN(\(list).min()) && \(list).max() == 1.0") == true)
    }
  }

  @Test("A format of strptime is translated")
  func formatsOfStrptime() {
    let found = failure("parseTime('2024-01-02', '%Y-%m-%d')")
    #expect(found?.message.contains("write \"yyyy-MM-dd\"") == true)
    #expect(failure("parseTime('2024-01-02', '%yyyy-%MM-%dd')")?.message.contains("without '%'") == true)
  }
}

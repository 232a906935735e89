import CEL
import Testing

/// The fields of a record that an expression reads.
@Suite struct ReadingTests {
  @Test(
    "Reading of fields",
    arguments: [
      ("value.z > 0.25", ["z"]), ("has(value.a) ? value.a.b : value['c d']", ["a", "c d"]), ("1 + 1", []),
      ("other.x + value.y", ["y"]), ("value.list.map(x, x * value.k)", ["list", "k"]),
      ("{'value': value.z}", ["z"]), ("value.z.startsWith('a')", ["z"]),
    ])
  func readingFields(_ text: String, _ fields: [String]) {
    #expect(CELExpression(text).fieldsRead(of: "value") == Set(fields))
  }

  @Test(
    "Reading of whole values",
    arguments: [
      "value", "value == 1", "value[key]", "size(value)", "value.map(x, x)", "[value]", "'a' in value", "value.?a",
      "value.size()", "value[0]", "cel.bind(v, value, v.a)", "value +",
    ])
  func readingWholeValues(_ text: String) {
    #expect(CELExpression(text).fieldsRead(of: "value") == nil)
  }
}

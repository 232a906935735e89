import StreamKit
import Testing

/// The texts of operators and sources keep to the language of the project.
@Suite("Plain language of operators")
struct SpecLanguageTests {
  static let specs = Source.table.map(\.spec) + Operator.table.map(\.spec)

  @Test("The texts of an operator are plain American English", arguments: specs)
  func isPlain(_ spec: OperatorSpec) {
    let texts =
      [spec.summary, spec.memory.what, spec.work].compactMap(\.self) + spec.fields.map(\.summary)
      + spec.examples.map(\.title)
    for text in texts {
      let problems = PlainLanguage.problems(in: text, .reference)
      #expect(problems.isEmpty, "\(spec.name): \(text)")
    }
  }

  @Test("A default, and the range of a number, are not written by hand", arguments: specs)
  func derivesDefaults(_ spec: OperatorSpec) {
    for field in spec.fields {
      #expect(!field.summary.contains("Default"), "\(spec.name).\(field.name)")
      #expect(!field.summary.contains("or more."), "\(spec.name).\(field.name)")
    }
  }
}

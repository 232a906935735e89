import StreamKit
import Testing

/// The texts of operators and sources keep to the language of the project.
@Suite struct LanguageTests {
  static let specs = Source.table.map(\.spec) + Operator.table.map(\.spec)

  @Test("The texts of an operator are plain American English", arguments: specs)
  func isPlain(_ spec: OperatorSpec) {
    let texts =
      [spec.summary, spec.memory.what, spec.work].compactMap(\.self) + spec.fields.map(\.summary)
      + spec.examples.map(\.title)
    for text in texts {
      let problem = PlainLanguage.problem(in: text)
      #expect(problem == nil, "\(spec.name): \(text)")
    }
  }

  @Test("A default, and the range of a number, are not written by hand", arguments: specs)
  func derivesDefaults(_ spec: OperatorSpec) {
    for field in spec.fields {
      #expect(!field.summary.contains("Default"), "\(spec.name).\(field.name)")
      #expect(!field.summary.contains("or more."), "\(spec.name).\(field.name)")
    }
  }

  @Test(
    "Sentences without a subject, refused words and British spellings are found",
    arguments: [
      ("What is replayed is forgotten.", "a sentence begins with 'what'"),
      ("Publishes values. Of equal values the first counts.", "a sentence begins with 'of'"),
      ("Publishes the one that is newest.", "'the one that' is refused"),
      ("Hands on each value.", "'hands on' is refused"),
      ("A list, of which the last element is the newest.", "'of which' is refused"),
      ("Leaves values aside.", "'aside' is refused"),
      ("The stream is cancelled.", "'cancelled' is a British spelling"),
      ("Initialises the state.", "'initialises' is a British spelling"),
      ("The behaviour of a stream.", "'behaviour' is a British spelling"),
    ])
  func findsProblems(_ text: String, _ expected: String) {
    let problem = PlainLanguage.problem(in: text)
    #expect(problem == expected)
  }

  @Test(
    "Sentences with a subject pass",
    arguments: [
      "Whether the newest value is published.", "Publishes a value once the stream has been silent for a while.",
      "Values of type `fold` pass.", "A synthesis of realistic values, with emphasis.",
    ])
  func acceptsPlainText(_ text: String) {
    let problem = PlainLanguage.problem(in: text)
    #expect(problem == nil)
  }
}

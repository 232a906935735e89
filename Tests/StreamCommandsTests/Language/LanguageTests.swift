import TestSupport
import Testing

/// The texts of the sources, the tests and the pages keep to the language of the project.
@Suite("Plain language")
struct LanguageTests {
  /// The Swift files of a folder with their texts, and their paths.
  private static func texts(of folder: String) -> [(path: String, texts: SourceTexts)] {
    let paths = DocumentationPages.files(in: folder, ending: ".swift")
    return paths.filter { !$0.contains("/.build/") }.map { path in
      (path, SourceTexts(Fixture.read("\(Fixture.package)/\(path)")))
    }
  }

  private static let sources = texts(of: "Sources")
  private static let tests = texts(of: "Tests")

  private static func record(_ problems: [String], _ path: String, _ text: SourceTexts.Text) {
    for problem in problems { Issue.record("\(path):\(text.line): \(problem) in \"\(text.text.prefix(200))\"") }
  }

  @Test("Messages, help and printed texts are plain")
  func messages() {
    var count = 0
    for (path, texts) in Self.sources {
      for literal in texts.literals where literal.text.count > 20 && literal.text.contains(" ") {
        count += 1
        Self.record(PlainLanguage.problems(in: literal.text, .message), path, literal)
      }
    }
    #expect(count > 1_000)
  }

  @Test("Comments are plain")
  func comments() {
    var count = 0
    for (path, texts) in Self.sources + Self.tests {
      count += texts.comments.count
      for comment in texts.comments { Self.record(PlainLanguage.problems(in: comment.text, .comment), path, comment) }
    }
    #expect(count > 5_000)
  }

  @Test("The name of a test or a suite is a plain string that begins with a capital letter")
  func testNames() {
    var count = 0
    for (path, texts) in Self.tests {
      count += texts.testNames.count
      for name in texts.testNames {
        Self.record(PlainLanguage.problems(in: name.text, .comment), path, name)
        if name.text.first?.isLowercase ?? true { Self.record(["begin with a capital letter"], path, name) }
      }
      for name in texts.quotedFunctions { Self.record(["give the name as `@Test(\"…\")`"], path, name) }
    }
    #expect(count > 1_000)
  }

  /// The paragraphs, list items and rows of a Markdown page, without its blocks of code.
  private static func paragraphs(of page: String) -> [SourceTexts.Text] {
    var paragraphs: [(line: Int, lines: [Substring])] = []
    var (isCode, isOpen) = (false, false)
    for (number, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let content = line.drop { $0 == " " }
      let isFence = content.hasPrefix("```")
      if isFence { isCode.toggle() }
      guard !isCode, !isFence, let first = content.first else {
        isOpen = false
        continue
      }
      if isOpen, !"|*-#<".contains(first), !first.isNumber {
        paragraphs[paragraphs.count - 1].lines.append(content)
      } else {
        paragraphs.append((number + 1, [content]))
      }
      isOpen = true
    }
    return paragraphs.map { SourceTexts.Text(line: $0.line, text: $0.lines.joined(separator: " ")) }
  }

  @Test("Pages are plain")
  func pages() {
    var count = 0
    for path in ["README.md", "CONTRIBUTING.md"] + DocumentationPages.articles {
      for paragraph in Self.paragraphs(of: Fixture.read("\(Fixture.package)/\(path)")) {
        count += 1
        Self.record(PlainLanguage.problems(in: paragraph.text, .page), path, paragraph)
      }
    }
    #expect(count > 1_000)
  }

  @Test(
    "Unnatural messages are recognized",
    arguments: [
      "What a value is not.", "the one that was read", "'count' is no integer",
      "Writes the file in place of the old one.",
      "the key 'a' stands twice in one object", "a name is told with its place", "the stream begins anew",
      "this way is not taken", "the stream was cancelled", "Feeds one JSON value a line.", "take one of them away",
    ])
  func refused(message: String) {
    let problems = PlainLanguage.problems(in: message, .message)
    #expect(!problems.isEmpty)
  }

  @Test(
    "Unnatural summaries are recognized",
    arguments: [
      "What is replayed is forgotten.", "Publishes values. Of equal values the first counts.",
      "Publishes the one that is newest.", "Hands on each value.", "A list, of which the last element is the newest.",
      "Leaves values aside.", "The stream is cancelled.", "Initialises the state.", "The behaviour of a stream.",
      "Stored in place.", "Values carry an index.",
    ])
  func refused(summary: String) {
    let problems = PlainLanguage.problems(in: summary, .reference)
    #expect(problems.count == 1)
  }

  @Test(
    "Unnatural comments are recognized",
    arguments: [
      "Whoever opens it closes it.", "Nobody waits.", "Tells what happens.", "A closure that hears values.",
      "No version is on trial any more.", "Looks at the head of a request.", "Lets everybody go.",
      "Goes on with upstream.", "Keeps the text as it is.", "Keys that are there.", "Waits for ever.",
      "Sends the value. What is left waits.",
    ])
  func refused(comment: String) {
    let problems = PlainLanguage.problems(in: comment, .comment)
    #expect(!problems.isEmpty)
  }

  @Test("Natural sentences are accepted", arguments: PlainLanguage.Kind.allCases)
  func accepted(kind: PlainLanguage.Kind) {
    let sentences = [
      "'count' is a string; expected an integer", "there is no input 'a'", "Whether the stream has completed.",
      "the key 'a' appears twice in one object", "the file is no longer available", "expected a value, found ':'",
      "Publishes a value once the stream has been silent for a while.", "Values of type `fold` pass.",
      "A synthesis of realistic values, with emphasis.", "The value that is newest, and what it contains.",
    ]
    for sentence in sentences {
      let problems = PlainLanguage.problems(in: sentence, kind)
      #expect(problems.isEmpty, "\(sentence)")
    }
  }

  @Test("Texts are found through interpolations, escapes, raw strings, regular expressions and comments")
  func texts() {
    let source = ##"""
      // "a comment"
      // of two lines
      let a = "one \(name ?? "two") \" three" /* "nor this" */  // behind code
      // alone
      let b = #"four " \n"#, pattern = #/"/#
      let c = """
        five \
        six
        """
      /// A test.
      ///
      /// - Note: A list.
      @Test(
        "Name") func `old name`() {}
      @Suite("Suite") struct Tests {}
      """##
    let texts = SourceTexts(source)
    func lines(_ texts: [SourceTexts.Text]) -> [String] {
      texts.map { "\($0.line) \($0.text.split(whereSeparator: \.isWhitespace).joined(separator: " "))" }
    }
    #expect(
      lines(texts.literals) == ["3 two", "3 one … \" three", "5 four \" \\n", "6 five six", "14 Name", "15 Suite"])
    #expect(
      lines(texts.comments)
        == ["1 \"a comment\" of two lines", "3 behind code", "4 alone", "10 A test. - Note: A list."])
    #expect(lines(texts.testNames) == ["14 Name", "15 Suite"])
    #expect(lines(texts.quotedFunctions) == ["14 old name"])
  }
}

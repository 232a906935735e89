import Foundation
import Testing

@Suite("The language of messages, help and printed texts")
struct MessageLanguageTests {
  @Test("No text in the sources breaks a rule of plain language")
  func sources() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(files.count > 500)
    var count = 0
    for file in files.sorted(by: { $0.path < $1.path }) {
      let literals = SourceLiterals(try String(contentsOf: file, encoding: .utf8)).literals
      for literal in literals where literal.text.count > 20 && literal.text.contains(" ") {
        count += 1
        let place = "\(file.path.dropFirst(root.path.count + 1)):\(literal.line)"
        for problem in PlainLanguage.problems(in: literal.text) {
          Issue.record("\(place): \(problem) in \"\(literal.text.prefix(200))\"")
        }
      }
    }
    #expect(count > 1_000)
  }

  @Test(
    "Unnatural sentences are recognized",
    arguments: [
      "What a value is not.", "the one that was read", "'count' is no integer",
      "Writes the file in place of the old one.",
      "the key 'a' stands twice in one object", "a name is told with its place", "the stream begins anew",
      "this way is not taken", "the stream was cancelled", "Feeds one JSON value a line.", "take one of them away",
    ])
  func refused(text: String) {
    let problems = PlainLanguage.problems(in: text)
    #expect(!problems.isEmpty)
  }

  @Test(
    "Natural sentences are accepted",
    arguments: [
      "'count' is a string; expected an integer", "there is no input 'a'", "Whether the stream has completed.",
      "the key 'a' appears twice in one object", "the file is no longer available", "expected a value, found ':'",
    ])
  func accepted(text: String) {
    let problems = PlainLanguage.problems(in: text)
    #expect(problems.isEmpty)
  }

  @Test("Literals are found through interpolations, escapes and raw strings, not in comments")
  func literals() {
    let source = ##"""
      // "not this"
      let a = "one \(name ?? "two") \" three" /* "nor this" */
      let b = #"four " \n"#
      let c = """
        five \
        six
        """
      """##
    let actual = SourceLiterals(source).literals.map { literal in
      "\(literal.line) \(literal.text.split(whereSeparator: \.isWhitespace).joined(separator: " "))"
    }
    #expect(actual == ["2 two", "2 one … \" three", "3 four \" \\n", "4 five six"])
  }
}

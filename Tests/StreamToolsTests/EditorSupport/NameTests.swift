import StreamCore
import StreamKit
import StreamTools
import TestSupport
import Testing

/// The targets of names, and how names are changed.
@Suite struct NameTests {
  static let file = #"""
    {"inputs": {"a": {}}, "streams": {"s": {"stream": []}, "t": {"source": {"stream": {"name": "s"}}}},
     "source": {"input": {"name": "a"}},
     "operators": [{"zip": {"with": ["s", "a", {"streams": {"s": {"stream": [{"value": 1}]}}, "source": {"stream": {"name": "s"}}}]}}],
     "tests": [{"name": "n", "inputs": {"a": {"values": []}, "s": {"values": []}}, "expect": {"values": []}}]}
    """#

  /// The file with the cursor in the n-th quoted occurrence of a word.
  private func marked(_ word: String, _ number: Int) -> MarkedText {
    var parts = Self.file.components(of: "\"\(word)\"")
    let rest = parts.suffix(from: number + 1).joined(separator: "\"\(word)\"")
    parts = Array(parts.prefix(number + 1))
    let (head, tail) = (word.prefix(1), word.dropFirst())
    return MarkedText(parts.joined(separator: "\"\(word)\"") + "\"¦\(head)\(tail)\"" + rest)
  }

  @Test(
    "A name leads to what it names, the nearest of that name",
    arguments: [(0, 0), (1, 0), (2, 0), (3, 3), (4, 3), (5, 0)])
  func definition(_ place: Int, _ expected: Int) throws {
    let text = marked("s", place)
    let definition = try #require(text.document.definition(at: text.offset))
    #expect(definition.lowerBound == marked("s", expected).offset - 1)
    #expect(text.text(definition) == #""s""#)
  }

  @Test("All places of a name are found, and those of another name with the same spelling are not")
  func references() {
    let outer = marked("s", 0)
    #expect(
      outer.document.references(at: outer.offset).map(\.lowerBound) == [0, 1, 2, 5].map { marked("s", $0).offset - 1 })
    let inner = marked("s", 4)
    #expect(inner.document.references(at: inner.offset).map(\.lowerBound) == [3, 4].map { marked("s", $0).offset - 1 })
    let input = marked("a", 2)
    #expect(input.document.references(at: input.offset).count == 4)
  }

  @Test("A new name stands wherever the old one stood, and the file is as right as before")
  func rename() throws {
    let text = marked("s", 1)
    let edits = try text.document.rename(at: text.offset, to: "a \"better\" name")
    let renamed = MarkedText.text(text.document.text.bytes, after: edits)
    #expect(renamed.components(of: #""a \"better\" name""#).count == 5)
    #expect(renamed.components(of: #""s""#).count == 3)
    #expect(problems(renamed) == [])
    #expect(text.document.renamable(at: text.offset)?.name == "s")
  }

  @Test("A name that is taken, or none, is refused")
  func refused() {
    let text = marked("s", 1)
    for (name, piece) in [
      ("t", "there already is a stream 't'"), ("a", "there already is an input 'a'"), (" ", "must not be empty"),
    ] {
      do {
        _ = try text.document.rename(at: text.offset, to: name)
        Issue.record("it was taken")
      } catch {
        #expect(error.message.contains(piece))
      }
    }
    #expect(throws: Diagnostic.self) { try text.document.rename(at: 0, to: "x") }
    #expect(text.document.renamable(at: 3) == nil)
  }

  @Test("A name that would become another's is refused where the file would be wrong")
  func captured() {
    // `x` of the inner stream would be the inner stream itself.
    let text = MarkedText(
      #"{"streams": {"¦o": {"stream": []}, "p": {"streams": {"x": {"source": {"stream": {"name": "o"}}}}, "source": {"stream": {"name": "x"}}}}, "source": {"stream": {"name": "p"}}}"#
    )
    #expect(throws: Diagnostic.self) { try text.document.rename(at: text.offset, to: "x") }
  }

  @Test("Streams, inputs, operators and tests are the parts of a file, also of one that is half written")
  func symbols() {
    let text = MarkedText(Self.file)
    #expect(text.document.symbols.map(\.name) == ["a", "s", "t", "input", "zip", "n"])
    #expect(text.document.symbols.map(\.kind) == [.input, .stream, .stream, .source, .operator, .test])
    #expect(text.document.symbols[4].children.map(\.name) == ["s", "stream"])
    let broken = MarkedText(
      #"{"streams": {"s": {"source": {"timer": {}}, "operators": [{"map": {"expression": "value"}}, {"filt"#)
    #expect(broken.document.symbols.map(\.name) == ["s"])
    #expect(broken.document.symbols[0].children.map { "\($0.name) \($0.detail)" } == ["timer ", "map value", "filt "])
  }
}

extension String {
  fileprivate func components(of separator: String) -> [String] {
    var parts = [""]
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(separator) {
        parts.append("")
        rest = rest.dropFirst(separator.count)
      } else if let first = rest.popFirst() {
        parts[parts.count - 1].append(first)
      }
    }
    return parts
  }
}

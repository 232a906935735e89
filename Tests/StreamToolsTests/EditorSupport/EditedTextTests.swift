import StreamKit
import StreamTesting
import StreamTools
import Testing

/// Many edits of one text give the same as one after the other.
@Suite struct EditedTextTests {
  @Test("Edits at random places do what each of them does alone", arguments: [EditorUnits.utf8, .utf16], 0..<12)
  func random(_ units: EditorUnits, _ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    // With a short alphabet line breaks meet, and with a long text there are many pieces.
    let letters = ["a", "é", "€", "😀", "\r", "\n", "\r\n", "\u{301}"]
    func text(upTo limit: Int) -> String {
      (0..<random.below(limit + 1)).map { _ in random.happens(oneIn: 3) ? random.pick(letters) : "b" }.joined()
    }
    var expected = Array(((seed % 4 == 0 ? "\u{FEFF}" : "") + text(upTo: seed % 3 == 0 ? 5_000 : 60)).utf8)
    var edited = EditedText(expected, units: units)
    for _ in 0..<(seed % 3 == 0 ? 40 : 150) {
      let lines = 2 + expected.count / (seed % 3 == 0 ? 8 : 4)
      func position() -> EditorPosition {
        let longest = random.happens(oneIn: 4) ? 5_000 : 12
        return EditorPosition(line: random.below(lines) - 1, character: random.below(longest) - 1)
      }
      let (first, second) = (position(), position())
      let isNear = random.happens(oneIn: 2)
      let range = min(first, second)..<(isNear ? min(first, second) : max(first, second))
      let new = text(upTo: random.happens(oneIn: 8) ? 5_000 : 6)
      let before = EditorText(expected)
      let start = before.offset(of: range.lowerBound, in: units)
      let end = max(start, before.offset(of: range.upperBound, in: units))
      expected.replaceSubrange(start..<end, with: new.utf8)
      edited.replace(range, with: new)
      if edited.bytes != expected {
        Issue.record("\(range) by \(new.debugDescription) gives another text")
        return
      }
    }
  }

  @Test("The time of many edits grows with their number, on one long line and on many", arguments: ["\n", " "])
  func growth(_ separator: String) {
    // The text is as long as there are edits: the time would be quadratic if each edit copied the text.
    let exponent = Growth.exponent(
      around: 400,
      preparing: { count in
        let words = (0..<count * 100).map { "word\($0)" }.joined(separator: separator)
        let places = (0..<count).map { number in
          EditorPosition(line: separator == " " ? 0 : number * 50, character: number * 300 % words.utf8.count)
        }
        return (text: Array(words.utf8), places: places)
      }
    ) { text, places in
      var edited = EditedText(text, units: .utf16)
      for place in places { edited.replace(place..<place, with: "x") }
      _ = edited.bytes
    }
    #expect(exponent < 1.5)
  }
}

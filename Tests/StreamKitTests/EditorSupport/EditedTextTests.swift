import StreamKit
import StreamTesting
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
    var expected = Array(((seed % 4 == 0 ? "\u{FEFF}" : "") + text(upTo: seed % 3 == 0 ? 20_000 : 60)).utf8)
    var edited = EditedText(expected, units: units)
    for _ in 0..<(seed % 3 == 0 ? 60 : 300) {
      let lines = 2 + expected.count / (seed % 3 == 0 ? 8 : 4)
      func position() -> EditorPosition {
        let longest = random.happens(oneIn: 4) ? 5_000 : 12
        return EditorPosition(line: random.below(lines) - 1, character: random.below(longest) - 1)
      }
      let (first, second) = (position(), position())
      let isNear = random.happens(oneIn: 2)
      let range = min(first, second)..<(isNear ? min(first, second) : max(first, second))
      let new = text(upTo: random.happens(oneIn: 8) ? 9_000 : 6)
      let before = EditorText(expected)
      let start = before.offset(of: range.lowerBound, in: units)
      let end = max(start, before.offset(of: range.upperBound, in: units))
      expected.replaceSubrange(start..<end, with: new.utf8)
      edited.replace(range, with: new)
      #expect(edited.bytes == expected)
      if edited.bytes != expected { return }
    }
  }

  @Test("The time of many edits grows with their number, on one long line and on many", arguments: ["\n", " "])
  func growth(_ separator: String) {
    let ratio = Growth.ratio(from: 400) { count in
      // Twice as many edits of a text that is twice as long: four times the time if each edit copied the text.
      let words = (0..<count * 100).map { "word\($0)" }.joined(separator: separator)
      var text = EditedText(Array(words.utf8), units: .utf16)
      for number in 0..<count {
        let place = EditorPosition(line: separator == " " ? 0 : number * 50, character: number * 300 % words.utf8.count)
        text.replace(place..<place, with: "x")
      }
      _ = text.bytes
    }
    #expect(ratio < 3)
  }
}

import StreamKit
import StreamTesting
import StreamTools
import Testing

/// Places as editors count them.
@Suite struct EditorTextTests {
  @Test("Characters count as UTF-16 units, or as bytes; lines end in three ways")
  func places() {
    let text = EditorText(Array("a😀é\r\nb\rc\n".utf8))
    let utf16 = [0: (0, 0), 1: (0, 1), 5: (0, 3), 7: (0, 4), 9: (1, 0), 10: (1, 1), 11: (2, 0), 13: (3, 0)]
    for (offset, place) in utf16 {
      let position = EditorPosition(line: place.0, character: place.1)
      #expect(text.position(of: offset, in: .utf16) == position)
      #expect(text.offset(of: position, in: .utf16) == offset)
    }
    #expect(text.position(of: 5, in: .utf8) == EditorPosition(line: 0, character: 5))
    // Within a pair of units, within a scalar, behind the end of a line and of the text.
    #expect(text.offset(of: EditorPosition(line: 0, character: 2), in: .utf16) == 1)
    #expect(text.offset(of: EditorPosition(line: 0, character: 3), in: .utf8) == 1)
    #expect(text.offset(of: EditorPosition(line: 0, character: 99), in: .utf16) == 7)
    #expect(text.offset(of: EditorPosition(line: 9, character: 0), in: .utf16) == 13)
    #expect(text.offset(of: EditorPosition(line: -1, character: -5), in: .utf8) == 0)
    #expect(text.offset(of: EditorPosition(line: 0, character: .max), in: .utf16) == 7)
  }

  @Test("Every place between characters is found again, on lines of any length", arguments: [3, 300, 4_000])
  func roundTrip(_ length: Int) {
    var random = SeededGenerator(seed: UInt64(length))
    let text = String(
      (0..<5_000).map { number in
        number % length == length - 1 ? "\n" : random.pick(["a", "b", " ", "é", "€", "😀", "\u{301}"])
      }.joined())
    let editorText = EditorText(Array(text.utf8))
    for units in [EditorUnits.utf8, .utf16] {
      var line = 0
      var character = 0
      var offset = 0
      var wrong: [Int] = []
      for scalar in text.unicodeScalars {
        let position = EditorPosition(line: line, character: character)
        if offset % 7 == 0 || length == 3 {
          let isFound =
            editorText.position(of: offset, in: units) == position
            && editorText.offset(of: position, in: units) == offset
          if !isFound { wrong.append(offset) }
        }
        offset += String(scalar).utf8.count
        character += units == .utf8 ? String(scalar).utf8.count : String(scalar).utf16.count
        if scalar == "\n" { (line, character) = (line + 1, 0) }
      }
      #expect(wrong == [], "in \(units)")
    }
  }
}

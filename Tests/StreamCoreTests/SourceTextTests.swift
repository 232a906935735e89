import StreamCore
import Testing

/// Lines and columns in long texts, whose scalars are counted in pieces.
@Suite struct SourceTextTests {
  @Test(
    "A column counts scalars, on lines of any length",
    arguments: [[0x61], [0xC3, 0xA9], [0xE2, 0x82, 0xAC], [0xF0, 0x9F, 0x98, 0x80]] as [[UInt8]])
  func columns(_ scalar: [UInt8]) {
    let line = Array(Array(repeating: scalar, count: 9_000).joined())
    let source = SourceText(file: "long.json", bytes: line + [0x0A] + line)
    for index in [0, 1, 1_023, 1_365, 2_047, 2_048, 4_095, 4_096, 8_191, 8_192, 8_999] {
      for line in [0, 1] {
        let place = source.position(of: line * (9_000 * scalar.count + 1) + index * scalar.count)
        #expect(place.line == line + 1)
        #expect(place.column == index + 1)
      }
    }
  }

  @Test("A long text that is not UTF-8 has places too, found as fast")
  func invalid() {
    let source = SourceText(file: "long.json", bytes: Array(repeating: 0x80, count: 8_000_000))
    #expect(source.position(of: 5_000).line == 1)
    #expect(source.position(of: 7_999_999).column > 1)
  }

  @Test("Errors come before warnings where not all are shown, in their order")
  func limited() {
    let warning = Diagnostic(.unknownKey, "w", severity: .warning)
    let errors = (0..<3).map { Diagnostic(.wrongType, "e\($0)") }
    let shown = Diagnostics(Array(repeating: warning, count: 10) + errors).limited(to: 5)
    #expect(shown.all.map(\.message) == ["w", "w", "e0", "e1", "e2", "8 further errors are not shown"])
    #expect(shown.hasErrors)
  }
}

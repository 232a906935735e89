import TestSupport
import Testing

/// Checks the output format `text`.
@Suite struct TextOutputTests {
  @Test("The text format writes times and infinite numbers without quotes, as it does strings")
  func text() {
    let folder = Fixture.Folder()
    folder.add(
      "s.json",
      #"""
      {"source": {"sequence": {"expression":
        "[timestamp('2020-01-01T00:00:00Z'), duration('90s'), b'ab', 1.0 / 0.0, 'x', [1.0 / 0.0]]"}}}
      """#)
    let text = Subprocess.run(["s.json", "--format", "text"], in: folder.path)
    #expect(text.output == "2020-01-01T00:00:00Z\n90s\nYWI=\nInfinity\nx\n[\"Infinity\"]\n")
    let rows = Subprocess.run(["s.json", "--format", "csv"], in: folder.path)
    #expect(rows.output.contains("\r\nInfinity\r\n"))
  }
}

import TestSupport
import Testing

/// The report for build servers is XML, whatever a test is named and whatever its stream publishes.
@Suite struct JUnitReportTests {
  static let texts = [
    "\\u0000", "\\u0001\\u001b", "\\ufffe", "\\uffff", "]]>", "<&>", "&\\u0301", "<\\u0338", "\\r\\n", "\\u0085\\u2028",
    "\\ud83f\\udffe", "\\ud83d\\ude00", "\\u202e\\ufeff",
  ]

  @Test("The report is well-formed", arguments: texts)
  func wellFormed(_ text: String) {
    let folder = Fixture.Folder()
    folder.add(
      "s.json",
      #"{"stream": [{"value": "\#(text)"}], "tests": [{"name": "\#(text)", "expect": {"values": ["\#(text)x"]}}]}"#)
    let report = Subprocess.run(["test", "s.json", "--format", "junit"], in: folder.path).output
    let parsed = Subprocess.shell(
      "streamrun test s.json --format junit | python3 -c 'import sys, xml.dom.minidom as dom; "
        + "dom.parse(sys.stdin.buffer); print(\"read\")'", in: folder.path)
    #expect(parsed == "read\n", "\(report)")
    // Some parsers take characters that XML 1.0 has not.
    let allowed = report.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...: true
      default: false
      }
    }
    #expect(allowed, "\(report.debugDescription)")
  }
}

import TestSupport
import Testing

/// Commands one after the other, whose output is compared with a file in `Sessions/`.
enum Session {
  /// Runs the commands, and compares all that they print, and how they end, with what is expected.
  static func check(_ name: String, _ commands: [String], in folder: String) {
    var text = ""
    for command in commands {
      let output = Subprocess.shell("\(command); code=$?; test $code = 0 || echo \"[exit $code]\"", in: folder)
      text += "$ \(command)\n\(output)\n"
    }
    let golden = Fixture.folder(of: #filePath) + "/Sessions/\(name).txt"
    if BrokenFileTests.updates { Fixture.write(text, to: golden) }
    let expected = Fixture.read(golden)
    #expect(text == expected, "\(name)")
  }
}

#if Sharing
import Foundation
import Testing

/// Characters that a terminal obeys are shown as text by every command of `streamhub`.
@Suite struct HubControlCharacterTests {
  private let folder: TemporaryFolder
  private static let odd = "\u{1B}[31m\u{9B}2J\u{7}\u{8}\r\u{202E}"

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String]) throws -> (output: String, errors: String, status: Int32) {
    let process = Process()
    process.executableURL = HubProgram.url
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let messages = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    for scalar in (text + messages).unicodeScalars where scalar != "\n" {
      let isOdd = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar == "\u{202E}"
      #expect(!isOdd, "\(arguments.map { $0.debugDescription }): \((text + messages).debugDescription)")
      if isOdd { break }
    }
    return (text, messages, process.terminationStatus)
  }

  @Test("No command prints them")
  func commands() throws {
    let escaped = #"\u001b[31m\u009b2J\u0007\b\r\u202e"#
    let stream = """
      {"name": "n\(escaped)", "inputs": {"i\(escaped)": {}}, "source": {"input": {"name": "i\(escaped)"}},
       "operators": [{"label": "l\(escaped)", "print": {"label": "p\(escaped)"}}]}
      """
    let file = "s\(Self.odd).json"
    try Data(stream.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(file)"))
    let failing = stream.dropLast() + #", "tests": [{"name": "t\#(escaped)", "expect": {"values": [1]}}]}"#
    try Data(failing.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/failing.json"))
    #expect(try run(["init", "--no-passphrase"]).status == 0)
    let published = try run(["publish", file, "--name", "a", "--notes", "r\(Self.odd)"])
    #expect(published.status == 0, "\(published)")
    let changed = stream.replacing("l\(escaped)", with: "m\(escaped)")
    try Data(changed.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(file)"))
    #expect(try run(["publish", file, "--name", "a", "--percent", "5", "--salt", Self.odd]).status == 0)
    #expect(try run(["publish", "failing.json", "--name", "b"]).status == 1)
    for arguments in [["list"], ["log", "a"], ["show", "a"], ["diff", "a", "1", "2"]] {
      let outcome = try run(arguments)
      #expect(outcome.status < 2, "\(arguments): \(outcome)")
    }
    for arguments in [
      ["log", Self.odd], ["show", "a\(Self.odd)"], ["publish", "none\(Self.odd)", "--name", "c"], [Self.odd],
      ["publish", file, "--name", "c", "--percent", Self.odd], ["list", "--repository", "none\(Self.odd)"],
      ["list", "--\(Self.odd)"], ["publish", file, "--name", "c", "--where", Self.odd], ["promote", Self.odd],
    ] {
      #expect(try run(arguments).status != 0)
    }
  }
}
#endif

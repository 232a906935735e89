import StreamCore
import StreamKit
import Testing

/// A block of code in a Markdown file.
struct CodeBlock: Sendable, CustomStringConvertible {
  let file: String
  let line: Int
  let language: String
  let text: String

  var description: String { "\(file):\(line)" }

  /// Every block of the README and the documentation.
  static let all: [CodeBlock] =
    (["README"] + Fixture.names(in: Fixture.package + "/Documentation", ending: ".md").map { "Documentation/" + $0 })
    .flatMap { blocks(in: "\($0).md") }

  private static func blocks(in file: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: (line: Int, language: String, lines: [Substring])?
    let lines = Fixture.read("\(Fixture.package)/\(file)").split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      if let block = open, line == "```" {
        blocks.append(
          CodeBlock(
            file: file, line: block.line, language: block.language, text: block.lines.joined(separator: "\n")))
        open = nil
      } else if open != nil {
        open?.lines.append(line)
      } else if line.hasPrefix("```") {
        open = (number + 1, String(line.dropFirst(3)), [])
      }
    }
    return blocks
  }
}

/// What the README and the documentation show is true.
@Suite struct DocumentationTests {
  static let shownModels = CodeBlock.all.filter { $0.language == "json" }
  static let shownSessions = CodeBlock.all.filter { $0.language == "console" && $0.text.hasPrefix("$ ") }

  @Test("A stream file that is shown is valid, and its tests pass", arguments: shownModels)
  func models(_ block: CodeBlock) throws {
    let stream = try LoadedStream(JSONDocument(reading: block.text, file: block.description), identity: block.file)
    _ = try stream.compile()
    for outcome in try TestRunner(stream).run() {
      #expect(outcome.differences == [], "\(outcome.name)")
    }
  }

  @Test("A command that is shown prints what is shown", arguments: shownSessions)
  func sessions(_ block: CodeBlock) {
    var commands: [(command: String, output: [Substring])] = []
    for line in block.text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("$ ") {
        commands.append((String(line.dropFirst(2)), []))
      } else if !commands.isEmpty {
        commands[commands.count - 1].output.append(line)
      }
    }
    for (command, output) in commands {
      let outcome = Subprocess.shell(command, in: Fixture.package)
      #expect(outcome == output.map { $0 + "\n" }.joined(), "\(command)")
    }
  }

  @Test("There is something to check in both")
  func isThere() {
    #expect(Self.shownModels.count > 5)
    #expect(!Self.shownSessions.isEmpty)
  }

  @Test("Every code of the registry is one of a kind, and none has gone")
  func codes() {
    let codes = DiagnosticCode.allCases.map(\.rawValue)
    #expect(Set(codes).count == codes.count)
    let known = Fixture.read("\(Fixture.package)/Tests/StreamCommandsTests/codes.txt").split(separator: "\n")
    for line in known {
      let parts = line.split(separator: " ").map(String.init)
      #expect(DiagnosticCode(rawValue: parts[0]).map { "\($0)" } == parts[1], "a code is never given again")
    }
    #expect(known.count == codes.count, "write new codes into codes.txt")
  }
}

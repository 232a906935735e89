import StreamCore
import StreamKit
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A block of code in a Markdown file.
struct CodeBlock: Sendable, CustomStringConvertible {
  let file: String
  let line: Int
  let language: String
  let text: String

  var description: String { "\(file):\(line)" }

  /// Every block of the README and the documentation.
  static let all: [CodeBlock] = (DocumentationTests.pages + DocumentationTests.libraryPages).flatMap(blocks)

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
    let stream = try StreamFile(JSONDocument(reading: block.text, file: block.description), identity: block.file)
    // What it needs of a host is that host's; the tests answer for it.
    _ = try stream.compile(CompileOptions(host: .any))
    for outcome in try TestRunner(stream).run() {
      #expect(outcome.differences == [], "\(outcome.name)")
    }
  }

  // One after the other: some write files of one name.
  @Test("A command that is shown prints what is shown", .serialized, arguments: shownSessions)
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

  @Test("Swift that is shown stands in a test, word for word", arguments: shownSwift)
  func swift(_ block: CodeBlock) {
    let tests = Self.embeddingTests.map { Self.paragraphs(of: Fixture.read("\(Fixture.package)/Tests/\($0)")) }
    // Paragraph by paragraph, since a test has more to say; how far it is indented does not count.
    for paragraph in Self.paragraphs(of: block.text) {
      let isTested = tests.contains { $0.contains { ("\n" + $0 + "\n").contains("\n" + paragraph + "\n") } }
      #expect(isTested, "\(paragraph)")
    }
  }

  /// Where those tests are.
  static let embeddingTests = [
    "StreamKitTests/Running/EmbeddingTests.swift", "StreamKitTests/Operators/CustomOperatorTests.swift",
    "StreamKitTests/Operators/HostFunctionTests.swift", "StreamKitTests/Running/GuideTests.swift",
    "StreamCombineTests/GuideTests.swift", "CELTests/UsageTests.swift",
    "StreamKitTests/Editing/EditingPageTests.swift", "StreamKitTests/Swapping/SwappingPageTests.swift",
    "StreamKitTests/Swapping/ChangingStreamTests.swift",
  ]
  static let shownSwift = CodeBlock.all.filter { $0.language == "swift" }

  /// What stands between empty lines, each line without the space around it.
  private static func paragraphs(of text: String) -> [String] {
    var paragraphs: [[Substring]] = [[]]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let end = line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.startIndex
      let line = line[..<end].drop { $0 == " " }
      if line.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1].append(line) }
    }
    return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
  }

  @Test("A link leads to a page, and to a heading on it", arguments: pages)
  func links(_ page: String) {
    let folder = page.split(separator: "/").dropLast().joined(separator: "/")
    for link in Self.links(in: Fixture.read("\(Fixture.package)/\(page)")) where !link.contains("://") {
      let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
      let target = parts[0].isEmpty ? page : (folder.isEmpty ? parts[0] : "\(folder)/\(parts[0])")
      let path = "\(Fixture.package)/\(target)"
      #expect(access(path, R_OK) == 0, "\(link)")
      guard parts.count > 1 else { continue }
      #expect(Self.anchors(in: Fixture.read(path)).contains(parts[1]), "\(link)")
    }
  }

  static let pages =
    ["README.md"]
    + Fixture.names(in: Fixture.package + "/Documentation", ending: ".md").map { "Documentation/\($0).md" }

  /// The libraries' own pages, which DocC shows.
  static let libraryPages = ["CEL", "StreamKit", "StreamCombine"].flatMap { library in
    let folder = "Sources/\(library)/\(library).docc"
    return Fixture.names(in: "\(Fixture.package)/\(folder)", ending: ".md").map { "\(folder)/\($0).md" }
  }

  @Test("A page of a library leads to pages that it has", arguments: libraryPages)
  func libraryLinks(_ page: String) {
    let folder = page.split(separator: "/").dropLast().joined(separator: "/")
    for part in Fixture.read("\(Fixture.package)/\(page)").split(separator: "<doc:").dropFirst() {
      let name = part.prefix { $0 != ">" }
      #expect(access("\(Fixture.package)/\(folder)/\(name).md", R_OK) == 0, "\(name)")
    }
  }

  /// What links outside blocks of code lead to.
  private static func links(in text: String) -> [String] {
    let prose = text.split(separator: "```").enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined()
    return prose.split(separator: "](").dropFirst().compactMap { $0.split(separator: ")").first.map(String.init) }
  }

  /// The anchors of a page's headings.
  private static func anchors(in text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
        line.drop { $0 == "#" || $0 == " " }.lowercased().compactMap { character in
          if character == " " { return "-" }
          return character.isLetter || character.isNumber || character == "-" ? String(character) : nil
        }
        .joined()
      })
  }

  @Test("There is something to check in both")
  func isThere() {
    #expect(Self.shownModels.count > 5)
    #expect(!Self.shownSessions.isEmpty)
    #expect(Self.libraryPages.count > 8)
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

import StreamCore
import StreamKit
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The examples on pages are true.
@Suite struct DocumentationTests {
  static let shownModels = CodeBlock.all.filter { $0.language == "json" }
  static let shownSessions = CodeBlock.all.filter { $0.language == "console" && $0.text.hasPrefix("$ ") }

  @Test("A stream file that is shown is valid, and its tests pass", arguments: shownModels)
  func models(_ block: CodeBlock) throws {
    let stream = try StreamFile(JSONDocument(reading: block.text, file: block.description), identity: block.file)
    // A file may need functions of a host; its tests replace them.
    _ = try stream.compile(CompileOptions(host: .any))
    for outcome in try TestRunner(stream).run() {
      #expect(outcome.differences == [], "\(outcome.name)")
    }
  }

  // One after the other: some write files of one name. `UPDATE_GOLDEN=1` writes what the commands print into the page.
  @Test("A command on a page prints the output shown", .serialized, arguments: shownSessions)
  func sessions(_ block: CodeBlock) {
    var commands: [(command: String, output: [Substring])] = []
    for line in block.text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("$ ") {
        commands.append((String(line.dropFirst(2)), []))
      } else if !commands.isEmpty {
        commands[commands.count - 1].output.append(line)
      }
    }
    var printed = ""
    for (command, output) in commands {
      let outcome = Subprocess.shell(command, in: Fixture.package)
      printed += "$ \(command)\n" + outcome
      #expect(BrokenFileTests.updates || outcome == output.map { $0 + "\n" }.joined(), "\(command)")
    }
    if BrokenFileTests.updates {
      let path = "\(Fixture.package)/\(block.file)"
      Fixture.write(Fixture.read(path).replacing("\n\(block.text)\n```\n", with: "\n\(printed)```\n"), to: path)
    }
  }

  @Test("Swift on a page is part of a test, paragraph by paragraph", arguments: shownSwift)
  func swift(_ block: CodeBlock) {
    for paragraph in Self.paragraphs(of: block.text) { #expect(Self.isTested(paragraph), "\(paragraph)") }
  }

  /// Whether a paragraph of code is part of a test or a program.
  static func isTested(_ paragraph: String) -> Bool {
    let candidates = testParagraphs[String(paragraph.prefix { $0 != "\n" })] ?? []
    return candidates.contains { ("\n" + $0 + "\n").contains("\n" + paragraph + "\n") }
  }

  static let shownSwift = CodeBlock.all.filter { $0.language == "swift" }

  @Test(
    "A page for apps begins with a program",
    arguments: ["GettingStarted", "Embedding", "Extending", "Swapping", "Publishers", "EditingFiles"])
  func program(_ page: String) throws {
    let text = DocumentationPages.text(of: page)
    let first = try #require(CodeBlock.blocks(of: page).first)
    #expect(first.language == "swift")
    #expect(first.text.hasPrefix("import Stream"))
    #expect((10...40).contains(first.text.split(separator: "\n").count))
    let introduction = text.prefix { $0 != "`" }.split(separator: "\n")
    #expect(introduction.count <= 2, "the title and a sentence come before it")
  }

  /// The paragraphs of all test files and of the programs of apps, by each of their lines.
  private static let testParagraphs: [String: [String]] = {
    var byLine: [String: [String]] = [:]
    let programs = DocumentationPages.files(in: "Tests/Examples/Programs/Sources", ending: ".swift")
    for file in programs + DocumentationPages.files(in: "Tests", ending: "Tests.swift") {
      for paragraph in paragraphs(of: Fixture.read("\(Fixture.package)/\(file)")) {
        for line in Set(paragraph.split(separator: "\n")) { byLine[String(line), default: []].append(paragraph) }
      }
    }
    return byLine
  }()

  /// The parts between empty lines, each line without the space around it.
  static func paragraphs(of text: String) -> [String] {
    var paragraphs: [[Substring]] = [[]]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let end = line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.startIndex
      let line = line[..<end].drop { $0 == " " }
      if line.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1].append(line) }
    }
    return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
  }

  @Test("A link leads to a page, and to a heading on it", arguments: DocumentationPages.all)
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

  /// The targets of links outside code blocks.
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

  @Test("Every article is in a list of its catalog's landing page", arguments: DocumentationPages.articles)
  func isListed(_ article: String) {
    let folder = article.split(separator: "/").dropLast().joined(separator: "/")
    let name = String(article.dropFirst(folder.count + 1))
    let landing = folder.split(separator: "/")[1] + ".md"
    guard name != landing else { return }
    let page = Fixture.read("\(Fixture.package)/\(folder)/\(landing)")
    let topics = page.split(separator: "\n## ").first { $0.hasPrefix("Topics") } ?? ""
    #expect(Self.links(in: String(topics)).contains(name))
  }

  @Test("The types that the glossary names exist")
  func glossary() {
    var declared: Set<Substring> = []
    for file in DocumentationPages.files(in: "Sources", ending: ".swift") {
      for line in Fixture.read("\(Fixture.package)/\(file)").split(separator: "\n") {
        let words = line.split(separator: " ")
        for (word, next) in zip(words, words.dropFirst())
        where ["struct", "class", "enum", "protocol", "typealias"].contains(word) {
          declared.insert(next.prefix { $0.isLetter || $0.isNumber })
        }
      }
    }
    let types = NamesInPagesTests.code(in: DocumentationPages.text(of: "Glossary"))
      .filter { $0.first?.isUppercase == true }
    for type in types {
      let isDeclared = declared.contains(type[...])
      #expect(isDeclared, "\(type)")
    }
    #expect(!types.isEmpty)
  }

  @Test("There is something to check in each test")
  func isThere() {
    #expect(!Self.shownModels.isEmpty && !Self.shownSessions.isEmpty && !Self.shownSwift.isEmpty)
    #expect(!DocumentationPages.articles.isEmpty)
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

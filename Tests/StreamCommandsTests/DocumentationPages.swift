import Foundation
import TestSupport

/// The pages that people read: those beside `Sources`, and the articles of every DocC catalog in it.
enum DocumentationPages {
  static let topLevel = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
  /// Paths from the package's folder, sorted.
  static let articles = files(in: "Sources", ending: ".md").filter { $0.contains(".docc/") }
  static let all = topLevel + articles

  /// The path of an article by its file name without the ending; empty if there is none.
  static func path(of name: String) -> String { articles.first { $0.hasSuffix("/\(name).md") } ?? "" }

  static func text(of name: String) -> String { Fixture.read("\(Fixture.package)/\(path(of: name))") }

  /// Every file below a folder of the package that ends so, sorted. Build folders are skipped.
  static func files(in folder: String, ending: String) -> [String] {
    let root = "\(Fixture.package)/\(folder)"
    guard let walk = FileManager.default.enumerator(atPath: root) else { return [] }
    var files: [String] = []
    while let path = walk.nextObject() as? String {
      if path.hasSuffix("/.build") { walk.skipDescendants() }
      if path.hasSuffix(ending) { files.append("\(folder)/\(path)") }
    }
    return files.sorted()
  }
}

/// A block of code in a Markdown file.
struct CodeBlock: Sendable, CustomStringConvertible {
  let file: String
  let line: Int
  let language: String
  let text: String

  var description: String { "\(file):\(line)" }

  /// Every block of every page.
  static let all: [CodeBlock] = DocumentationPages.all.flatMap { blocks(in: $0) }

  /// The blocks of an article, by its name.
  static func blocks(of article: String) -> [CodeBlock] {
    let path = DocumentationPages.path(of: article)
    return all.filter { $0.file == path }
  }

  private static func blocks(in file: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: (line: Int, language: String, indent: Int, lines: [Substring])?
    let lines = Fixture.read("\(Fixture.package)/\(file)").split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      if let block = open, text == "```" {
        blocks.append(
          CodeBlock(
            file: file, line: block.line, language: block.language, text: block.lines.joined(separator: "\n")))
        open = nil
      } else if let block = open {
        open?.lines.append(line.dropFirst(min(block.indent, line.count - text.count)))
      } else if text.hasPrefix("```") {
        open = (number + 1, String(text.dropFirst(3)), line.count - text.count, [])
      }
    }
    return blocks
  }
}

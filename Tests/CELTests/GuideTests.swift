import Foundation
import StreamCore
import Testing

@testable import CEL

/// Runs every example of the articles on CEL.
@Suite struct Guide {
  struct Example: Sendable, CustomTestStringConvertible {
    let expression: String
    let result: String
    var testDescription: String { "\(expression) → \(result)" }
  }

  static let examples: [Example] = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let catalog = package.appending(path: "Sources/CEL/CEL.docc")
    let pages = (try? FileManager.default.contentsOfDirectory(at: catalog, includingPropertiesForKeys: nil)) ?? []
    let lines = pages.flatMap { (try? String(contentsOf: $0, encoding: .utf8))?.split(separator: "\n") ?? [] }
    var isExample = false
    return lines.compactMap { line in
      if line.hasPrefix("```") {
        isExample = line == "```cel"
        return nil
      }
      let sides = line.split(separator: " → ", maxSplits: 1)
      return isExample && sides.count == 2
        ? Example(expression: String(sides[0]), result: String(sides[1])) : nil
    }
  }()

  /// Else the page has moved, or its examples are written differently.
  @Test("The guide has its examples")
  func guideExamples() { #expect(!Self.examples.isEmpty) }

  @Test("An example gives its result", arguments: examples)
  func exampleGivesResult(example: Example) throws {
    let value = try evaluate(example.expression)
    let result = try evaluate(example.result)
    #expect(value == result)
  }
}

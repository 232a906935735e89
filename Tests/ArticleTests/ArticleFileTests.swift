import Foundation
import StreamCore
import StreamKit
import Testing

/// The files of the articles by themselves.
@Suite struct ArticleFileTests {
  @Test("Each file does what its own tests say, and has some", arguments: ArticleFiles.all)
  func tests(_ path: String) throws {
    let stream = try ArticleFiles.load(path)
    let outcomes = try TestRunner(stream, options: CompileOptions(loader: ArticleFiles(), host: .any)).run()
    #expect(!outcomes.isEmpty)
    for outcome in outcomes { #expect(outcome.differences == [], "\(outcome.name)") }
  }

  @Test("The page lists each file, and no other")
  func page() throws {
    let text = try String(contentsOf: ArticleFiles.folder.appending(path: "README.md"), encoding: .utf8)
    let listed = text.split(separator: "](").dropFirst().compactMap { $0.split(separator: ")").first.map(String.init) }
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix("..") }
    #expect(listed.sorted() == ArticleFiles.all)
    #expect(!ArticleFiles.all.isEmpty)
  }
}

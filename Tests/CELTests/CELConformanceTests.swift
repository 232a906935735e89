import Foundation
import StreamCore
import Testing

@testable import CEL

/// The vectors of cel-spec's conformance tests.
enum CELVectors {
  /// `CEL_CONFORMANCE`, or the shared folder beside the package where it exists.
  static var folder: URL? {
    if let given = ProcessInfo.processInfo.environment["CEL_CONFORMANCE"] { return URL(filePath: given) }
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = package.deletingLastPathComponent().appending(path: "shared/conformance/cel")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }

  /// The vectors without messages of every file in the folder, by the file's name.
  static func all() throws -> [(file: String, vectors: [Vector])]? {
    guard let folder else { return nil }
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "ndjson" }.sorted { $0.path < $1.path }
    return try files.map { file in
      let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
      let vectors = try lines.compactMap { try Vector(line: String($0)) }.filter { !$0.needsMessages }
      return (file.deletingPathExtension().lastPathComponent, vectors)
    }
  }
}

/// The conformance tests of cel-spec.
@Suite(
  .enabled(if: CELVectors.folder != nil, "no vectors in ../shared/conformance/cel: set CEL_CONFORMANCE to their folder")
)
struct CELConformance {
  @Test("Every vector passes with strict numbers")
  func everyVectorPasses() throws {
    let files = try #require(try CELVectors.all())
    var failures: [String] = []
    var total = 0
    for (file, vectors) in files where !vectors.isEmpty {
      let problems = vectors.compactMap { vector in
        vector.run().map { "\(vector.id): \(vector.expression)\n      \($0)" }
      }
      failures += problems
      total += vectors.count - problems.count
      let name = file.padding(toLength: 18, withPad: " ", startingAt: 0)
      print("  \(name) \(vectors.count - problems.count) passed, \(problems.count) failed")
    }
    for failure in failures { print("  FAILED \(failure)") }
    print("CELConformance: \(total) passed, \(failures.count) failed")
    #expect(total > 0)
    #expect(failures.isEmpty)
  }

  @Test("With mixed numbers only the listed vectors differ")
  func mixedNumbersOnly() throws {
    let files = try #require(try CELVectors.all())
    let vectors = files.flatMap(\.vectors)
    let differing = Set(vectors.filter { $0.run(.mixed) != nil }.map(\.id))
    let listed = Set(Deviations.ofMixedNumbers.flatMap(\.vectors)).intersection(vectors.map(\.id))
    // Vectors that the list has never seen may differ too, for the same reasons.
    let isSharedFolder = ProcessInfo.processInfo.environment["CEL_CONFORMANCE"] == nil
    let unexpected = isSharedFolder ? differing.subtracting(listed) : []
    let missing = listed.subtracting(differing)
    #expect(unexpected.isEmpty, "differ and are not listed")
    #expect(missing.isEmpty, "are listed and do not differ")
  }
}

import Foundation
import StreamCore
import Testing

@testable import CEL

/// What cel-spec's conformance tests ask, with strict numbers.
@Suite struct CELConformance {
  /// The files whose vectors without messages have to pass.
  static let coreFiles = [
    "basic", "comparisons", "conversions", "fields", "fp_math", "integer_math", "lists", "logic", "macros", "namespace",
    "parse", "plumbing", "string", "timestamps", "type_deduction",
  ]

  /// `CEL_CONFORMANCE`, or the shared folder beside the package.
  static var folder: URL? {
    let given = ProcessInfo.processInfo.environment["CEL_CONFORMANCE"].map { URL(filePath: $0) }
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = given ?? package.deletingLastPathComponent().appending(path: "shared/conformance/cel")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }

  @Test func `the core language's vectors pass`() throws {
    guard let folder = Self.folder else {
      print("CELConformance: skipped, there are no vectors (set CEL_CONFORMANCE to their folder)")
      return
    }
    var failures: [String] = []
    var total = 0
    for file in Self.coreFiles {
      let url = folder.appending(path: "\(file).ndjson")
      guard let text = try? String(contentsOf: url, encoding: .utf8) else { continue }
      var passed = 0
      var failed = 0
      for line in text.split(separator: "\n") {
        guard let vector = try Vector(line: String(line)), !vector.needsMessages else { continue }
        if let problem = vector.run() {
          failed += 1
          failures.append("\(vector.id): \(vector.expression)\n      \(problem)")
        } else {
          passed += 1
        }
      }
      total += passed
      let name = file.padding(toLength: 18, withPad: " ", startingAt: 0)
      print("  \(name) \(passed) passed, \(failed) failed")
    }
    for failure in failures { print("  FAILED \(failure)") }
    print("CELConformance: \(total) passed, \(failures.count) failed")
    #expect(failures.isEmpty)
  }
}

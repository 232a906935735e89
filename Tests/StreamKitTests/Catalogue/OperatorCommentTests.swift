import Foundation
import StreamKit
import Testing

/// An author writes summaries, field texts and defaults once, in the spec. `UPDATE_GOLDEN=1 swift test --filter
/// OperatorCommentTests` copies them into the doc comments of the fields.
@Suite struct OperatorCommentTests {
  @Test("The doc comments of a source are those of its spec", arguments: Source.table.map(\.spec))
  func sourceMatches(_ spec: OperatorSpec) throws { try check(spec, in: "Sources") }

  @Test("The doc comments of an operator are those of its spec", arguments: Operator.table.map(\.spec))
  func operatorMatches(_ spec: OperatorSpec) throws { try check(spec, in: "Operators") }

  private func check(_ spec: OperatorSpec, in folder: String) throws {
    let file = try #require(OperatorComment(spec, in: folder), "\(spec.name) has no file")
    let expected = try #require(file.expected, "\(file.path) has no struct, or lacks a property")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      if expected != file.text { try expected.write(toFile: file.path, atomically: true, encoding: .utf8) }
      return
    }
    let difference = zip(file.text.split(separator: "\n"), expected.split(separator: "\n")).first { $0 != $1 }
    #expect(
      file.text == expected,
      "\(file.path): '\(difference?.0 ?? "")' should be '\(difference?.1 ?? "")'; run with UPDATE_GOLDEN=1")
  }
}

package import StreamCore
package import StreamFiles
package import StreamKit

/// The outcome of the tests of some files, in the order of the files.
package struct TestReport: Sendable {
  package enum Status: String, CaseIterable, Sendable {
    case passed, failed, updated
  }

  /// A test that was run.
  package struct Entry: Sendable {
    package let outcome: TestOutcome
    let location: Diagnostic.Location?
    package var status: Status
  }

  /// The outcome of one file.
  package struct File: Sendable {
    let name: String
    package var entries: [Entry] = []
    /// Why it could not be run.
    package var problems = Diagnostics()
    /// The texts that the problems refer to, except those of `sourceFiles`.
    var sources: [SourceText] = []
    /// The files that the problems point into and that can be read once more.
    var sourceFiles: [String] = []
    package var hasTests = true
    /// The names of the parameters that it declares.
    var parameters: [String] = []
    /// Whether the program was asked to stop before all of its tests had run.
    package internal(set) var isInterrupted = false
    /// Whether a test ended because the process exceeded its memory limit, to which earlier files may have contributed.
    var hasExhaustedMemory = false
    var coverage: TestCoverage?
    /// The text with updated expectations, if there are any.
    package internal(set) var newText: [UInt8]?
    /// The stamp of the file before it was read; set if expectations are updated.
    package internal(set) var stamp: FileStamp?
  }

  package var files: [File]
  /// The problems of the given paths.
  var pathProblems: Diagnostics

  package init(files: [File], pathProblems: Diagnostics = Diagnostics()) {
    self.files = files
    self.pathProblems = pathProblems
  }

  package func count(_ status: Status) -> Int { files.reduce(0) { $0 + $1.entries.count { $0.status == status } } }

  /// The names of the parameters that the files declare.
  package var parameters: Set<String> { Set(files.flatMap(\.parameters)) }

  package var problems: [Diagnostic] { pathProblems.all + files.flatMap(\.problems.all) }
  package var isWrong: Bool { pathProblems.hasErrors || files.contains { $0.problems.hasErrors } }

  /// The coverage of all files; nil if it was not asked for.
  package var coverage: TestCoverage? {
    files.contains { $0.coverage != nil } ? files.compactMap(\.coverage).reduce(TestCoverage(), +) : nil
  }
}

extension TestCoverage {
  /// The percentage as text, rounded down, so that only full coverage is shown as 100.
  package var percentageText: String { JSONWriter.compact(shownPercentage) }

  /// The percentage with one digit after the decimal point.
  var shownPercentage: Value {
    let tenths = Int64((percentage * 10).rounded(.down))
    return tenths % 10 == 0 ? .int(tenths / 10) : .double(Double(tenths) / 10)
  }

  var summary: String {
    "coverage: \(percentageText) % (\(Self.text(operators, "operators")), \(Self.text(branches, "branches")))"
  }

  private static func text(_ share: Share, _ nouns: String) -> String {
    "\(share.covered) of \(share.total) \(nouns)"
  }

  /// The places that no test exercises, a line each.
  var lines: [String] {
    uncovered.map { note in
      let place = note.location.map { "\($0.file):\($0.line):\($0.column): " } ?? ""
      return "not covered: " + place + note.message
    }
  }
}

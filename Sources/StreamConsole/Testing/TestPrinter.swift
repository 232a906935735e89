internal import ArgumentParser
internal import StreamCore
package import StreamDriving
internal import StreamFiles
internal import StreamKit

/// The output format of test results.
package enum TestFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// For people.
  case text
  case json
  /// XML as build servers read it.
  case junit
  /// Test Anything Protocol 14.
  case tap
}

/// Prints the results of tests.
package struct TestPrinter {
  let format: TestFormat
  /// Whether to print tests that pass.
  let isVerbose: Bool
  let console: Console

  package init(format: TestFormat, isVerbose: Bool, console: Console) {
    self.format = format
    self.isVerbose = isVerbose
    self.console = console
  }

  package func print(_ report: TestReport) {
    for file in report.files where !file.problems.hasErrors && !file.hasTests {
      console.say("note: \(file.name) has no tests")
    }
    if format != .json { tell(report) }
    switch format {
    case .text: printText(report)
    case .json: console.output.appendJSON(report.json)
    case .junit:
      for line in JUnitReport(report).lines { console.output.appendLines(line + "\n") }
      report.coverage.map { coverage in
        for line in coverage.lines + [coverage.summary] { console.say(line) }
      }
    case .tap:
      for line in TAPReport(report).lines { console.output.appendLine(line) }
    }
  }

  /// Prints the reasons why files could not be run.
  package func tell(_ report: TestReport) {
    console.report(report.pathProblems)
    for file in report.files {
      for source in file.sources { console.remember(source) }
      for name in file.sourceFiles {
        // A problem is reported even without its source text.
        guard let bytes = try? FileContents.read(name, name: name, limit: JSONLimits().bytes) else { continue }
        console.remember(SourceText(file: name, bytes: bytes))
      }
      console.report(file.problems)
    }
  }

  private func printText(_ report: TestReport) {
    for file in report.files {
      for entry in file.entries where isVerbose || entry.status != .passed {
        console.output.appendLine("\(entry.status.rawValue): \(file.name): \(entry.outcome.name)")
        guard entry.status == .failed else { continue }
        for line in entry.outcome.differences { console.output.appendLine("  \(line)") }
      }
    }
    if let coverage = report.coverage {
      for line in coverage.lines + [coverage.summary] { console.output.appendLine(line) }
    }
    let updated = report.count(.updated)
    console.output.appendLine(
      "\(report.count(.passed)) passed, \(report.count(.failed)) failed" + (updated > 0 ? ", \(updated) updated" : ""))
  }
}

extension TestReport {
  /// All of it, for machines.
  fileprivate var json: Value {
    var members: [(Value, Value)] = Status.allCases.map { (.string($0.rawValue), .int(Int64(count($0)))) }
    members.append(("tests", .list(files.flatMap { file in file.entries.map { Self.json(of: $0, file.name) } })))
    members.append(("problems", .list(problems.map(DiagnosticPrinter().json))))
    if let coverage { members.append(("coverage", coverage.json)) }
    return .map(ValueMap(members))
  }

  private static func json(of entry: Entry, _ file: String) -> Value {
    [
      "file": .string(file), "name": .string(entry.outcome.name), "status": .string(entry.status.rawValue),
      "pointer": .string("\(entry.outcome.pointer)"), "line": .int(Int64(entry.location?.line ?? 1)),
      "column": .int(Int64(entry.location?.column ?? 1)),
      "differences": .list(entry.outcome.differences.map(Value.string)),
    ]
  }
}

extension TestCoverage {
  fileprivate var json: Value {
    [
      "percentage": shownPercentage, "operators": Self.json(operators), "branches": Self.json(branches),
      "uncovered": .list(
        uncovered.map { note in
          [
            "file": .string(note.location?.file ?? ""), "line": .int(Int64(note.location?.line ?? 1)),
            "column": .int(Int64(note.location?.column ?? 1)), "pointer": .string("\(note.pointer)"),
            "message": .string(note.message),
          ]
        }),
    ]
  }

  private static func json(_ share: Share) -> Value {
    ["covered": .int(Int64(share.covered)), "total": .int(Int64(share.total))]
  }
}

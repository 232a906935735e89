internal import StreamCore
internal import StreamKit

/// A report as XML in the form of JUnit's, which build servers read: a suite for each file.
struct JUnitReport {
  let lines: [String]

  init(_ report: TestReport) {
    let tests = report.files.reduce(0) { $0 + $1.entries.count }
    let errors = report.files.count { $0.problems.hasErrors }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites name=\"streamrun\" tests=\"\(tests + errors)\" failures=\"\(report.count(.failed))\""
        + " errors=\"\(errors)\">",
    ]
    for file in report.files { lines += Self.suite(of: file) }
    self.lines = lines + ["</testsuites>"]
  }

  private static func suite(of file: TestReport.File) -> [String] {
    let name = VisibleText.markup(file.name)
    let errors = file.problems.hasErrors ? 1 : 0
    let failed = file.entries.count { $0.status == .failed }
    var lines = [
      "  <testsuite name=\"\(name)\" tests=\"\(file.entries.count + errors)\" failures=\"\(failed)\""
        + " errors=\"\(errors)\">"
    ]
    for entry in file.entries {
      let start =
        "    <testcase classname=\"\(name)\" name=\"\(VisibleText.markup(entry.outcome.name))\" file=\"\(name)\""
        + " line=\"\(entry.location?.line ?? 1)\""
      guard entry.status == .failed else {
        lines.append(start + "/>")
        continue
      }
      lines.append(start + ">")
      lines += element("failure", saying: "the actual output differs from the expectation", entry.outcome.differences)
      lines.append("    </testcase>")
    }
    if file.problems.hasErrors, let first = file.problems.all.first {
      lines.append("    <testcase classname=\"\(name)\" name=\"the file can be run\" file=\"\(name)\">")
      let printer = DiagnosticPrinter()
      lines += element("error", saying: first.message, file.problems.all.map { printer.text($0) })
      lines.append("    </testcase>")
    }
    return lines + ["  </testsuite>"]
  }

  private static func element(_ tag: String, saying message: String, _ text: [String]) -> [String] {
    let content = VisibleText.markup(text.joined(separator: "\n"))
    return ["      <\(tag) message=\"\(VisibleText.markup(message))\">\(content)</\(tag)>"]
  }
}

/// A report in the Test Anything Protocol, version 14.
struct TAPReport {
  let lines: [String]

  init(_ report: TestReport) {
    var points: [(isGood: Bool, what: String, why: [String])] = []
    for file in report.files {
      for entry in file.entries {
        points.append(
          (
            entry.status != .failed, "\(file.name): \(entry.outcome.name)",
            entry.status == .failed ? entry.outcome.differences : []
          ))
      }
      if file.problems.hasErrors {
        points.append((false, "\(file.name): the file can be run", file.problems.all.map(\.message)))
      }
    }
    var lines = ["TAP version 14", "1..\(points.count)"]
    for (index, point) in points.enumerated() {
      lines.append("\(point.isGood ? "ok" : "not ok") \(index + 1) - \(Self.escaped(point.what))")
      guard !point.why.isEmpty else { continue }
      lines += ["  ---", "  differences: |2"] + point.why.map { "    \(VisibleText.line($0))" } + ["  ..."]
    }
    if let coverage = report.coverage { lines += (coverage.lines + [coverage.summary]).map { "# \($0)" } }
    self.lines = lines
  }

  /// Escapes characters that would begin a directive or end a line.
  private static func escaped(_ text: String) -> String {
    VisibleText.line(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }
}

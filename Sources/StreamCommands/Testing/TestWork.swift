internal import StreamCore
internal import StreamKit

/// Runs the tests of a file.
struct TestWork: Sendable {
  /// What the name of a test has to contain; nil for any.
  let filter: String?
  /// Whether expectations that fail are written anew.
  let updates: Bool
  /// Whether it is told what the tests exercise.
  let measures: Bool

  /// The name of a file in reports.
  static func name(of path: String) -> String { path == StandardInput.argument ? StandardInput.name : path }

  func report(of path: String) -> TestReport.File {
    let loader = FileLoader()
    var report = TestReport.File(name: Self.name(of: path))
    do throws(Diagnostics) {
      try run(path, loader, &report)
    } catch {
      report.problems = error
      report.sources = loader.sources
    }
    return report
  }

  private func run(_ path: String, _ loader: FileLoader, _ report: inout TestReport.File) throws(Diagnostics) {
    let stream = try loader.load(path)
    report.hasTests = !stream.model.tests.isEmpty
    var options = CompileOptions(loader: loader, files: loader)
    if measures { options.coverage = CoverageRecorder() }
    // Without tests the file is checked all the same; and what tests replace is there to be exercised by others.
    if !report.hasTests || measures {
      var host = options
      if report.hasTests { host.host = .any }
      _ = try stream.compile(host)
    }
    let outcomes = try TestRunner(stream, options: options).run { name in filter.map(name.contains) ?? true }
    report.entries = outcomes.map { outcome in
      let place = stream.document.range(of: outcome.pointer)
      return TestReport.Entry(
        outcome: outcome, location: stream.document.source.location(of: place),
        status: outcome.hasPassed ? .passed : .failed)
    }
    if updates { try update(stream, options, &report) }
    report.coverage = options.coverage.map { TestCoverage($0, in: stream.document) }
  }

  /// Makes the text with new expectations: where nothing has changed byte for byte as it was.
  private func update(
    _ stream: LoadedStream, _ options: CompileOptions, _ report: inout TestReport.File
  ) throws(Diagnostics) {
    var edits: [StreamEdit] = []
    for (number, entry) in report.entries.enumerated() where entry.status == .failed {
      guard let more = entry.outcome.updatingEdits(in: stream.document) else { continue }
      edits += more
      report.entries[number].status = .updated
    }
    guard !edits.isEmpty else { return }
    var options = options
    options.coverage = nil
    options.host = .any
    var editor = StreamEditor(stream.document, identity: stream.identity, options: options)
    try editor.apply(edits)
    report.newText = editor.document.source.bytes
  }
}

internal import StreamCore
internal import StreamKit
internal import StreamRuntime

/// Runs the tests of a file.
struct TestWork: Sendable {
  let access: FileAccess
  /// What the name of a test has to contain; nil for any.
  let filter: String?
  /// Whether expectations that fail are written anew.
  let updates: Bool
  /// Whether it is told what the tests exercise.
  let measures: Bool
  /// How many steps each test may take without an event.
  let budget: Int
  /// The most memory that the process may take.
  let memory: ByteCount

  init(
    access: FileAccess = FileAccess(), filter: String? = nil, updates: Bool = false, measures: Bool = false,
    budget: Int = WorkLimit.defaultBudget, memory: ByteCount = MemoryOptions.standardMemory
  ) {
    self.access = access
    self.filter = filter
    self.updates = updates
    self.measures = measures
    self.budget = budget
    self.memory = memory
  }

  /// The name of a file in reports.
  static func name(of path: String) -> String { path == StandardInput.argument ? StandardInput.name : path }

  func report(of path: String) -> TestReport.File {
    let loader = FileLoader(access)
    var report = TestReport.File(name: Self.name(of: path))
    do throws(Diagnostics) {
      if !Interruption.hasHappened { try run(path, loader, &report) }
    } catch {
      report.problems = error
      report.sources = loader.sources
    }
    report.isInterrupted = Interruption.hasHappened
    return report
  }

  private func run(_ path: String, _ loader: FileLoader, _ report: inout TestReport.File) throws(Diagnostics) {
    // NB: before the file is read: a change while it is read counts as one after that.
    if updates { report.stamp = FileStamp(path) }
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
    var runner = TestRunner(stream, options: options)
    runner.workLimit = .command(budget: budget, memory: memory)
    let outcomes = try runner.run { name in filter.map(name.contains) ?? true }
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

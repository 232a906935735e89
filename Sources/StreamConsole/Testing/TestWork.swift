internal import StreamCore
package import StreamDriving
internal import StreamEditing
internal import StreamEngine
package import StreamFiles
internal import StreamKit
internal import Synchronization

/// Runs the tests of a file.
package struct TestWork: Sendable {
  let access: FileAccess
  /// A text that the name of a test has to contain; nil for any.
  let filter: String?
  /// Whether to update failing expectations.
  let updates: Bool
  /// Whether to measure coverage.
  let measures: Bool
  /// The arguments with which the files are compiled.
  package let arguments: CompileArguments
  /// Maximum number of steps of a test without an event.
  let budget: Int
  /// The most memory that the process may take.
  let memory: ByteCount
  /// Texts that stand for files.
  let texts: NamedTexts?
  /// Bounds of all tests of a file together; nil for none.
  let bounds: TestBounds?

  package init(
    access: FileAccess = FileAccess(), filter: String? = nil, updates: Bool = false, measures: Bool = false,
    arguments: CompileArguments = CompileArguments(), budget: Int = RunLimits.defaultBudget,
    memory: ByteCount = .standardMemoryFromNow, texts: NamedTexts? = nil, bounds: TestBounds? = nil
  ) {
    self.access = access
    self.filter = filter
    self.updates = updates
    self.measures = measures
    self.arguments = arguments
    self.budget = budget
    self.memory = memory
    self.texts = texts
    self.bounds = bounds
  }

  /// The name of a file in reports.
  static func name(of path: String) -> String { path == StandardInput.argument ? StandardInput.name : path }

  /// Whether a path leads to the same bytes when it is read once more: standard input and other pipes do not.
  static func canReadAgain(_ path: String) -> Bool {
    path != StandardInput.argument && (try? FileStatus(path))?.kind == .regular
  }

  package func report(of path: String) -> TestReport.File {
    let loader = FileLoader(access, texts: texts, checking: CompileBound(memory: memory).check)
    var report = TestReport.File(name: Self.name(of: path))
    do throws(Diagnostics) {
      if !Interruption.hasHappened { try run(path, loader, &report) }
    } catch {
      report.problems = error
      if error.all.contains(where: { $0.code == .limitExceeded }) { report.hasExhaustedMemory = true }
    }
    if !report.problems.isEmpty {
      let files = Set(report.problems.all.compactMap(\.location?.file))
      for source in loader.sources where files.contains(source.file) {
        // A message between processes does not have to hold the text of a large file.
        if Self.canReadAgain(source.file) {
          report.sourceFiles.append(source.file)
        } else {
          report.sources.append(source)
        }
      }
    }
    report.isInterrupted = Interruption.hasHappened
    return report
  }

  private func run(_ path: String, _ loader: FileLoader, _ report: inout TestReport.File) throws(Diagnostics) {
    // NB: before the file is read: a change while it is read counts as one after that.
    if updates { report.stamp = FileStamp(path) }
    let stream = try loader.load(path)
    let tests = stream.model.placedTests
    let meter = try bounds.map { bounds throws(Diagnostics) in try TestMeter(bounds, of: tests.count) }
    report.hasTests = !tests.isEmpty
    report.parameters = stream.model.parameters.names
    var options = arguments.options(for: stream.model, loader, host: StreamHost())
    if measures { options.coverage = CoverageRecorder() }
    // A file without tests is checked too, and so are the sources that its tests replace.
    if !report.hasTests || measures {
      var host = options
      host.host.isInspecting = true
      if report.hasTests { host.host = .any }
      _ = try stream.compile(host)
    }
    var runner = TestRunner(stream, options: options)
    let memoryLog = MemoryLog()
    runner.workLimit = memoryLog.watching(.command(budget: budget, memory: memory))
    if let meter { runner.workLimit = meter.watching(runner.workLimit) }
    defer { report.hasExhaustedMemory = memoryLog.isExhausted }
    // A file that has exceeded the bounds is refused: no further test is prepared.
    let outcomes = try runner.run { name in meter?.problem == nil && filter.map(name.contains) ?? true }
    if let problem = meter?.problem { throw Diagnostics(.workExceeded, problem) }
    report.entries = outcomes.map { outcome in
      let place = stream.document.range(of: outcome.pointer)
      return TestReport.Entry(
        outcome: outcome, location: stream.document.source.location(of: place),
        status: outcome.hasPassed ? .passed : .failed)
    }
    let explanation = FailureExplanation(stream: stream, loader: loader)
    // The times of one test are enough for a warning.
    let times = outcomes.flatMap(\.warnings).prefix(1)
    report.problems = Diagnostics(
      stream.remarks(loader, arguments) + times
        + Execution.DroppedValues.sums(of: outcomes.flatMap(\.drops).filter { $0.reason != .ended })
        .map(explanation.diagnostic))
    if updates { try update(stream, options, &report) }
    report.coverage = options.coverage.map { TestCoverage($0, in: stream.document) }
  }

  /// Creates the text with updated expectations; all other bytes are unchanged.
  private func update(
    _ stream: StreamFile, _ options: CompileOptions, _ report: inout TestReport.File
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

/// Remembers whether a run ended because of the memory that the process takes.
private final class MemoryLog: Sendable {
  private let log = Atomic<Bool>(false)

  var isExhausted: Bool { log.load(ordering: .relaxed) }

  /// Returns the limit, with its failures recorded in this log.
  func watching(_ limit: RunLimits) -> RunLimits {
    var watched = limit
    watched.check = {
      let failure = limit.check?()
      if failure?.code == DiagnosticCode.limitExceeded.rawValue { self.log.store(true, ordering: .relaxed) }
      return failure
    }
    return watched
  }
}

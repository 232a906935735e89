internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit

/// `streamrun test PATH...`: runs the tests in stream files.
struct Test: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Runs the tests in stream files.",
    discussion: """
      Tests run in virtual time and never wait. For a directory, the tests of all its stream files are run. --set is for \
      every file that declares the parameter; a test's own 'parameters' take precedence. The exit code is 1 if a test \
      fails or the coverage is too low, and 2 if a file is invalid.

      Examples:
        streamrun test stream.json
        streamrun test Streams --verbose
        streamrun test Streams --filter order --format junit > report.xml
        streamrun test Streams --coverage --coverage-below 90
        streamrun test stream.json --set quiet=10 --seed 7
        streamrun test stream.json --update       accept the actual output as expected
      """)

  @OptionGroup var named: NamedPaths

  @Flag(name: .shortAndLong, help: "Also prints the tests that pass.")
  var verbose = false

  @Option(help: ArgumentHelp("Runs only the tests whose name contains this.", valueName: "text"))
  var filter: String?

  @Option(help: "Output format: text, json, junit (XML) or tap (TAP 14).")
  var format = TestFormat.text

  @Flag(help: "Replaces failing expectations in the files with the actual output; review the changes.")
  var update = false

  @Flag(help: "Reports operators and branches of ?:, && and || that no test exercises.")
  var coverage = false

  @Option(help: ArgumentHelp("Fails if less than this percentage is covered.", valueName: "percentage"))
  var coverageBelow: Double?

  @Option(name: .shortAndLong, help: "Number of files tested at once. (default: the number of cores)")
  var jobs: Int?

  @OptionGroup var arguments: CompileArgumentOptions
  @OptionGroup var limits: WorkOptions
  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var memoryLimit: ByteCount { limits.memory.memory }
  var access: FileAccess { reading.access(naming: named.paths) }

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs is \(jobs); expected 1 or more") }
    if let coverageBelow, !(0...100).contains(coverageBelow) {
      throw ValidationError("--coverage-below is \(coverageBelow); expected a percentage from 0 to 100")
    }
    if update, named.paths.contains(StandardInput.argument) {
      throw ValidationError("standard input cannot be written in place")
    }
    if update, coverage || coverageBelow != nil {
      throw ValidationError("--update and --coverage cannot be combined")
    }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let (files, problems) = try NamedStreamFiles.find(named, console)
    let work = TestWork(
      access: access, filter: filter, updates: update, measures: coverage || coverageBelow != nil,
      arguments: try arguments.arguments(isShared: files.count > 1), budget: limits.budget,
      memory: limits.memory.memory)
    let supervisor = TestSupervisor(work: work, jobs: jobs ?? Parallel.coreCount)
    var report = TestReport(files: supervisor.reports(of: files), pathProblems: problems)
    let unfinishedCount = report.files.count(where: \.isInterrupted)
    if unfinishedCount > 0 {
      // The report covers the finished files, and no file is written.
      report.files.removeAll(where: \.isInterrupted)
      TestPrinter(format: format, isVerbose: verbose, console: console).print(report)
      console.say("interrupted: \(unfinishedCount.counted("file")) of \(files.count) not tested")
      return ExitCode.interrupted
    }
    if !report.isWrong { try work.arguments.requireDeclared(by: report.parameters) }
    try requireSome(in: report)
    write(files, &report, console)
    TestPrinter(format: format, isVerbose: verbose, console: console).print(report)
    if report.isWrong { return ExitCode.wrong }
    if let coverageBelow, let coverage = report.coverage, coverage.percentage < coverageBelow {
      let wanted = JSONWriter.compact(Int64(exactly: coverageBelow).map(Value.int) ?? .double(coverageBelow))
      console.say("\(coverage.percentageText) % is covered, less than the required \(wanted) %")
      return ExitCode.failed
    }
    return report.count(.failed) > 0 ? ExitCode.failed : ExitCode.good
  }

  /// A filter that lets nothing through is a mistake, not a success.
  private func requireSome(in report: TestReport) throws(Diagnostics) {
    guard let filter, !report.isWrong, report.files.allSatisfy(\.entries.isEmpty) else { return }
    throw Diagnostics(
      .invalidArgument, "there is no test whose name contains '\(filter)'",
      help: "'streamrun test PATH --verbose' lists all tests")
  }

  /// Writes new expectations into their files.
  private func write(_ files: [String], _ report: inout TestReport, _ console: Console) {
    // A file that is named twice is written once.
    var written: [String: [UInt8]] = [:]
    for (number, file) in files.enumerated() {
      guard let text = report.files[number].newText else { continue }
      do throws(Diagnostics) {
        let identity = (try? Path.real(file)) ?? file
        if written[identity] == text { continue }
        // NB: No lock is held while the tests run; the stamp shows whether the file has changed since then.
        let lock = try FileLock.take(editing: file, telling: console.say)
        try ResultFile.replace(file, with: text, console, holding: lock, since: report.files[number].stamp)
        written[identity] = text
      } catch {
        report.files[number].problems.append(contentsOf: error)
        for index in report.files[number].entries.indices where report.files[number].entries[index].status == .updated {
          report.files[number].entries[index].status = .failed
        }
      }
    }
  }
}

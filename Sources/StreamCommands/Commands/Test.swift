internal import ArgumentParser
internal import StreamCore
internal import StreamKit

/// `streamrun test PATH...`: runs the tests that stand in stream files.
struct Test: ConsoleCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the tests that stand in stream files.",
    discussion: """
      Tests run in virtual time and never wait. Of a directory the tests of all *.json are run.

      Examples:
        streamrun test stream.json
        streamrun test Streams --verbose
      """)

  @Argument(help: "Stream files, or directories of them; - is standard input.", completion: .file())
  var paths: [String]

  @Flag(name: .shortAndLong, help: "Prints the tests that pass, too.")
  var verbose = false

  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let (files, problems) = StreamFiles.find(paths)
    console.report(problems)
    var tally = Tally(isWrong: problems.hasErrors)
    for file in files { run(file, &tally, console) }
    console.output.appendLine("\(tally.passed) passed, \(tally.failed) failed")
    return tally.isWrong ? ExitCode.wrong : tally.failed > 0 ? ExitCode.failed : ExitCode.good
  }

  /// What has become of the tests so far.
  private struct Tally {
    var passed = 0
    var failed = 0
    /// Whether a file could not be read or compiled.
    var isWrong = false
  }

  private func run(_ file: String, _ tally: inout Tally, _ console: Console) {
    let loader = FileLoader()
    do throws(Diagnostics) {
      let stream = try loader.load(file)
      let options = CompileOptions(loader: loader, files: loader)
      if stream.model.tests.isEmpty {
        _ = try stream.compile(options)
        console.say("note: \(stream.document.file) has no tests")
      }
      for outcome in try TestRunner(stream, options: options).run() {
        tally.passed += outcome.hasPassed ? 1 : 0
        tally.failed += outcome.hasPassed ? 0 : 1
        print(outcome, of: stream.document.file, on: console)
      }
    } catch {
      tally.isWrong = true
      for source in loader.sources { console.remember(source) }
      console.report(error)
    }
  }

  private func print(_ outcome: TestOutcome, of file: String, on console: Console) {
    guard verbose || !outcome.hasPassed else { return }
    console.output.appendLine("\(outcome.hasPassed ? "passed" : "failed"): \(file): \(outcome.name)")
    for line in outcome.differences { console.output.appendLine("  \(line)") }
  }
}

internal import StreamCore
internal import StreamKit

/// Runs the tests of several files in another process, so that a file that ends its process costs no other's results.
///
/// One process runs all files for as long as it lives. If it dies, the files that it was at are run again, each in a
/// process of its own: the one whose process dies again is to blame. A new process goes on with the rest.
struct TestSupervisor {
  let work: TestWork
  /// The most files that are tested at once.
  let jobs: Int

  /// The reports in the order of the files.
  func reports(of files: [String]) -> [TestReport.File] {
    guard files.count > 1, let program = ProgramFile.path else { return reportsHere(of: files) }
    var reports: [Int: TestReport.File] = [:]
    var rest = Array(files.indices)
    while !rest.isEmpty, !Interruption.hasHappened {
      let run = self.run(program, rest, of: files)
      reports.merge(run.reports) { first, _ in first }
      guard !Interruption.hasHappened, let end = run.end else { break }
      for number in run.unfinished {
        // Standard input cannot be read again.
        guard run.unfinished.count > 1, files[number] != StandardInput.argument else {
          reports[number] = Self.lost(files[number], end)
          continue
        }
        let alone = self.run(program, [number], of: files)
        if Interruption.hasHappened { break }
        reports[number] = alone.reports[number] ?? Self.lost(files[number], alone.end ?? end)
      }
      let left = rest.filter { reports[$0] == nil }
      // A process that ends before it begins would do so again.
      if left.count == rest.count { break }
      rest = left
    }
    // If the program has been asked to stop, these reports say so.
    let missing = files.indices.filter { reports[$0] == nil }
    for (number, report) in zip(missing, reportsHere(of: missing.map { files[$0] })) { reports[number] = report }
    return files.indices.compactMap { reports[$0] }
  }

  private func reportsHere(of files: [String]) -> [TestReport.File] {
    Parallel.map(files.count, jobs: jobs) { work.report(of: files[$0]) }
  }

  /// The outcome of one process.
  private struct Run {
    var reports: [Int: TestReport.File] = [:]
    /// The files that it began and did not finish.
    var unfinished: [Int] = []
    /// How it ended; nil if it did everything.
    var end: ChildProcess.End?
  }

  /// Runs the tests of the files with these numbers in a new process, until the program is asked to stop.
  private func run(_ program: String, _ numbers: [Int], of files: [String]) -> Run {
    var run = Run()
    let wanted = Set(numbers)
    guard let child = try? ChildProcess(program, [TestWorker.argument]) else {
      run.end = .exit(0)
      return run
    }
    defer { child.close() }
    let order = TestOrder(files: numbers.map { ($0, files[$0]) }, work: work, jobs: jobs)
    // If the child is gone already, its end tells.
    try? child.requests.write(JSONWriter.compact(order.value) + "\n")
    var lines = MessageLines(child.replies)
    do throws(SystemError) {
      while let message = try lines.next() {
        guard case .int(let number)? = message.member("number"), wanted.contains(Int(number)) else { continue }
        if let value = message.member("report") {
          run.reports[Int(number)] = TestReport.File(value, name: TestWork.name(of: files[Int(number)]))
          run.unfinished.removeAll { $0 == Int(number) }
        } else {
          run.unfinished.append(Int(number))
        }
      }
    } catch {
      child.kill()
    }
    let end = child.wait()
    if run.reports.count < numbers.count { run.end = end }
    return run
  }

  /// The report of a file whose tests ended their process.
  private static func lost(_ path: String, _ end: ChildProcess.End) -> TestReport.File {
    let name = TestWork.name(of: path)
    var report = TestReport.File(name: name)
    report.problems.append(
      Diagnostic(
        .testsEnded, "the process that ran the tests of '\(name)' ended by \(end.text)",
        help: "this is a defect of streamrun, or the memory was exhausted; please report it"))
    return report
  }
}

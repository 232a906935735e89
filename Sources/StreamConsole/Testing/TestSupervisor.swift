internal import StreamCore
internal import StreamFiles
internal import Synchronization

/// Runs the tests of several files in child processes, so that a file that ends its process, or exhausts its memory,
/// does not affect the results of other files.
///
/// There are as many processes as files are tested at once; each runs one file after another. If a process ends, or has
/// exceeded its memory limit, its current file is run again in a new process, unless it was the first file there: the
/// memory used by earlier files must not count.
package struct TestSupervisor {
  private let work: TestWork
  private let jobs: Int

  /// - Parameter jobs: The most files that are tested at once.
  package init(work: TestWork, jobs: Int) {
    self.work = work
    self.jobs = jobs
  }

  /// The reports in the order of the files.
  package func reports(of files: [String]) -> [TestReport.File] {
    guard files.count > 1, let program = ProgramFile.path else {
      return Parallel.map(files.count, jobs: jobs) { work.report(of: files[$0]) }
    }
    let workers = Workers(program, work)
    defer { workers.close() }
    return Parallel.map(files.count, jobs: jobs) { workers.report(of: files[$0]) }
  }

  /// The processes that run tests.
  private final class Workers: Sendable {
    private let program: String
    private let work: TestWork
    /// The idle processes.
    private let idle = Mutex<[Worker]>([])

    init(_ program: String, _ work: TestWork) { (self.program, self.work) = (program, work) }

    /// Runs the tests of a file, until the program is asked to stop. May be called by several threads at once.
    func report(of path: String) -> TestReport.File {
      if let worker = idle.withLock({ $0.popLast() }) {
        let outcome = run(path, worker)
        guard outcome.isInDoubt, !Interruption.hasHappened, TestWork.canReadAgain(path) else {
          return report(of: path, outcome)
        }
      }
      // If the program has been asked to stop, the report of this process includes that, as it does without another
      // process.
      guard !Interruption.hasHappened, let worker = Worker(program, work) else { return work.report(of: path) }
      return report(of: path, run(path, worker))
    }

    private func run(_ path: String, _ worker: Worker) -> Worker.Outcome {
      var worker = worker
      let outcome = worker.run(path)
      if !worker.isClosed { idle.withLock { $0.append(worker) } }
      return outcome
    }

    private func report(of path: String, _ outcome: Worker.Outcome) -> TestReport.File {
      switch outcome {
      case .report(let report): report
      // A process that ends before it begins would do so again.
      case .notBegun, .interrupted: work.report(of: path)
      case .lost(let why): Self.lost(path, why)
      }
    }

    func close() { for worker in idle.withLock({ $0 }) { worker.child.close() } }

    /// The report of a file whose tests ended their process.
    private static func lost(_ path: String, _ why: String) -> TestReport.File {
      let name = TestWork.name(of: path)
      var report = TestReport.File(name: name)
      report.problems.append(
        Diagnostic(
          .testsEnded, "the process that ran the tests of '\(name)' \(why)",
          help: "this is a bug in streamrun, or the memory was exhausted; please report it"))
      return report
    }
  }

  /// A process that runs tests.
  private struct Worker {
    let child: ChildProcess
    private var lines: MessageLines
    private(set) var isClosed = false

    /// The outcome of one file.
    enum Outcome {
      case report(TestReport.File)
      /// The process ended before it began with the file.
      case notBegun
      /// The process ended, or behaved as described.
      case lost(String)
      case interrupted

      /// Whether it may be due to files that the process ran before.
      var isInDoubt: Bool {
        switch self {
        case .report(let report): report.hasExhaustedMemory
        case .notBegun, .lost: true
        case .interrupted: false
        }
      }
    }

    /// Starts a process; nil if it cannot be started.
    init?(_ program: String, _ work: TestWork) {
      guard let child = try? ChildProcess(program, TestWorker.arguments) else { return nil }
      self.child = child
      lines = MessageLines(child.replies)
      send(work.coded)
    }

    private func send(_ message: Value) {
      // If the process has exited, its exit status shows that.
      try? child.requests.write(JSONWriter.compact(message) + "\n")
    }

    /// Runs the tests of a file. The process is closed unless it can run those of another one.
    mutating func run(_ path: String) -> Outcome {
      send(.string(path))
      var hasBegun = false
      do throws(SystemError) {
        while let message = try lines.next() {
          guard let value = message.member("report") else {
            hasBegun = true
            continue
          }
          guard let report = TestReport.File(coded: value, name: TestWork.name(of: path)) else {
            throw .unreadableMessage
          }
          if report.hasExhaustedMemory { close() }
          return .report(report)
        }
      } catch {
        child.kill()
        close()
        return error == .unreadableMessage ? .lost("sent a report that cannot be read") : .interrupted
      }
      let end = close()
      return hasBegun ? .lost("ended by \(end.text)") : .notBegun
    }

    @discardableResult
    private mutating func close() -> ChildProcess.End {
      isClosed = true
      return child.close()
    }
  }
}

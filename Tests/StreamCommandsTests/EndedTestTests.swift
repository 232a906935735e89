import StreamCore
import Synchronization
import Testing

@testable import StreamCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// `streamrun test` tells what all files do, also if the tests of one end their process.
@Suite struct EndedTestTests {
  @Test("A report is the same after it has been handed from one process to the other", arguments: [false, true])
  func coding(_ measures: Bool) throws {
    let folder = Fixture.package + "/Tests/StreamCommandsTests"
    let names = ["Broken", "Failing"].flatMap { part in
      Fixture.names(in: "\(folder)/\(part)", ending: ".json").map { "\(folder)/\(part)/\($0).json" }
    }
    #expect(names.count > 20)
    for name in names {
      let report = TestWork(filter: nil, updates: !measures, measures: measures).report(of: name)
      let text = JSONWriter.compact(report.value)
      let read = try #require(TestReport.File(JSONDocument(reading: text, file: "message").value, name: report.name))
      let again = read.value
      #expect(again == report.value)
      #expect(read.problems.all == report.problems.all)
      #expect(read.entries.map(\.location) == report.entries.map(\.location))
      #expect(read.newText == report.newText)
      #expect(read.coverage == report.coverage)
    }
  }

  #if os(Linux)
    private static let good = #"{"stream":[{"value":1}],"tests":[{"name":"one","expect":{"values":[1]}}]}"#
    private static let wrong = #"{"stream":[{"value":1}],"tests":[{"name":"two","expect":{"values":[2]}}]}"#
    private static let endless =
      #"{"source":{"timer":{"every":0.001}},"operators":[{"ignoreOutput":{}}],"#
      + #""tests":[{"name":"endless","expect":{"values":[]}}]}"#

    @Test("The results of the other files are told", arguments: ["1", "2"], ["text", "json", "junit", "tap"])
    func killed(_ jobs: String, _ format: String) {
      let outcome = Self.run(["test", ".", "--jobs", jobs, "--format", format]) { _, worker in kill(worker, SIGKILL) }
      #expect(outcome.code == 2)
      let all = outcome.output + outcome.errors
      #expect(all.contains("the process that ran the tests of 'endless.json' ended by signal 9, killed"))
      switch format {
      case "text":
        #expect(outcome.output.hasSuffix("2 passed, 1 failed\n"))
        #expect(outcome.errors.contains("error S509: "))
      case "json":
        #expect(outcome.output.contains("\"passed\": 2"))
        #expect(outcome.output.contains("\"failed\": 1"))
      case "junit":
        #expect(outcome.output.contains(#"tests="4" failures="1" errors="1""#))
      default:
        #expect(outcome.output.contains("1..4"))
      }
    }

    @Test("A signal that asks the program to stop ends both processes")
    func interrupted() {
      let started = Mutex<pid_t>(0)
      let outcome = Self.run(["test", "."]) { program, worker in
        started.withLock { $0 = worker }
        kill(program, SIGINT)
      }
      #expect(outcome.code == 130)
      #expect(outcome.errors.contains("interrupted: "))
      #expect(!outcome.output.contains("endless"))
      let worker = started.withLock { $0 }
      #expect(worker > 0)
      #expect(kill(worker, 0) == -1)
      #expect(errno == ESRCH)
    }

    @Test("A worker ends when the program is killed")
    func orphaned() {
      let started = Mutex<pid_t>(0)
      let outcome = Self.run(["test", "."]) { program, worker in
        started.withLock { $0 = worker }
        kill(program, SIGKILL)
      }
      #expect(outcome.code == 137)
      let worker = started.withLock { $0 }
      // It notices at once; the system takes its time to let it.
      var isGone = false
      for _ in 0..<2_000 where !isGone {
        isGone = kill(worker, 0) == -1 || Self.state(of: worker) == "Z"
        if !isGone { poll(nil, 0, 5) }
      }
      #expect(isGone)
    }

    /// Runs the program over a folder in which one file's tests do not end. `act` is called with the program's process
    /// and its worker's when that has worked for a second, which it does on that file alone.
    private static func run(_ arguments: [String], _ act: (pid_t, pid_t) -> Void) -> Outcome {
      let (folder, files) = (Fixture.Folder(), Fixture.Folder())
      folder.add("a.json", good)
      folder.add("endless.json", endless)
      folder.add("wrong.json", wrong)
      folder.add("z.json", good)
      let child = Child(
        arguments, input: Subprocess.openRead("/dev/null"), output: Subprocess.openWrite(files.path("output")),
        errors: Subprocess.openWrite(files.path("errors")), in: folder.path)
      var acted: Set<pid_t> = []
      while state(of: child.id) != "Z", acted.count < 4 {
        for worker in workers(of: child.id) where !acted.contains(worker) && seconds(of: worker) >= 1 {
          acted.insert(worker)
          act(child.id, worker)
        }
        poll(nil, 0, 5)
      }
      let code = child.wait()
      return Outcome(
        output: Fixture.read(files.path("output")), errors: Fixture.read(files.path("errors")), code: code)
    }

    private static func workers(of program: pid_t) -> [pid_t] {
      Fixture.read("/proc/\(program)/task/\(program)/children").split(separator: " ").compactMap { pid_t($0) }
    }

    /// The fields of a process behind its name; the first is its state.
    private static func status(of process: pid_t) -> [Substring] {
      let text = Fixture.read("/proc/\(process)/stat")
      guard let end = text.lastIndex(of: ")") else { return [] }
      return text[text.index(after: end)...].split(separator: " ")
    }

    private static func state(of process: pid_t) -> Substring { status(of: process).first ?? "Z" }

    /// The processor time that a process has used.
    private static func seconds(of process: pid_t) -> Double {
      let fields = status(of: process)
      guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
      return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
  #endif
}

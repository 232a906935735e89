import StreamCore
import Synchronization
import TestSupport
import Testing

@testable import StreamCommands
@testable import StreamConsole
@testable import StreamDriving
@testable import StreamFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// `streamrun test` reports the results of all files, even if a test ends its process.
@Suite struct EndedTestTests {
  @Test("The arguments of a worker are not those of a person")
  func bareArgument() {
    let outcome = Subprocess.run(["--run-tests-for-supervisor"])
    #expect(outcome.errors.contains("Usage: streamrun"))
    #expect(outcome.code == 2)
  }

  @Test("Files that the shell has opened are tested", arguments: ["1", "2"])
  func descriptors(_ jobs: String) {
    let folder = Fixture.Folder()
    for name in ["a", "b", "c"] {
      folder.add(
        "\(name).json", #"{"stream":[{"value":1}],"tests":[{"name":"one","expect":{"values":[1]}}]}"#)
    }
    let output = Subprocess.shell(
      "streamrun test a.json /dev/fd/3 /dev/fd/4 --jobs \(jobs) --verbose 3<b.json 4<c.json", in: folder.path)
    #expect(
      output == "passed: a.json: one\npassed: /dev/fd/3: one\npassed: /dev/fd/4: one\n3 passed, 0 failed\n")
  }

  @Test("The memory of one file's tests does not fail those of another", arguments: ["1", "2"])
  func memory(_ jobs: String) {
    let folder = Fixture.Folder()
    let long = String(repeating: "a", count: 60)
    folder.add(
      "greedy.json",
      """
      {"source": {"range": {"from": 1, "through": 100000000}},
       "operators": [{"map": {"expression": "string(value) + '\(long)'"}}, {"collect": {"limit": 100000000}}],
       "tests": [{"name": "t", "expect": {"values": []}}]}
      """)
    folder.add(
      "modest.json",
      """
      {"source": {"range": {"from": 1, "through": 40000}}, "operators": [{"last": {}}],
       "tests": [{"name": "t", "expect": {"values": [40000]}}]}
      """)
    let outcome = Subprocess.run(
      ["test", "greedy.json", "modest.json", "--jobs", jobs, "--memory", "150MB", "--verbose"], in: folder.path)
    #expect(outcome.output.hasPrefix("failed: greedy.json: t\n"))
    #expect(outcome.output.contains("--memory allows at most 150MB"))
    #expect(outcome.output.hasSuffix("passed: modest.json: t\n1 passed, 1 failed\n"))
    #expect(outcome.code == 1)
  }

  #if os(Linux)
  private static let good = #"{"stream":[{"value":1}],"tests":[{"name":"one","expect":{"values":[1]}}]}"#
  private static let wrong = #"{"stream":[{"value":1}],"tests":[{"name":"two","expect":{"values":[2]}}]}"#
  private static let endless =
    #"{"source":{"timer":{"every":0.001}},"operators":[{"ignoreOutput":{}}],"#
    + #""tests":[{"name":"endless","expect":{"values":[]}}]}"#

  @Test(
    "The results of the other files are reported",
    arguments: [("1", "text"), ("2", "text"), ("2", "json"), ("1", "junit"), ("2", "tap")])
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
    // It notices at once; the system takes its time to let it, a minute at most.
    var isGone = false
    for _ in 0..<12_000 where !isGone {
      isGone = kill(worker, 0) == -1 || Child.state(of: worker) == "Z"
      if !isGone { poll(nil, 0, 5) }
    }
    #expect(isGone)
  }

  /// Runs the program over a folder in which one file's tests do not end. `act` is called with the program's process
  /// and its worker's when that has worked for a second, which it does on that file alone: no budget ends it.
  private static func run(_ arguments: [String], _ act: (pid_t, pid_t) -> Void) -> Outcome {
    let (folder, files) = (Fixture.Folder(), Fixture.Folder())
    folder.add("a.json", good)
    folder.add("endless.json", endless)
    folder.add("wrong.json", wrong)
    folder.add("z.json", good)
    let child = Child(
      arguments + ["--budget", "1000000000000"], input: Subprocess.openRead("/dev/null"),
      output: Subprocess.openWrite(files.path("output")),
      errors: Subprocess.openWrite(files.path("errors")), in: folder.path)
    var acted: Set<pid_t> = []
    while Child.state(of: child.id) != "Z", acted.count < 4 {
      for worker in workers(of: child.id) where !acted.contains(worker) && Child.seconds(of: worker) >= 1 {
        acted.insert(worker)
        act(child.id, worker)
      }
      poll(nil, 0, 5)
    }
    let code = child.wait()
    return Outcome(
      output: Fixture.read(files.path("output")), errors: Fixture.read(files.path("errors")), code: code)
  }

  private static func workers(of program: pid_t) -> [pid_t] { Child.children(of: program) }
  #endif
}

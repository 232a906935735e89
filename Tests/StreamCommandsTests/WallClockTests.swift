import TestSupport
import Testing

@testable import StreamCommands
@testable import StreamDriving
@testable import StreamFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The behavior that needs a real clock: output before the input has ended, closed pipes, interruptions.
@Suite(.serialized) struct WallClockTests {
  private let folder = Fixture.Folder()

  private func start(_ stream: String, _ arguments: [String] = [], input: Int32, output: Int32) -> Child {
    folder.add("s.json", stream)
    return Child(
      ["s.json"] + arguments, input: input, output: output, errors: Subprocess.openWrite(folder.path("errors")),
      in: folder.path)
  }

  @Test("The first value is printed before the input has ended")
  func early() {
    let (input, output) = (Pipe(), Pipe())
    let child = start(RunTests.pass, input: input.reader, output: output.writer)
    input.write("1\n2")
    #expect(output.read(through: "1\n") == "1\n")
    input.write("3\n")
    #expect(output.read(through: "23\n") == "23\n")
    close(input.writer)
    #expect(child.wait() == 0)
    close(output.reader)
  }

  @Test("A pipe that another program has made non-blocking is waited for")
  func nonBlockingPipe() {
    folder.add("pass.json", RunTests.pass)
    for arguments in [["validate", "-"], ["-"], ["pass.json"], ["format", "-"]] {
      let input = Pipe()
      _ = fcntl(input.reader, F_SETFL, fcntl(input.reader, F_GETFL) | O_NONBLOCK)
      let reader = dup(input.reader)
      let child = Child(
        arguments, input: input.reader, output: Subprocess.openWrite(folder.path("output")),
        errors: Subprocess.openWrite(folder.path("errors")), in: folder.path)
      // The program reads again when it has taken a part, and finds the pipe empty.
      for part in Array(repeating: " ", count: 50) + [#"{"source": {"just": {"value": 1}}}"#, "\n"] {
        input.write(part)
        var request = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        var count = 0
        while count < 10_000, poll(&request, 1, 0) > 0 {
          poll(nil, 0, 1)
          count += 1
        }
      }
      close(reader)
      close(input.writer)
      #expect(child.wait() == 0, "\(arguments): \(Fixture.read(folder.path("errors")))")
    }
  }

  @Test("A long wait for another edit is reported, and can be interrupted", arguments: [false, true])
  func waitForLock(isInterrupted: Bool) throws {
    let file = folder.add("f.json", #"{"stream": []}"#)
    let errors = Pipe()
    let child: Child
    do {
      let lock = try #require(try FileLock.take(file))
      child = Child(
        ["edit", "f.json", "--append-item", "1"], input: Subprocess.openRead("/dev/null"),
        output: Subprocess.openWrite(folder.path("output")), errors: errors.writer, in: folder.path)
      let message = "waiting for another edit of 'f.json'\n"
      #expect(errors.read(through: message) == message)
      if isInterrupted {
        child.send(SIGINT)
        #expect(child.wait() == 130)
      }
      withExtendedLifetime(lock) {}
    }
    if !isInterrupted { #expect(child.wait() == 0) }
    #expect(errors.read() == "")
    close(errors.reader)
    #expect(Fixture.read(file) == (isInterrupted ? #"{"stream": []}"# : #"{"stream": [{"value": 1}]}"#))
  }

  @Test("A timer fires while nothing comes in")
  func timer() {
    let (input, output) = (Pipe(), Pipe())
    let child = start(
      EventTimeTests.debounce.replacing("\"seconds\": 2", with: "\"seconds\": 0.05"), input: input.reader,
      output: output.writer)
    input.write("1\n")
    #expect(output.read(through: "1\n") == "1\n")
    close(input.writer)
    #expect(child.wait() == 0)
    close(output.reader)
  }

  @Test("A closed pipe ends quietly")
  func closedPipe() {
    let output = Pipe()
    let child = start(
      #"{"source": {"range": {"from": 1, "through": 1000000000}}}"#,
      input: Subprocess.openRead("/dev/null"), output: output.writer)
    #expect(output.read().hasPrefix("1\n2\n"))
    close(output.reader)
    #expect(child.wait() == 0)
    #expect(Fixture.read(folder.path("errors")) == "")
  }

  @Test("An interruption flushes, and ends with 130", arguments: [[], ["--virtual"], ["--event-time", "value"]])
  func interruption(_ arguments: [String]) {
    let (input, output) = (Pipe(), Pipe())
    let child = start(RunTests.pass, arguments + ["--format", "json"], input: input.reader, output: output.writer)
    input.write("1\n2\n")
    var text = output.read()
    child.send(SIGINT)
    #expect(child.wait() == 130)
    while case let more = output.read(), !more.isEmpty { text += more }
    #expect(text.hasPrefix("[\n1"))
    #expect(text.hasSuffix("\n]\n"))
    close(output.reader)
    close(input.writer)
  }

  @Test(
    "An interruption stops a stream without end",
    arguments: [
      #"{"source": {"range": {"from": 1, "through": 1000000000000}}}"#,
      #"{"source": {"range": {"from": 1, "through": 1000000000000}}, "operators": [{"filter": {"expression": "value < 0"}}]}"#,
    ])
  func endless(_ stream: String) {
    let child = start(
      stream, input: Subprocess.openRead("/dev/null"), output: Subprocess.openWrite("/dev/null"))
    child.wait(forWork: 0.3)
    child.send(SIGINT)
    #expect(child.wait() == 130)
  }

  /// Five values, then a stream that works forever and publishes nothing.
  private static func busy(_ rest: String) -> String {
    #"{"source": {"range": {"from": 1, "through": 5}}, "operators": [{"append": {"with": [\#(rest)]}}]}"#
  }

  @Test(
    "Values published before an interruption are printed, whatever the stream does",
    arguments: [
      #"{"source": {"timer": {"every": 0.000001}}, "operators": [{"ignoreOutput": {}}]}"#,
      #"{"source": {"timer": {"every": 1}}, "operators": [{"collectTime": {"seconds": 1}}, {"ignoreOutput": {}}]}"#,
      #"{"source": {"range": {"from": 1, "through": 1000000000000}}, "operators": [{"filter": {"expression": "value < 0"}}]}"#,
      // Close to as long as an expression may take.
      #"{"source": {"repeatElement": {"value": 1}}, "operators": [{"filter": {"expression": "lists.range(600).all(x, lists.range(600).all(y, x + y >= 0)) && value < 0"}}]}"#,
    ],
    [SIGINT, SIGTERM, SIGHUP])
  func busy(_ rest: String, _ signal: Int32) {
    let output = folder.path("output")
    let child = start(
      Self.busy(rest), ["--virtual"], input: Subprocess.openRead("/dev/null"), output: Subprocess.openWrite(output))
    // The start takes a fourth of it.
    child.wait(forWork: 0.4)
    child.send(signal)
    #expect(child.wait() == 128 + signal)
    #expect(Fixture.read(output) == "1\n2\n3\n4\n5\n")
  }

  @Test(
    "A crash writes the complete lines, once, and ends the process",
    arguments: [SIGABRT, SIGTRAP, SIGILL, SIGSEGV, SIGBUS, SIGFPE].map { ($0, "no") } + [(SIGABRT, "yes")])
  func crash(_ signal: Int32, _ tellsPlace: String) {
    folder.add("s.json", #"{"source": {"range": {"from": 1, "through": 1000000000000}}}"#)
    let output = folder.path("output")
    let child = Child(
      ["s.json"], input: Subprocess.openRead("/dev/null"), output: Subprocess.openWrite(output),
      errors: Subprocess.openWrite(folder.path("errors")), in: folder.path,
      environment: ["SWIFT_BACKTRACE=enable=\(tellsPlace)"])
    child.wait { Fixture.read(output).utf8.count > 10_000 }
    child.send(signal)
    #expect(child.wait() == 128 + signal)
    let text = Fixture.read(output)
    let lines = text.split(separator: "\n")
    #expect(text.utf8.last == UInt8(ascii: "\n"))
    #expect(lines.count > 1_000)
    // Each number once, in order. NB: 'elementsEqual' in an expectation would print them all.
    let isWhole = lines.elementsEqual((1...max(lines.count, 1)).lazy.map { Substring(String($0)) })
    #expect(isWhole)
  }

  @Test(
    "A command over several files stops at a signal",
    arguments: [("validate", "checked"), ("format", "formatted"), ("hash", "hashed")])
  func files(_ command: String, _ done: String) {
    folder.add("a.json", RunTests.pass)
    mkfifo(folder.path("pipe.json"), 0o600)
    for (arguments, count) in [(["-"], 1), (["pipe.json", "a.json"], 2)] {
      let input = Pipe()
      let child = Child(
        [command] + arguments, input: input.reader, output: Subprocess.openWrite(folder.path("output")),
        errors: Subprocess.openWrite(folder.path("errors")), in: folder.path)
      child.wait(forHandlerOf: SIGTERM)
      child.send(SIGTERM)
      #expect(child.wait() == 143)
      #expect(Fixture.read(folder.path("output")) == "")
      let files = count == 1 ? "1 file" : "\(count) files"
      #expect(Fixture.read(folder.path("errors")) == "interrupted: \(files) of \(count) not \(done)\n")
      close(input.writer)
    }
  }

  @Test("Interrupted tests print the results so far")
  func interruptedTests() {
    folder.add("a.json", #"{"stream": [{"value": 1}], "tests": [{"name": "quick", "expect": {"values": [1]}}]}"#)
    folder.add(
      "b.json",
      #"{"source": {"timer": {"every": 1}}, "operators": [{"ignoreOutput": {}}], "tests": [{"name": "t", "expect": {"values": []}}]}"#
    )
    let child = Child(
      ["test", "a.json", "b.json", "--verbose", "--jobs", "1", "--budget", "1000000000000"],
      input: Subprocess.openRead("/dev/null"), output: Subprocess.openWrite(folder.path("output")),
      errors: Subprocess.openWrite(folder.path("errors")), in: folder.path)
    // The first file takes a small part of it.
    child.wait(forWorkOfChild: 1)
    child.send(SIGTERM)
    #expect(child.wait() == 143)
    #expect(Fixture.read(folder.path("output")).hasPrefix("passed: a.json: quick\n"))
    #expect(Fixture.read(folder.path("errors")) == "interrupted: 1 file of 2 not tested\n")
  }

  @Test("Event time is paced on request")
  func paced() {
    folder.add("s.json", RunTests.pass)
    let outcome = Subprocess.run(
      ["s.json", "--event-time", "value", "--speed", "100x"], input: "0\n10000\n20000\n", in: folder.path)
    #expect(outcome == Outcome(output: "0\n10000\n20000\n", errors: "", code: 0))
  }
}

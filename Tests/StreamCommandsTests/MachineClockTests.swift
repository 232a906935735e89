import TestSupport
import Testing

/// The warning about files that are read by the clock of the machine, and when the first line of live input is delivered.
@Suite struct MachineClockTests {
  private let folder = Fixture.Folder()

  init() { folder.add("c.ndjson", "{\"t\": 1000}\n{\"t\": 4000}\n") }

  @Test(
    "A warning reports a file in which time does not pass, where operators ask for it",
    arguments: [
      ("window(seconds: 60, operators: (count()))", true), ("groupBy(value.t, (count()), idle: 1800)", true),
      ("debounce(10ms, onFinish: flush)", true), ("collectTime(1)", true), ("distinct(seconds: 5)", true),
      ("groupBy(value.t, (count()))", false), ("window(count: 2, operators: (count()))", false), ("distinct()", false),
      ("timeout(5)", false), ("delay(1ms) | debounce(1ms, onFinish: flush)", false),
      ("rateLimit(1, seconds: 1ms) | debounce(1ms, onFinish: flush)", false),
      ("retry(2)", false), ("count()", false),
    ])
  func told(_ text: String, _ isTold: Bool) {
    func errors(_ arguments: String...) -> String {
      Subprocess.run(["-e", text] + arguments, in: folder.path).errors
    }
    let file = errors("--input", "c.ndjson")
    #expect(file.contains("--event-time value.time") == isTold, "\(file)")
    #expect(file.isEmpty == !isTold, "\(file)")
    #expect(errors("--input", "c.ndjson", "--event-time", "value.t").isEmpty)
    #expect(errors("--input", "c.ndjson", "--virtual").isEmpty)
    // A pipe may be live.
    let piped = Subprocess.shell("cat c.ndjson | streamrun -e '\(text)' 2>&1 >/dev/null", in: folder.path)
    #expect(piped.isEmpty, "\(piped)")
  }

  @Test("An array on the only line has values of its own, unless the format is named")
  func lines() {
    let text = "[{\"a\": 1}, {\"a\": 2}]\n"
    folder.add("d.data", text)
    folder.add("d.ndjson", text)
    func run(_ arguments: String...) -> String {
      Subprocess.run(["-e", "count()"] + arguments, in: folder.path).output
    }
    #expect(run("--input", "d.data") == "2\n")
    #expect(run("--input", "d.ndjson") == "1\n")
    #expect(run("--input", "d.data", "--input-format", "ndjson") == "1\n")
    #expect(run("--input", "d.data", "--input-format", "json") == "2\n")
    #expect(Subprocess.run(["-e", "count()"], input: text, in: folder.path).output == "2\n")
    let named = Subprocess.run(["-e", "count()", "--input-format", "ndjson"], input: text, in: folder.path)
    #expect(named.output == "1\n")
  }

  @Test(
    "A first line that is an array does not wait long for the second one",
    arguments: ["", "--event-time 'value[0].t'"])
  func first(_ options: String) {
    // The second line is written once the first value has come.
    let lines = "echo '[{\"t\": 1}]'; timeout 10 cat go >/dev/null || touch late; echo '[{\"t\": 2}]'"
    let reader = "read -r first; timeout 5 sh -c 'echo > go'; cat"
    let output = Subprocess.shell(
      "mkfifo go; (\(lines)) | streamrun -e 'map(value)' \(options) | (\(reader)); ls", in: folder.path)
    #expect(output.hasPrefix("[{\"t\":2}]\n") && !output.contains("late"), "\(output)")
  }
}

import TestSupport
import Testing

/// The first values of an input whose clock has `maxJump`.
@Suite struct FirstValueTests {
  private static let year2100 = 4_102_444_800

  /// Times in the order of arrival, the times of delivered values, and the lines that are refused.
  static let cases: [(times: [Int], delivered: [Int], refused: [Int])] = [
    ([year2100, 1000, 1001, 1002], [1000, 1001, 1002], [1]),
    ([0, year2100, year2100 + 1], [year2100, year2100 + 1], [1]),
    ([1000, year2100, 1001, 1002], [1000, 1001, 1002], [2]),
    // Nothing agrees with the first three.
    ([0, year2100, 50_000, 90_000, 90_001], [90_000, 90_001], [1, 2, 3]),
    // No third value decides.
    ([1000, year2100], [1000], [2]), ([1000], [1000], []),
    // A late value is not a jump.
    ([1000, 995, 1001], [995, 1000, 1001], []), ([1000, 1100, 1200], [1000, 1100, 1200], []),
    ([1000, 1100, year2100, 1200], [1000, 1100, 1200], [3]),
  ]

  private static func file(_ tests: String = "[]") -> String {
    #"""
    { "inputs": { "a": { "time": { "expression": "value.t", "unit": "s", "lateness": 10, "maxJump": 100 } } },
      "source": { "input": { "name": "a" } }, "operators": [ { "map": { "expression": "value.t" } } ],
      "tests": \#(tests) }
    """#
  }

  @Test("A wrong first value is refused, and moves no clock", arguments: cases)
  func skipped(_ times: [Int], _ delivered: [Int], _ refused: [Int]) {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.file())
    let input = times.map { "{\"t\":\($0)}\n" }.joined()
    let outcome = Subprocess.run(["s.json", "--skip-errors"], input: input, in: folder.path)
    #expect(outcome.output == delivered.map { "\($0)\n" }.joined(), "\(outcome.errors)")
    for line in refused { #expect(outcome.errors.contains("<stdin>:\(line):1: warning S305"), "\(outcome.errors)") }
    let strict = Subprocess.run(["s.json"], input: input, in: folder.path)
    #expect(strict.code == (refused.isEmpty ? 0 : 2))
    if let line = refused.first { #expect(strict.errors.contains("<stdin>:\(line):1: error S305"), "\(strict.errors)") }
  }

  @Test("A test refuses the same value, at its place")
  func tests() {
    let folder = Fixture.Folder()
    folder.add(
      "s.json",
      Self.file(
        #"[{ "name": "a", "inputs": { "a": { "values": [{"t": 99999}, {"t": 1}, {"t": 2}] } }, "expect": { "values": [] } }]"#
      ))
    let outcome = Subprocess.run(["test", "s.json"], in: folder.path)
    #expect(outcome.errors.contains("error S305"), "\(outcome.errors)")
    #expect(outcome.errors.contains("= at /tests/0/inputs/a/values/0\n"), "\(outcome.errors)")
  }

  @Test("A late value among the first is written as it came")
  func lateOutput() {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.file())
    let outcome = Subprocess.run(
      ["s.json", "--late", "output", "--late-output", "late.ndjson"],
      input: "{\"t\":1000}\n{ \"t\": 950 }\n{\"t\":1001}\n", in: folder.path)
    #expect(outcome.output == "1000\n1001\n", "\(outcome.errors)")
    #expect(Fixture.read(folder.path("late.ndjson")) == "{ \"t\": 950 }\n")
  }

  @Test(
    "A stream has the windows from its first value to the last one, which may be left out, and none without a value",
    arguments: ["window", "collectTime"], ["", "1001", "1001 1002", "1001 1001", "1001 1061"])
  func emptyWindows(_ operation: String, _ times: String) {
    let rest = operation == "window" ? ", count())" : ") | map(value.size())"
    let call = "filter(value.n > 0) | " + operation + #"(seconds: 60, align: "clock", emitEmpty: true"# + rest
    let times = times.split(separator: " ")
    let outcome = Subprocess.run(
      ["-e", call, "--event-time", "value.t", "--unit", "s"],
      input: times.map { #"{"t": \#($0), "n": 0}"# }.joined(separator: "\n") + "\n")
    let minutes = Set(times.compactMap { Int($0) }.map { $0 / 60 })
    #expect(outcome.output == String(repeating: "0\n", count: minutes.count), "\(outcome.errors)")
    #expect(outcome.code == 0, "\(outcome.errors)")
  }
}

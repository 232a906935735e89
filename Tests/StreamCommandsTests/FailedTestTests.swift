import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The output of `streamrun test` for failing tests. `UPDATE_GOLDEN=1 swift test` writes it again; read the changes.
@Suite struct FailedTestTests {
  static let folder = Fixture.folder(of: #filePath) + "/Failing"
  static let names = Fixture.names(in: folder, ending: ".json")

  @Test("A test that fails is shown as two diagrams, one below the other", arguments: names)
  func golden(_ name: String) {
    let outcome = Subprocess.run(["test", "\(name).json"], in: Self.folder)
    let golden = "\(Self.folder)/\(name).txt"
    if BrokenFileTests.updates { Fixture.write(outcome.output, to: golden) }
    let expected = Fixture.read(golden)
    #expect(outcome.output == expected)
    #expect(outcome.errors == "")
    #expect(outcome.code == 1)
  }

  @Test("There are failing tests, each with its expected output")
  func complete() {
    #expect(Self.names.count >= 4)
    #expect(Fixture.names(in: Self.folder, ending: ".txt") == Self.names)
  }

  @Test("A skipped value is not a difference")
  func skipped() {
    let folder = Fixture.Folder()
    folder.add(
      "s.json",
      """
      {"stream": [{"value": 1}, {"value": 0}, {"value": 2}],
       "operators": [{"map": {"expression": "4 / value"}, "onError": "skip"}],
       "tests": [{"name": "skips", "expect": {"marbles": "[ab|]", "values": {"a": 4, "b": 2}}}]}
      """)
    #expect(Subprocess.run(["test", "s.json"], in: folder.path).output == "1 passed, 0 failed\n")
  }
}

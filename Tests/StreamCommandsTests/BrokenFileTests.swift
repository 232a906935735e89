import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The messages for broken stream files. `UPDATE_GOLDEN=1 swift test` writes them again; read the changes.
@Suite struct BrokenFileTests {
  static let names = Fixture.names(in: Fixture.broken, ending: ".json")
  static let updates = getenv("UPDATE_GOLDEN") != nil

  @Test("Every broken file is reported with all its errors", arguments: names)
  func golden(_ name: String) {
    let outcome = Subprocess.run(["validate", "\(name).json"], in: Fixture.broken)
    let golden = "\(Fixture.broken)/\(name).txt"
    if Self.updates { Fixture.write(outcome.errors, to: golden) }
    let expected = Fixture.read(golden)
    #expect(outcome.errors == expected)
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
  }

  @Test("Every mistake has a place and a code", arguments: names)
  func place(_ name: String) {
    let text = Fixture.read("\(Fixture.broken)/\(name).txt")
    let errors = text.split(separator: "\n").filter { $0.contains(": error S") }
    #expect(!errors.isEmpty)
    for error in errors { #expect(error.contains(#/^[A-Za-z0-9\/-]+\.json:[0-9]+:[0-9]+: error S[0-9]{3}: /#)) }
  }

  @Test("Each broken file has its golden text, and each text its file")
  func complete() {
    let golden = Fixture.names(in: Fixture.broken, ending: ".txt")
    #expect(!golden.isEmpty)
    #expect(golden == Self.names)
  }

  @Test("Control characters of a file have no effect on the terminal", arguments: names)
  func escapes(_ name: String) {
    let outcome = Subprocess.run(["validate", "\(name).json"], in: Fixture.broken)
    #expect(!outcome.errors.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
  }
}

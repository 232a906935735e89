import StreamCore
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is being edited is always whole, whenever the process is killed. KILLS=2000 kills more often.
@Suite struct KillTests {
  private static let count = getenv("KILLS").flatMap { Int(String(cString: $0)) } ?? 100
  private static let items = 400

  private static func text(_ value: Int) -> String {
    let rest = (1..<items).map { "    { \"value\": \($0) }" }.joined(separator: ",\n")
    return "{\n  \"stream\": [\n    { \"value\": \(value) },\n\(rest)\n  ]\n}\n"
  }

  @Test("Killed at any moment of an edit, the file is the old one or the new one")
  func killed() throws {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.text(-1))
    var current = -1
    // Follows the time that an edit takes here and now: longer after an edit that came too late, else shorter.
    let clock = ContinuousClock()
    let start = clock.now
    // An edit that does not work would be killed forever.
    try #require(edit(folder, value: -1, killedAfter: nil) == 0)
    var typical = clock.now - start
    var (oldCount, newCount) = (0, 0)
    var generator = SystemRandomNumberGenerator()
    var number = 0
    // Some are killed before the file is replaced, and some after it.
    while number < Self.count || oldCount == 0 || newCount == 0 {
      let isFinished =
        edit(folder, value: number, killedAfter: typical * Double.random(in: 0...1.2, using: &generator)) == 0
      let text = Fixture.read(folder.path("s.json"))
      let isNew = text == Self.text(number)
      #expect(isNew || (text == Self.text(current) && !isFinished), "neither old nor new after edit \(number)")
      if isNew {
        current = number
        newCount += 1
        typical = typical / 1.1
      } else {
        oldCount += 1
        typical = typical * 1.05
      }
      number += 1
    }
    // Remains of a killed process do not affect the next one.
    #expect(edit(folder, value: 0, killedAfter: nil) == 0)
    #expect(Fixture.read(folder.path("s.json")) == Self.text(0))
  }

  /// Edits the file in a process that is killed after so long.
  private func edit(_ folder: Fixture.Folder, value: Int, killedAfter time: Duration?) -> Int32 {
    let child = Child(
      ["edit", "s.json", "--set", "/stream/0/value=\(value)"], input: Subprocess.openRead("/dev/null"),
      output: Subprocess.openWrite("/dev/null"), errors: nil, in: folder.path)
    if let time {
      // NB: this waits for nothing: it is how the moment of the killing is chosen.
      let (seconds, attoseconds) = time.components
      var pause = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
      nanosleep(&pause, nil)
      child.send(SIGKILL)
    }
    return child.wait()
  }
}

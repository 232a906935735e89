import StreamCore
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
  func killed() {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.text(-1))
    var current = -1
    // How long an edit takes here: it is killed somewhere within that.
    let clock = ContinuousClock()
    let longest = clock.measure { _ = edit(folder, value: -1, killedAfter: nil) }
    var outcomes = (old: 0, new: 0, finished: 0)
    var generator = SystemRandomNumberGenerator()
    for number in 0..<Self.count {
      let moment = longest * Double.random(in: 0...1.2, using: &generator)
      let code = edit(folder, value: number, killedAfter: moment)
      let text = Fixture.read(folder.path("s.json"))
      if text == Self.text(number) {
        outcomes.new += 1
        current = number
      } else {
        #expect(text == Self.text(current), "neither old nor new after edit \(number)")
        outcomes.old += 1
      }
      if code == 0 { outcomes.finished += 1 }
    }
    // Some were killed before the file was replaced, and some had done it.
    #expect(outcomes.old > 0)
    #expect(outcomes.new > 0)
    // What is left of the killed does not hinder the next.
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

import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

@testable import StreamDriving

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// States that are damaged, by chance or by hand.
///
/// `DAMAGED_STATES` is the number of damaged states of each kind; default 300.
@Suite struct DamagedStateTests {
  private static let count = getenv("DAMAGED_STATES").flatMap { Int(String(cString: $0)) } ?? 300

  /// A state with groups, timers and records that are held.
  private static let saved: [UInt8] = {
    let folder = Fixture.Folder()
    folder.add(
      "s.json",
      """
      { "inputs": { "a": {} }, "partition": { "key": "value.k", "time": "value.t", "lateness": 5, "late": "drop" },
        "source": { "input": { "name": "a" } },
        "operators": [ { "scan": { "initialValue": 0, "expression": "acc + value.v" } }, { "debounce": { "seconds": 2 } } ] }
      """)
    folder.add("a.ndjson", (0..<200).map { "{\"k\":\"\($0 % 7)\",\"v\":\($0),\"t\":\(1_000 * $0)}\n" }.joined())
    let outcome = Subprocess.run(
      ["s.json", "--input", "a=a.ndjson", "--state", "d", "--limit", "20", "--output", "out"], in: folder.path)
    #expect(outcome.code == 0, "\(outcome)")
    return Array(Fixture.read(folder.path("d/state-1")).utf8)
  }()

  @Test("A state that a byte or its end was taken from is refused")
  func damaged() throws {
    let whole = Self.saved
    _ = try SavedRun(reading: StateFile.content(of: whole), file: "state")
    var random = SeededGenerator(seed: 1)
    for _ in 0..<Self.count {
      var bytes = whole
      switch random.next() % 3 {
      case 0: bytes[Int(random.next() % UInt64(bytes.count))] ^= UInt8(1 << (random.next() % 8))
      case 1: bytes.removeLast(1 + Int(random.next() % UInt64(bytes.count)))
      default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: Int(random.next() % UInt64(bytes.count)))
      }
      #expect(throws: StateFile.Damage.self) { try StateFile.content(of: bytes) }
    }
  }

  @Test("A state that was changed by hand is refused, or is one of the stream")
  func changed() throws {
    let content = try StateFile.content(of: Self.saved)
    var random = SeededGenerator(seed: 2)
    let marks = content.indices.filter { "0123456789\"{}[],:tfn-.".utf8.contains(content[$0]) }
    var (refused, valid) = (0, 0)
    for _ in 0..<Self.count {
      var bytes = content
      for _ in 0...(random.next() % 3) {
        let place = marks[Int(random.next() % UInt64(marks.count))]
        let replacement = Array("0123456789\"{}[],:-".utf8)
        guard place < bytes.count else { continue }
        if random.next() % 4 == 0 {
          bytes.remove(at: place)
        } else {
          bytes[place] = replacement[Int(random.next() % UInt64(replacement.count))]
        }
      }
      do {
        let saved = try SavedRun(reading: bytes, file: "state")
        try saved.verify()
        _ = saved.description(of: "state", instances: 3)
        valid += 1
      } catch {
        refused += 1
      }
    }
    #expect(refused > 0)
    #expect(refused + valid == Self.count)
  }
}

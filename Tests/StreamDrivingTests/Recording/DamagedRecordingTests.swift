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

/// Recordings that are damaged are refused with a diagnostic, or replayed; in both cases as far as they are whole.
///
/// `DAMAGED_RECORDINGS` is the number of damaged recordings; default 2,000.
@Suite struct DamagedRecordingTests {
  private static let count = getenv("DAMAGED_RECORDINGS").flatMap { Int(String(cString: $0)) } ?? 2_000
  private static let blocks = 4

  /// Recordings with values of two forms, timers, tagged values, results of calls, swaps and completions.
  private static let recordings: [[UInt8]] = {
    let stream =
      #"{"inputs":{"a":{}},"source":{"input":{"name":"a"}},"operators":"#
      + #"[{"scan":{"initialValue":0,"expression":"acc + value.v"}},{"debounce":{"seconds":2}}]}"#
    let plain = stream.replacing(#",{"debounce":{"seconds":2}}"#, with: "")
    let lines = (0..<24).map { "{\"k\":\"\($0 % 7)\",\"v\":\($0),\"t\":\(1_000 * $0 * (1 + $0 % 3))}\n" }.joined()
    var made: [[UInt8]] = []
    for (stream, eventTime) in [(stream, "value.t"), (plain, nil)] as [(String, String?)] {
      let run = RecordedRun(folder: Fixture.Folder())
      guard let output = try? run.record(stream, lines, eventTime: eventTime), output.code == 0 else { return [] }
      let text = Fixture.read(run.path)
      made.append(Array(text.utf8))
      var others = text.split(separator: "\n").map(String.init)
      let other = JSONWriter.compact(.string(plain.replacing("acc + value.v", with: "value.v - acc")))
      others.insert(
        contentsOf: [
          #"{"at":1,"input":"a","value":{"v":{"$uint":"7"},"t":{"$timestamp":"2020-01-01T00:00:00Z"}}}"#,
          #"{"at":1,"call":0,"function":"f","argument":1,"value":2}"#,
          #"{"at":1,"call":1,"function":"f","argument":1,"failure":{"code":"S407","message":"no","pointer":[]}}"#,
          #"{"at":1,"swap":{"file":"s.json","path":"/s.json","id":"","text":\#(other)},"after":1,"trial":true}"#,
          #"{"at":1,"input":"a","failure":{"code":"S407","message":"no","pointer":[]}}"#,
        ], at: 12)
      made.append(Array(others.map { $0 + "\n" }.joined().utf8))
    }
    return made
  }()

  @Test("A damaged recording is refused or replayed", arguments: 0..<blocks)
  func damaged(_ block: Int) throws {
    try #require(Self.recordings.count == 4)
    var random = SeededGenerator(seed: UInt64(block))
    var (refused, replayed, cut) = (0, 0, 0)
    let folder = Fixture.Folder()
    let run = RecordedRun(folder: folder)
    for number in 0..<Self.count / Self.blocks {
      let whole = Self.recordings[number % Self.recordings.count]
      let bytes = Self.damage(whole, &random)
      Fixture.write(bytes, to: run.path)
      let output = run.replay(takesRows: true).output
      switch output.code {
      case 0, 1: replayed += 1
      default: refused += 1
      }
      if output.messages.contains("its last line is cut") { cut += 1 }
      // Nothing is refused without a word.
      #expect(output.code == 0 || output.messages.contains("error"), "\(output) \(Self.text(bytes))")
      if number % 4 == 0 {
        let byValues = run.replay(takesRows: false).output
        #expect(output == byValues, "\(Self.text(bytes))")
      }
    }
    #expect(refused > 0 && replayed > 0 && cut > 0, "\(refused) \(replayed) \(cut)")
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the bytes with up to three damages.
  private static func damage(_ whole: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    // The header is half of the bytes; damage to it alone would say little.
    let header = (whole.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
    var bytes = whole
    for _ in 0...random.below(3) {
      guard bytes.count > header else { break }
      let place = random.below(5) == 0 ? random.below(header) : header + random.below(bytes.count - header)
      switch random.below(6) {
      case 0: bytes[place] ^= UInt8(1 << random.below(8))
      case 1: bytes.removeSubrange(place...)
      case 2: bytes.insert(UInt8(random.below(256)), at: place)
      case 3: bytes.remove(at: place)
      case 4: bytes[place] = Array("0123456789\"{}[],:tfn-.$\n".utf8)[random.below(24)]
      default:
        // A part occurs twice.
        let end = min(place + 1 + random.below(60), bytes.count)
        bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
      }
    }
    return bytes
  }
}

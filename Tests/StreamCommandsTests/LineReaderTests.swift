import StreamCore
import Testing

@testable import StreamCommands
@testable import StreamDriving
@testable import StreamFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Lines are cut out of what is read, wherever that is cut itself.
@Suite struct LineReaderTests {
  private func lines(of text: String, limit: Int = 1_000_000) throws -> [String] {
    let folder = Fixture.Folder()
    let file = FileDescriptor(number: Subprocess.openRead(folder.add("text", text)))
    defer { file.close() }
    return try LineReader(file, limit: limit).texts()
  }

  @Test("lines have their numbers, the last one needs no line break")
  func plain() throws {
    #expect(try lines(of: "a\n\nb\r\nc") == ["1:a", "2:", "3:b\r", "4:c"])
    #expect(try lines(of: "a\n") == ["1:a"])
    #expect(try lines(of: "") == [])
    #expect(try lines(of: "\u{FEFF}a\n\u{FEFF}b") == ["1:a", "2:\u{FEFF}b"])
  }

  @Test(
    "lines of any length, over the ends of what is read at once",
    arguments: [
      1, 1000, 131_071, 262_143, 262_144, 262_145, 524_288, 600_000,
    ])
  func long(_ length: Int) throws {
    let line = String(repeating: "x", count: length)
    let found = try lines(of: (0..<5).map { "\($0)\(line)" }.joined(separator: "\n"))
    #expect(found == (0..<5).map { "\($0 + 1):\($0)\(line)" })
  }

  @Test("a line that is too long is told once and passed over", arguments: [11, 300_000, 2_000_000])
  func tooLong(_ length: Int) throws {
    let line = String(repeating: "x", count: length)
    #expect(
      try lines(of: "a\n\(line)\nb\n\(line)", limit: 10).filter { !$0.hasPrefix("4") } == ["1:a", "2: too long", "3:b"])
  }
}

extension LineReader {
  /// All lines, each with its number.
  func texts() throws -> [String] {
    var lines: [String] = []
    while true {
      switch next() {
      case .text(let line): lines.append("\(number):" + String(decoding: line.bytes, as: UTF8.self))
      case .tooLong: lines.append("\(number): too long")
      case .incomplete: try fill()
      case .end: return lines
      }
    }
  }
}

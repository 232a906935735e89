import StreamCore
import StreamKit
import TestSupport
import Testing

@testable import StreamFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is read in pieces has the records of the whole file.
@Suite struct FilePiecesTests {
  private func lines(of text: String, limit: Int = 1_000_000) throws -> [String] {
    let folder = Fixture.Folder()
    let file = FileDescriptor(number: Subprocess.openRead(folder.add("text", text)))
    defer { file.close() }
    return try TextFile(FilePieces(file, .text, limit: limit), limit: limit).texts()
  }

  @Test("Lines have their numbers, and the last one needs no line break")
  func plain() throws {
    #expect(try lines(of: "a\n\nb\r\nc") == ["1:a", "2:", "3:b", "4:c"])
    #expect(try lines(of: "a\n") == ["1:a"])
    #expect(try lines(of: "") == [])
    #expect(try lines(of: "\u{FEFF}a\n\u{FEFF}b") == ["1:a", "2:\u{FEFF}b"])
  }

  @Test(
    "Lines of any length are read over the ends of pieces",
    arguments: [
      1, 1000, 131_071, 262_143, 262_144, 262_145, 524_288, 600_000,
    ])
  func long(_ length: Int) throws {
    let line = String(repeating: "x", count: length)
    let found = try lines(of: (0..<5).map { "\($0)\(line)" }.joined(separator: "\n"))
    #expect(found == (0..<5).map { "\($0 + 1):\($0)\(line)" })
  }

  @Test("A line that is too long is reported once and skipped", arguments: [11, 300_000, 2_000_000])
  func tooLong(_ length: Int) throws {
    let line = String(repeating: "x", count: length)
    #expect(
      try lines(of: "a\n\(line)\nb\n\(line)", limit: 10).filter { !$0.hasPrefix("4") } == ["1:a", "2: too long", "3:b"])
  }
}

/// The lines of a file.
struct TextFile {
  let pieces: FilePieces
  let records: RecordSource

  init(_ pieces: FilePieces, limit: Int) {
    self.pieces = pieces
    records = RecordSource(pieces, named: "text", .text, limit: limit)
  }

  /// All lines of a text, each with its number.
  func texts() throws -> [String] {
    var lines: [String] = []
    while true {
      switch nextText() {
      case .success(.record(let line)): lines.append("\(records.location.line):\(line.text ?? "")")
      case .success(.incomplete): try pieces.fill()
      case .success(.end): return lines
      case .failure(.unreadable(let problem)) where problem.code == .tooLarge:
        lines.append("\(records.location.line): too long")
      case .failure(let problem): throw problem
      }
    }
  }

  private func nextText() -> Result<RecordSource.Step, RecordSource.Problem> {
    Result { () throws(RecordSource.Problem) in try records.next() }
  }
}

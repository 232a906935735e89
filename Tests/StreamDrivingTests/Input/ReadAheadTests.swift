import CEL
@_spi(Engine) import StreamCore
import StreamKit
import TestSupport
import Testing

@testable import StreamDriving
@testable import StreamFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Two threads read the same records as one thread, wherever the pieces end.
@Suite struct ReadAheadTests {
  /// Any numbers, the same in every run.
  private struct Numbers {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
  }

  /// The source of the bytes.
  enum Way: CaseIterable { case file, pipe }

  /// A text as a file that is open: a regular one, or a pipe into which it is written in pieces of any length.
  private final class Source {
    let file: FileDescriptor
    private let writer: SystemThread?

    init(_ text: [UInt8], _ way: Way, _ folder: Fixture.Folder, seed: UInt64) throws {
      switch way {
      case .file:
        let path = folder.path("text")
        let made = FileDescriptor(number: Subprocess.openWrite(path))
        try made.write(text)
        made.close()
        (file, writer) = (try FileDescriptor.open(path), nil)
      case .pipe:
        let ends = try FileDescriptor.pipe()
        file = ends.reader
        writer = SystemThread {
          var numbers = Numbers(state: seed)
          var rest = text[...]
          while !rest.isEmpty {
            let count = min(1 + numbers.next(below: 300), rest.count)
            try? ends.writer.write(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
          }
          ends.writer.close()
        }
      }
    }

    func close() {
      writer?.join()
      file.close()
    }
  }

  // MARK: Lines

  private func lines(
    of text: [UInt8], _ way: Way, limit: Int, size: Int, _ readingAhead: ReadAheadPolicy, seed: UInt64 = 1
  ) throws -> [String] {
    let folder = Fixture.Folder()
    let source = try Source(text, way, folder, seed: seed)
    defer { source.close() }
    let pieces = FilePieces(source.file, .text, limit: limit, size: size, readingAhead: readingAhead)
    return try TextFile(pieces, limit: limit).texts()
  }

  private func anyText(_ numbers: inout Numbers) -> [UInt8] {
    var text: [UInt8] = numbers.next(below: 4) == 0 ? [0xEF, 0xBB, 0xBF] : []
    for _ in 0..<numbers.next(below: 60) {
      let length = numbers.next(below: 8) == 0 ? numbers.next(below: 400) : numbers.next(below: 40)
      text += (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }
      text += numbers.next(below: 5) == 0 ? [0x0D, 0x0A] : [0x0A]
    }
    if numbers.next(below: 2) == 0 { text += Array("the last one".utf8) }
    return text
  }

  /// The lines as they are cut out of the whole text.
  private func expected(_ text: [UInt8], limit: Int) -> [String] {
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.enumerated().map { place, line in
      if line.count > limit { return "\(place + 1): too long" }
      var bytes = place == 0 && line.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(line.dropFirst(3)) : line
      if bytes.last == 0x0D { bytes.removeLast() }
      return "\(place + 1):" + String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test(
    "Lines of any text, in pieces of any size", arguments: Way.allCases,
    [ReadAheadPolicy.never, .after(0), .after(200)])
  func anyLines(_ way: Way, _ readingAhead: ReadAheadPolicy) throws {
    var numbers = Numbers(state: 7)
    for round in 0..<60 {
      let text = anyText(&numbers)
      let size = [1, 2, 7, 64, 1000, 40_000][numbers.next(below: 6)]
      let limit = [30, 100, 1_000_000][numbers.next(below: 3)]
      let found = try lines(of: text, way, limit: limit, size: size, readingAhead, seed: UInt64(round))
      #expect(found == expected(text, limit: limit), "\(size) bytes at once")
    }
  }

  @Test("A string that ends anywhere", arguments: [1, 5, 64])
  func ends(_ size: Int) throws {
    let text = Array("{\"a\":1}\n\n{\"a\":22}\r\nlonger than the others\nlast".utf8)
    for end in 0...text.count {
      let part = Array(text[..<end])
      let found = try lines(of: part, .file, limit: 16, size: size, .after(0))
      #expect(found == expected(part, limit: 16))
    }
  }

  @Test("A read error is reported after the values before it")
  func failure() throws {
    let folder = FileDescriptor(number: Subprocess.openRead("/tmp"))
    defer { folder.close() }
    let file = TextFile(FilePieces(folder, .text, limit: 100, readingAhead: .after(0)), limit: 100)
    guard case .incomplete = try file.records.next() else {
      Issue.record("there is a line in a folder")
      return
    }
    for _ in 0..<2 { #expect(throws: SystemError.isDirectory) { try file.pieces.fill() } }
  }

  // MARK: Values

  private static let records: [String] = (0..<700).map { number in
    switch number % 23 {
    case 4: #"{"n": \#(number), "d": "spaced"}"#
    case 6: #"{"n":\#(number),"d":"d\u0041"}"#
    case 7: ""
    case 8: "\(number)"
    case 9: "{\"n\":\(number),\"d\":\"x\"}\r"
    case 11, 12: #"{"d":"other","n":\#(number)}"#
    case 13: #"{"n":\#(number),"z":\#(Double(number) / 8)}"#
    default: #"{"n":\#(number),"d":"d\#(number % 13)","z":\#(Double(number) / 8)}"#
    }
  }

  /// The values of the fields that are read from a line.
  private func part(_ value: Value) -> Value {
    guard case .map(let map) = value else { return value }
    return .list([map["n"] ?? "none", map["d"] ?? "none"])
  }

  /// Takes all values of a feed, as rows where they come as such, some at once.
  private func takeAll(_ feed: FileFeed, _ numbers: inout Numbers) throws -> (values: [Value], rowCount: Int) {
    guard case .incomplete = try feed.next() else { return ([], 0) }
    var (values, rowCount): ([Value], Int) = ([], 0)
    while true {
      let rows = feed.rows(of: ["n", "d"])
      if let rows, case let found = feed.readRows(rows, atMost: 1 + numbers.next(below: 100)), found > 0 {
        let taken = numbers.next(below: 4) == 0 ? 1 + numbers.next(below: found) : found
        for row in 0..<taken {
          rows.current = row
          let fields = (0..<2).map { rows.row[$0].isThere ? rows.value(of: $0) : "none" }
          values.append(.list(fields))
        }
        let whole = rows.record().pointee
        feed.take(rows, through: taken - 1)
        #expect(part(whole) == values.last)
        rowCount += taken
        continue
      }
      switch try feed.next() {
      case .incomplete: try feed.fill()
      case .record(let value): values.append(part(value))
      case .end: return (values, rowCount)
      }
    }
  }

  @Test("Rows that were read ahead equal the lines", arguments: Way.allCases, 0..<8)
  func rows(_ way: Way, _ seed: Int) throws {
    var numbers = Numbers(state: UInt64(seed + 1))
    let text = Array((Self.records.joined(separator: "\n") + (seed % 2 == 0 ? "\n" : "")).utf8)
    let folder = Fixture.Folder()
    let source = try Source(text, way, folder, seed: UInt64(seed))
    defer { source.close() }
    let feed = FileFeed(
      0, name: "i", file: "<file>", descriptor: source.file, type: .dyn,
      report: SkipReport(Console(color: .never), skips: false), readingAhead: .after(seed < 4 ? 0 : 2000),
      pieces: [60, 500, 4000, 20_000][seed % 4])
    let (values, rowCount) = try takeAll(feed, &numbers)
    var general = JSONReader()
    let expected = try Self.records.filter { !$0.isEmpty }.map { part(try general.read($0)) }
    #expect(values == expected)
    #expect(feed.count == expected.count)
    #expect(rowCount > 300)
    #expect(feed.comesAtOnce == (way == .file))
  }

  @Test("A feed that waits for a pipe can be given up")
  func givenUp() throws {
    let ends = try FileDescriptor.pipe()
    try ends.writer.write("1\n2\n3")
    let report = SkipReport(Console(color: .never), skips: false)
    let feed = FileFeed(
      0, name: "i", file: "<pipe>", descriptor: ends.reader, type: .dyn, report: report, readingAhead: .after(0))
    try feed.fill()
    guard case .record(1) = try feed.next(), case .record(2) = try feed.next(), case .incomplete = try feed.next()
    else {
      Issue.record("not what was written")
      return
    }
    #expect(!feed.isReadable)
    feed.retire()
    ends.writer.close()
  }
}

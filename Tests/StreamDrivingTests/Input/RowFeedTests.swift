import CEL
@_spi(Engine) import StreamCore
import StreamKit
import Testing

@testable import StreamDriving
@testable import StreamFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Lines that are taken as rows, and those between them, are the lines of the file, wherever it is cut while it comes.
@Suite struct RowFeedTests {
  private static let lines: [String] = (0..<600).map { number in
    switch number % 11 {
    case 4: #"{"n": \#(number), "d": "spaced"}"#
    case 6: #"{"n":\#(number),"d":"d\u0041"}"#
    case 7: ""
    case 8: "\(number)"
    case 9: "{\"n\":\(number),\"d\":\"x\"}\r"
    default: #"{"n":\#(number),"d":"d\#(number % 13)","z":\#(Double(number) / 8)}"#
    }
  }

  /// Takes all values, some of the rows read ahead at a time. Returns each value with the number of its line.
  private func take(_ feed: FileFeed, some: Int, into values: inout [Value]) throws -> Int {
    var rowCount = 0
    while true {
      if let rows = feed.rows(of: ["n", "d"]), case let found = feed.readRows(rows, atMost: 100), found > 0 {
        let taken = min(found, some)
        for row in 0..<taken {
          rows.current = row
          values.append(.string(String(decoding: rows.line.bytes, as: UTF8.self)))
        }
        let record = rows.record().pointee
        feed.take(rows, through: taken - 1)
        rowCount += taken
        guard case .map(let whole) = record, case .string(let line)? = values.last else {
          Issue.record("no record")
          continue
        }
        var general = JSONReader()
        #expect(try general.read(line) == .map(whole))
        continue
      }
      switch try feed.next() {
      case .incomplete, .end: return rowCount
      case .record(let value): values.append(value)
      }
    }
  }

  @Test("Pieces of any size, with any number of rows taken", arguments: 0..<20)
  func cuts(seed: Int) throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let file = FileDescriptor(number: ends[0])
    let console = Console(color: .never)
    let feed = FileFeed(
      0, name: "i", file: "<pipe>", descriptor: file, type: .dyn, report: SkipReport(console, skips: false))
    let text = Array((Self.lines.joined(separator: "\n") + (seed % 2 == 0 ? "\n" : "")).utf8)
    var state = UInt64(seed + 1)
    var (values, rowCount, start): ([Value], Int, Int) = ([], 0, 0)
    while start < text.count {
      // Any numbers, the same in every run.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let end = min(start + 1 + Int(state >> 33) % (seed < 5 ? 80 : 4_000), text.count)
      text[start..<end].withUnsafeBytes { #expect(write(ends[1], $0.baseAddress, $0.count) == end - start) }
      try feed.fill()
      rowCount += try take(feed, some: seed % 4 == 1 ? 3 : 100, into: &values)
      start = end
    }
    close(ends[1])
    try feed.fill()
    rowCount += try take(feed, some: 100, into: &values)
    file.close()
    var general = JSONReader()
    let expected = try Self.lines.filter { !$0.isEmpty }.map { try general.read($0) }
    let found = try values.map { value in if case .string(let line) = value { try general.read(line) } else { value } }
    #expect(found == expected)
    #expect(feed.count == expected.count)
    #expect(rowCount > (seed < 5 ? 50 : 200))
  }
}

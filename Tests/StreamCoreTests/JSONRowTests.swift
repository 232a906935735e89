import StreamCore
import Testing

/// Lines that are read as rows have the fields that a `JSONReader` finds in them.
@Suite("Reading rows of JSON")
struct JSONRowTests {
  private static let fields = RowFields([
    .init("a"), .init("t"), .init("long name"), .init("missing"), .init("b"), .init("x y"),
  ])

  /// Reads a row off the beginning of a text that goes on behind it; what is left out of it is learnt from.
  private func readRow(_ reader: JSONLineReader, _ text: [UInt8], _ look: (Int, ArraySlice<UInt8>) -> Void) {
    PaddedBytes.with(text) { padded in
      let count = reader.readRow(padded)
      let end = text.firstIndex(of: 0x0A) ?? text.endIndex
      look(count, text[..<end])
    }
    guard let end = text.firstIndex(of: 0x0A) else { return }
    PaddedBytes.with(Array(text[..<end])) { line in try? reader.read(line) }
  }

  private func value(_ reader: JSONLineReader, _ cell: Int) -> Value? {
    if reader.cells[cell].kind == .missing { return nil }
    let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    place.initialize(to: .null)
    defer {
      place.deinitialize(count: 1)
      place.deallocate()
    }
    reader.put(cell, into: place)
    return place.pointee
  }

  @Test("Any lines, one after the other, with others behind them", arguments: 0..<8)
  func agrees(seed: Int) {
    var lines = LineGenerator(seed: UInt64(seed))
    let reader = JSONLineReader(reading: Set(Self.fields.fields.map(\.name)))
    reader.readRows(Self.fields)
    var (rows, canonical, missing) = (0, 0, 0)
    var next = lines.next()
    for _ in 0..<20_000 {
      let line = next
      next = lines.next()
      readRow(reader, line + [0x0A] + next) { count, line in
        guard count > 0 else { return }
        rows += 1
        let text = String(decoding: line, as: UTF8.self)
        if count != line.count + 1 { Issue.record("\(count) bytes taken: \(text)") }
        guard case .success(.map(let record)) = StreamCoreTests.read(bytes: Array(line)) else {
          Issue.record("no record: \(text)")
          return
        }
        for (cell, field) in Self.fields.fields.enumerated() {
          let found = value(reader, cell)
          if found == nil { missing += 1 }
          if found.map(JSONWriter.compact) != record[field.name].map(JSONWriter.compact) || found != record[field.name]
          {
            Issue.record("another value of '\(field.name)': \(text)")
          }
        }
        if reader.isRowCanonical {
          canonical += 1
          let written = JSONWriter.compact(.map(record))
          if written != text, written + "\r" != text { Issue.record("written in another way: \(text)") }
        }
        let part = reader.recordOfRow().pointee
        guard case .map(let part) = part, part.keys == record.keys, part["a"] == record["a"] else {
          Issue.record("another record: \(text)")
          return
        }
      }
    }
    // Else nothing was looked at.
    #expect(rows > 4_000)
    #expect(canonical > 1_000)
    #expect(missing > 1_000)
  }

  @Test("A line that is cut anywhere is no row, and one behind which there is nothing is")
  func borders() {
    var lines = LineGenerator(seed: 99)
    let reader = JSONLineReader()
    reader.readRows(Self.fields)
    var whole = 0
    for _ in 0..<3_000 {
      let text = lines.next() + [0x0A]
      guard !text.dropLast().contains(0x0A) else { continue }
      for end in Set([text.count, text.count - 1, text.count / 2, text.count - 2, text.count / 3]) {
        readRow(reader, Array(text[..<max(end, 0)])) { count, _ in
          if count > 0, end < text.count { Issue.record("\(count) of \(end) bytes: \(text)") }
          if count > 0 { whole += 1 }
        }
      }
    }
    #expect(whole > 30)
  }

  @Test("A field that has to be of a kind is, or the line is no row")
  func kinds() {
    let reader = JSONLineReader()
    reader.readRows(RowFields([.init("n", .double), .init("d")]))
    let lines = [
      (#"{"n":1.5,"d":"x"}"#, false), (#"{"n":2.5,"d":null}"#, true), (#"{"n":2,"d":"x"}"#, false),
      (#"{"n":-0.5,"d":true}"#, true), (#"{"n":"x","d":1}"#, false), (#"{"d":"x"}"#, false), (#"{"d":"y"}"#, false),
      (#"{"n":0.0,"d":-12}"#, true), (#"{"n":123456.7,"d":123456789012}"#, true),
      (#"{"n":0.12345678901234,"d":12345678}"#, true), (#"{"n":01.5,"d":1}"#, false), (#"{"n":1.,"d":1}"#, false),
      (#"{"n":1.5,"d":01}"#, false), (#"{"n":1.5,"d":-}"#, false), (#"{"n":1.5,"d":123456789012345678901}"#, false),
    ]
    for (line, isRow) in lines {
      readRow(reader, Array(line.utf8) + [0x0A]) { count, bytes in
        #expect((count > 0) == isRow, "\(line)")
        guard count > 0, case .success(.map(let record)) = StreamCoreTests.read(bytes: Array(bytes)) else { return }
        #expect([value(reader, 0), value(reader, 1)] == [record["n"], record["d"]])
      }
    }
  }
}

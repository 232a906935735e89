@_spi(Engine) import StreamCore
import Testing

/// Lines that are read as rows have the fields that a `JSONReader` finds in them.
@Suite("Reading rows of JSON")
struct JSONRowTests {
  private static let fields = RowFields([
    .init("a"), .init("t"), .init("long name"), .init("missing"), .init("b"), .init("x y"),
  ])

  private func value(_ rows: LineRows, _ cell: Int) -> Value? {
    if !rows.row[cell].isThere { return nil }
    let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    place.initialize(to: .null)
    defer {
      place.deinitialize(count: 1)
      place.deallocate()
    }
    rows.put(cell, into: place)
    return place.pointee
  }

  /// Reads a text to its end: rows while their layout is known, then a line from which the layout is learned.
  ///
  /// - Parameters:
  ///   - batch: the batch into which the text is read ahead, if any.
  ///   - limit: how many rows at once, at most.
  ///   - look: called for each row, with the expected line.
  private func readAll(
    _ text: [UInt8], _ reader: JSONLineReader, _ rows: LineRows, ahead batch: RowBatch? = nil, atMost limit: Int,
    _ look: (ArraySlice<UInt8>) -> Void
  ) {
    PaddedBytes.with(text) { padded in
      var start = 0
      batch?.read(padded, by: rows.plan)
      while start < text.count {
        let rest = padded.dropFirst(start)
        let count = rows.read(rest, from: batch, atMost: limit)
        if count > limit { Issue.record("more rows than were wanted") }
        for row in 0..<count {
          rows.current = row
          let end = text[start...].firstIndex(of: 0x0A) ?? text.endIndex
          if rows.line(of: row).count != end - start + 1 || end == text.endIndex {
            Issue.record("another line: \(text[start..<end])")
          }
          look(text[start..<end])
          start = end + 1
        }
        guard start < text.count, let end = text[start...].firstIndex(of: 0x0A) else { return }
        PaddedBytes.with(Array(text[start..<end])) { line in try? reader.read(line) }
        start = end + 1
      }
    }
  }

  @Test("Any lines, one after the other, some at once", arguments: [false, true])
  func agrees(areReadAhead: Bool) {
    var found = (rows: 0, canonical: 0, missing: 0)
    for seed in 0..<8 { agrees(seed, areReadAhead, &found) }
    // Otherwise no line was read as a row.
    let texts = 8 * LineGenerator.count / 50
    #expect(found.rows * 2 > 15 * texts)
    #expect(found.canonical * 2 > 5 * texts)
    #expect(found.missing * 2 > 5 * texts)
  }

  private func agrees(
    _ seed: Int, _ areReadAhead: Bool, _ found: inout (rows: Int, canonical: Int, missing: Int)
  ) {
    var lines = LineGenerator(seed: UInt64(seed))
    let reader = JSONLineReader()
    let rows = reader.readRows(Self.fields)
    // It has not room for all lines.
    let batch = areReadAhead ? RowBatch(capacity: 40) : nil
    let texts = LineGenerator.count / 50
    for _ in 0..<texts {
      var text: [UInt8] = []
      for _ in 0..<50 { text += lines.next() + [0x0A] }
      // The last one is not whole.
      if seed % 2 == 1 { text += lines.next() }
      readAll(text, reader, rows, ahead: batch, atMost: seed % 3 == 0 ? 1 : 64) { line in
        found.rows += 1
        let text = String(decoding: line, as: UTF8.self)
        guard case .success(.map(let record)) = StreamCoreTests.read(bytes: Array(line)) else {
          Issue.record("no record: \(text)")
          return
        }
        for (cell, field) in Self.fields.fields.enumerated() {
          let read = value(rows, cell)
          if read == nil { found.missing += 1 }
          if read.map(JSONWriter.compact) != record[field.name].map(JSONWriter.compact) || read != record[field.name] {
            Issue.record("another value of '\(field.name)': \(text)")
          }
        }
        if rows.isCanonical {
          found.canonical += 1
          let written = JSONWriter.compact(.map(record))
          if written != text, written + "\r" != text { Issue.record("written in another way: \(text)") }
        }
        guard case .map(let part) = rows.record().pointee, part.keys == record.keys, part["a"] == record["a"] else {
          Issue.record("another record: \(text)")
          return
        }
      }
    }
  }

  @Test("Rows that have been read ahead are of no use once their fields are others")
  func otherFields() throws {
    let reader = JSONLineReader()
    let rows = reader.readRows(RowFields([.init("a"), .init("b")]))
    let line = Array("{\"a\":1,\"b\":2}\n".utf8)
    readAll(line + line, reader, rows, atMost: 64) { _ in }
    let batch = RowBatch(capacity: 8)
    try PaddedBytes.with(line + line) { text in
      batch.read(text, by: rows.plan)
      // A reader finds a line break here only if it has seen it before.
      let begun = PaddedBytes(unsafe: try #require(text.bytes.baseAddress), count: 5)
      #expect(rows.read(begun, atMost: 1) == 0)
      #expect(rows.read(begun, from: batch, atMost: 1) == 1)
      #expect(rows.read(text, from: batch, atMost: 1) == 1)
      #expect(rows.isCanonical && value(rows, 0) == 1 && value(rows, 1) == 2)
      let others = reader.readRows(RowFields([.init("b")]))
      #expect(others.read(text, from: batch, atMost: 2) == 0)
    }
  }

  @Test("A truncated line is not a row")
  func borders() {
    let reader = JSONLineReader()
    let rows = reader.readRows(Self.fields)
    let line = Array(#"{"t":1700000000000,"a":-12.5,"b":"text","c":true,"d":[1,{"e":null}]}"#.utf8) + [0x0A]
    readAll(line + line, reader, rows, atMost: 64) { _ in }
    for end in 0...2 * line.count {
      // A reader that never finds rows stops the search.
      PaddedBytes.with(line + line) { text in #expect(rows.read(text, atMost: 2) == 2) }
      rows.current = rows.count
      PaddedBytes.with(Array((line + line)[..<end])) { text in
        #expect(rows.read(text, atMost: 64) == end / line.count)
      }
      rows.current = rows.count
    }
  }

  @Test("A row is never longer than a string may be")
  func limits() {
    let reader = JSONLineReader(limits: JSONLimits(depth: 8, bytes: 12))
    let rows = reader.readRows(RowFields([.init("a")]))
    let text = "{\"a\":1}\n{\"a\":123}\n{\"a\":12345678}\n{\"a\":2}\n"
    var values: [Value?] = []
    readAll(Array(text.utf8), reader, rows, atMost: 64) { _ in values.append(value(rows, 0)) }
    #expect(values == [123, 2])
  }

  @Test("A field of the wrong kind makes a line no row")
  func kinds() {
    let reader = JSONLineReader()
    let rows = reader.readRows(RowFields([.init("n", .double), .init("d")]))
    let lines = [
      (#"{"n":1.5,"d":"x"}"#, false), (#"{"n":2.5,"d":null}"#, true), (#"{"n":2,"d":"x"}"#, false),
      (#"{"n":-0.5,"d":true}"#, true), (#"{"n":"x","d":1}"#, false), (#"{"d":"x"}"#, false), (#"{"d":"y"}"#, false),
      (#"{"n":0.0,"d":-12}"#, true), (#"{"n":123456.7,"d":123456789012}"#, true), (#"{"n":-0.0,"d":-0}"#, true),
      (#"{"n":0.12345678901234,"d":12345678}"#, true), (#"{"n":01.5,"d":1}"#, false), (#"{"n":1.,"d":1}"#, false),
      (#"{"n":1.5,"d":01}"#, false), (#"{"n":1.5,"d":-}"#, false), (#"{"n":1.5,"d":123456789012345678901}"#, false),
      (#"{"n":1234567.,"d":1}"#, false), (#"{"n":12345678.5,"d":1}"#, true), (#"{"n":.5,"d":1}"#, false),
      (#"{"n":1.5,"d":9223372036854775807}"#, false), (#"{"n":1.5,"d":1e3}"#, false),
      (#"{"n":1.5,"d":-1700000000000}"#, true), (#"{"n":1.5,"d":123456789012345}"#, true),
      (#"{"n":1.5,"d":012345678}"#, false),
      (#"{"n":1.5,"d":12345678.}"#, false), (#"{"n":1.5,"d":123456789.5}"#, true),
    ]
    for (line, isRow) in lines {
      var found = false
      readAll(Array(line.utf8) + [0x0A], reader, rows, atMost: 64) { bytes in
        found = true
        guard case .success(.map(let record)) = StreamCoreTests.read(bytes: Array(bytes)) else {
          Issue.record("no record: \(line)")
          return
        }
        let values = [value(rows, 0), value(rows, 1)]
        #expect(values.map { $0.map(JSONWriter.compact) } == ["n", "d"].map { record[$0].map(JSONWriter.compact) })
      }
      #expect(found == isRow, "\(line)")
    }
  }
}

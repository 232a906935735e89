import CEL
@_spi(Engine) import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Testing

/// A stream takes the fields that it reads from a file's lines as rows, without a visible difference.
@Suite struct FileRowsTests {
  /// Lines of a table, or of JSON. Most of them are plain.
  private struct Lines {
    var random: SeededGenerator

    private mutating func one(of count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func any(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }

    private mutating func int() -> String {
      one(of: 30)
        ? any(["-0", "0", "007", "+5", "123456789012345678", "-999999999999999"])
        : "\(Int.random(in: -50...50, using: &random))"
    }

    private mutating func double() -> String {
      if one(of: 30) {
        return any(["5", "-0", "0.0", "1e3", ".5", "12345678.123456789", "0.1234567890123456789", "-7"])
      }
      return "\(Double(Int.random(in: -20_000...20_000, using: &random)) / 10_000)"
    }

    private mutating func text(_ odd: [String]) -> String {
      one(of: 30) ? any(odd) : "t\(Int.random(in: 0...20, using: &random))"
    }

    mutating func row(isBroken: Bool) -> String {
      if one(of: 80) { return any(["", "\r", "\n\n"]) }
      if isBroken, one(of: 150) {
        return any(["1,a", "1,a,0.5,true,x,y", "x,a,0.5,true,b", "1,a,0.5,yes,b", "1,a\"b,1,true,c"])
      }
      let odd = ["", "\"a,b\"", "\"a\nb\"", "\"\"\"\"", "ä", "a b\\c", "\"plain\"", "\t"]
      let end = one(of: 5) ? "\r" : ""
      return "\(int()),\(text(odd)),\(double()),\(one(of: 2)),\(text(odd))\(end)"
    }

    mutating func record(isBroken: Bool) -> String {
      if one(of: 80) { return any(["", " ", "\r"]) }
      if isBroken, one(of: 150) { return any(["{\"n\":", "7", "{}", "{\"n\":1,\"s\":2,\"x\":1,\"ok\":1}"]) }
      let odd = ["\"\"", "\"a,b\"", "\"\\u0041\\n\"", "\"ä\"", "\"a string that is longer than fifteen bytes\""]
      let quoted = one(of: 30) ? any(odd) : "\"t\(Int.random(in: 0...20, using: &random))\""
      let number =
        one(of: 40)
        ? any(["-0.0", "1.5e3", "0.1234567890123456789"])
        : "\(Double(Int.random(in: -20_000...20_000, using: &random)) / 10_000)"
      let rest = one(of: 20) ? "" : ",\"deep\":{\"a\":[1,\"x\"],\"b\":null}"
      return
        "{\"n\":\(Int.random(in: -50...50, using: &random)),\"s\":\(quoted),\"x\":\(number),\"ok\":\(one(of: 2))\(rest)}"
    }
  }

  /// A file that comes in pieces, opened at any place; where `areLines`, as whole lines that may have been read ahead.
  private final class File: ValueFiles, @unchecked Sendable {  // used in one place
    let text: [UInt8]
    let piece: Int
    let areLines: Bool
    private(set) var preparedCount = 0

    init(_ text: String, piece: Int, areLines: Bool) {
      self.text = Array(text.utf8)
      (self.piece, self.areLines) = (piece, areLines)
    }

    func open(_ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace) -> any ValueReader {
      areLines
        ? format.reader(of: LinePieces(self, place.offset), named: path, at: place)
        : format.reader(of: Pieces(text[place.offset...], piece), named: path, at: place)
    }

    private class Pieces: ByteStream, @unchecked Sendable {  // used by one reader, in one place
      var rest: ArraySlice<UInt8>
      private let piece: Int

      init(_ rest: ArraySlice<UInt8>, _ piece: Int) { (self.rest, self.piece) = (rest, piece) }

      func read(atMost count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(min(count, piece)) }
        return Array(rest.prefix(min(count, piece)))
      }
    }

    private final class LinePieces: PieceStream, @unchecked Sendable {
      private let file: File
      private var rest: ArraySlice<UInt8>
      private var memory: UnsafeMutablePointer<UInt8>?
      private let batch = RowBatch(capacity: 50)
      private var plan: RowPlan?
      private var planNumber = -1

      init(_ file: File, _ start: Int) { (self.file, rest) = (file, file.text[start...]) }

      deinit { memory?.deallocate() }

      func nextPiece() -> FilePiece {
        guard !rest.isEmpty else { return .end }
        let head = rest.prefix(file.piece)
        let end = head.lastIndex(of: 0x0A) ?? rest.firstIndex(of: 0x0A) ?? rest.endIndex - 1
        let taken = rest[...end]
        rest = rest[(end + 1)...]
        // The memory of the piece before is overwritten.
        memory?.update(repeating: 0xFF, count: 1)
        memory?.deallocate()
        let made = UnsafeMutablePointer<UInt8>.allocate(capacity: taken.count + PaddedBytes.padding)
        made.initialize(repeating: 0, count: taken.count + PaddedBytes.padding)
        _ = UnsafeMutableBufferPointer(start: made, count: taken.count).update(fromContentsOf: taken)
        memory = made
        let text = PaddedBytes(unsafe: made, count: taken.count)
        batch.forget()
        if let plan { batch.read(text, by: plan) }
        return .bytes(text)
      }

      var rows: RowBatch? { plan == nil ? nil : batch }

      func prepare(_ rows: LineRows) {
        guard planNumber != rows.planNumber else { return }
        planNumber = rows.planNumber
        plan = rows.plan
        file.preparedCount += 1
      }
    }
  }

  private static let type = #"{"n":"int","s":"string","x":"double","ok":"bool"}"#

  private static let streams = [
    #"{"filter":{"expression":"value.x > 0.5"}}"#,
    #"{"filter":{"expression":"value.x > 0.5"}},{"map":{"expression":"{'s': value.s, 'x': value.x * 2.0}"}}"#,
    #"{"map":{"expression":"value.n * 2"}},{"scan":{"initialValue":0,"expression":"acc + value"}}"#,
    #"{"filter":{"expression":"value.ok && value.s != 't3'"}},{"count":{}}"#,
    #"{"filter":{"expression":"value.n < 0"}},{"prefix":{"count":37}}"#,
    #"{"map":{"expression":"100 / (value.n - 13)"}}"#, #"{"map":{"expression":"value.s + '!'"}}"#,
    #"{"map":{"expression":"value"}},{"drop":{"count":20}}"#,
    #"{"filter":{"expression":"value.ok"}},{"last":{}}"#, #"{"map":{"expression":"size(value)"}}"#,
    #"{"filter":{"expression":"value.n > 45"}},{"removeDuplicates":{}},{"share":{}}"#,
    #"{"filter":{"expression":"value.n == 7"}},{"collect":{}}"#, #"{"first":{"expression":"value.x < -1.9"}}"#,
    #"{"removeDuplicates":{"key":"value.ok"}},{"map":{"expression":"value.s"}}"#,
  ]

  private func start(_ pipeline: Pipeline, skipsErrors: Bool) -> Execution {
    let execution = Execution(pipeline, skipsErrors: skipsErrors)
    execution.request(.unlimited)
    return execution
  }

  private func told(_ pipeline: Pipeline, skipsErrors: Bool, restoring: Int = .max) throws -> [String] {
    var execution = start(pipeline, skipsErrors: skipsErrors)
    var told: [String] = []
    while let event = execution.next() {
      told.append(event.text(.all))
      if told.count % restoring == 0 {
        let text = try execution.snapshot().text()
        execution = try Execution(pipeline, restoring: Snapshot(text: text))
      }
    }
    return told
  }

  /// The same with a sink, which refuses an output now and then.
  private func toldToSink(_ pipeline: Pipeline, skipsErrors: Bool, refusing: Int) -> Sink {
    let execution = start(pipeline, skipsErrors: skipsErrors)
    let sink = Sink(refusing: refusing)
    execution.rowSink = sink
    while case .event(let event) = execution.step(atMost: .max) { sink.told.append(event.text(.all)) }
    return sink
  }

  /// Keeps the outputs for rows as texts.
  private final class Sink: RowSink {
    var told: [String] = []
    private(set) var rowCount = 0
    private(set) var canonicalCount = 0
    private let refusing: Int
    private var offers = 0

    /// - Parameter refusing: The interval of the refused outputs.
    init(refusing: Int) { self.refusing = refusing }

    func take(_ output: RowOutput, of rows: LineRows) -> Bool {
      switch output {
      case .record(let record): take(record.value)
      case .input: take(record(of: rows))
      }
    }

    func take(_ value: Value) -> Bool {
      offers += 1
      if offers % refusing == 0 { return false }
      rowCount += 1
      told.append(ExecutionEvent.value(value).text(.all))
      return true
    }

    private func record(of rows: LineRows) -> Value {
      let record = rows.record().pointee
      if let other = rows.outputRecord { #expect(other.value == record) }
      if rows.isCanonical {
        canonicalCount += 1
        #expect(String(decoding: rows.line.bytes, as: UTF8.self) == written(record, asFields: rows.columns != nil))
      }
      return record
    }

    /// A record as JSON, or as fields of a table.
    private func written(_ record: Value, asFields: Bool) -> String {
      guard asFields, case .map(let map) = record else { return JSONWriter.compact(record) }
      return map.slots.map { slot in
        guard let text = slot.text else { return JSONWriter.compact(slot) }
        return text.contains(",") ? "\"\(text)\"" : text
      }.joined(separator: ",")
    }
  }

  @Test("A file as rows has the same events as its values", arguments: 0..<3, ["csv", "ndjson", "ndjson of a type"])
  func saysTheSame(_ seed: Int, _ kind: String) throws {
    var lines = Lines(random: SeededGenerator(seed: UInt64(seed)))
    let isTable = kind == "csv"
    let texts = (0..<240).map { _ in
      isTable ? lines.row(isBroken: seed % 3 == 2) : lines.record(isBroken: seed % 3 == 2)
    }
    let content = (isTable ? "n,s,x,ok,other\n" : "") + texts.joined(separator: "\n") + (seed % 2 == 0 ? "\n" : "")
    let type = kind == "ndjson" ? "\"dyn\"" : Self.type
    var (compared, rowCount, canonicalCount, preparedCount) = (0, 0, 0, 0)
    for (number, operators) in Self.streams.enumerated() {
      let model = try StreamModel(
        parsing: #"""
          {"source": {"file": {"path": "f", "format": "\#(isTable ? "csv" : "ndjson")", "type": \#(type)}},
           "operators": [\#(operators)]}
          """#)
      let skipsErrors = number % 2 == 0
      var options = CompileOptions(files: File(content, piece: 1 << 20, areLines: false))
      options.fuses = false
      let expected = try told(try model.compile(options), skipsErrors: skipsErrors)
      compared += expected.count
      for (piece, areLines) in [(1 << 20, false), (91, false), (3_000, false), (91, true), (3_000, true)] {
        let file = File(content, piece: piece, areLines: areLines)
        let pipeline = try model.compile(CompileOptions(files: file))
        #expect(try told(pipeline, skipsErrors: skipsErrors) == expected, "\(operators)")
        if piece == 3_000 {
          #expect(try told(pipeline, skipsErrors: skipsErrors, restoring: 41) == expected, "\(operators)")
        }
        let sink = toldToSink(pipeline, skipsErrors: skipsErrors, refusing: 2 + number)
        #expect(sink.told == expected, "\(operators)")
        rowCount += sink.rowCount
        canonicalCount += sink.canonicalCount
        preparedCount += file.preparedCount
      }
    }
    // A broken line may end them all early.
    #expect(compared > (seed % 3 == 2 ? 20 : 600))
    #expect(rowCount > (seed % 3 == 2 ? 10 : 1_500))
    #expect(canonicalCount > (seed % 3 == 2 ? 0 : 60))
    #expect(preparedCount > 10)
  }

  @Test(
    "Texts in quotation marks, and of any letters, are rows too",
    arguments: [
      ["csv", "n,s\n", "#,\"a, b\"\n"], ["csv", "n,s\n", "#,äöü €uro 🙂 #\n"], ["csv", "n,s\r\n", "#,\"\"\r\n"],
      ["csv", "\"n\",\"s, t\",s\n", "#,\"x,y\",\"z\"\n"], ["ndjson", "", "{\"n\":#,\"s\":\"ä# 🙂\",\"é\":1}\n"],
    ])
  func anyTexts(_ file: [String]) throws {
    let content =
      file[1]
      + (0..<1_000).map { file[2].split(separator: "#", omittingEmptySubsequences: false).joined(separator: "\($0)") }
      .joined()
    for operators in [
      #"{"map":{"expression":"{'s': value.s, 'n': value.n}"}}"#, #"{"filter":{"expression":"value.n > 9"}}"#,
    ] {
      let model = try StreamModel(
        parsing: #"""
          {"source": {"file": {"path": "f", "format": "\#(file[0])", "type": {"n": "int", "s": "string"}}},
           "operators": [\#(operators)]}
          """#)
      let pipeline = try model.compile(CompileOptions(files: File(content, piece: 1 << 20, areLines: true)))
      var options = CompileOptions(files: File(content, piece: 1 << 20, areLines: false))
      options.fuses = false
      let expected = try told(try model.compile(options), skipsErrors: false)
      let sink = toldToSink(pipeline, skipsErrors: false, refusing: 100)
      #expect(sink.told == expected)
      #expect(expected.count >= 990)
      #expect(sink.rowCount > 700)
    }
  }
}

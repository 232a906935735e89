import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

@testable import StreamDriving
@testable import StreamFiles

/// In event time, a stream takes rows with the same result as record by record.
@Suite struct EventTimeRowsTests {
  /// Writes lines of JSON to a buffer of its own. If it writes times, the stream takes record by record.
  private final class LineRecorder: ValueWriter {
    private let inner = NDJSONWriter(nil)
    private let buffer = OutputBuffer(FileDescriptor(number: Subprocess.openWrite("/dev/null")))
    let writesTimes: Bool

    init(writesTimes: Bool) { self.writesTimes = writesTimes }

    var lines: [String] { String(decoding: buffer.bytes, as: UTF8.self).split(separator: "\n").map(String.init) }

    func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) throws(Diagnostic) {
      try inner.write(value, at: time, to: buffer)
    }

    func write(_ record: OutputRecord, to output: OutputBuffer) -> Bool { inner.write(record, to: buffer) }

    func write(_ line: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) -> Bool { inner.write(line, to: buffer) }
  }

  /// A run of a stream by the command, in this process.
  private struct EventTimeRun {
    var operators: String
    var clock: String
    var type = ""
    var skips = true
    var limit: Int?
    var pieceSize = 3_000
    var readingAhead = ReadAheadPolicy.never

    struct Result: Equatable {
      var lines: [String]
      var end: String
      var skipped: [Int]
      var lateCount: Int
    }

    func result(_ text: String, byRows: Bool = true) throws -> (result: Result, tookRows: Bool) {
      let folder = Fixture.Folder()
      let console = Console(
        color: .never, access: FileAccess(granted: [folder.path]),
        errors: FileDescriptor(number: Subprocess.openWrite("/dev/null")))
      let stream = try console.makeLoader().load(
        folder.add(
          "s.json", #"{"inputs": {"i": {\#(type)}}, "source": {"input": {"name": "i"}}, "operators": [\#(operators)]}"#)
      )
      let pipeline = try stream.compile(CompileOptions())
      let report = SkipReport(console, skips: skips)
      let feed = FileFeed(
        0, name: "i", file: "i", descriptor: try FileDescriptor.open(folder.add("i", text)),
        type: pipeline.inputs[0].type, report: report, readingAhead: readingAhead, pieces: pieceSize)
      defer { feed.retire() }
      let queues = RecordQueues(try InputClocks(of: pipeline, EventTimeRequest(expression: clock)))
      let queue = queues.queue(of: feed)
      let writer = LineRecorder(writesTimes: !byRows)
      var end = "ended"
      do throws(RunStop) {
        let origin = try queues.origin(of: [feed])
        let session = RunSession(
          StreamSession(pipeline, origin: origin, skipsErrors: skips, limit: .none), feeds: [feed], until: nil,
          limit: limit, outputs: RunOutputs(writer, console), console: console,
          report: report, reportsHooks: false
        ) { Diagnostic(.streamFailed, $0.message) }
        defer { session.close() }
        let driver = VirtualDriver(session: session, queues: queues)
        try driver.run()
      } catch {
        switch error {
        case .failed(let failure): end = "failed: \(failure)"
        case .refused(let diagnostic, _): end = "refused: \(diagnostic)"
        default: end = "\(error)"
        }
      }
      let result = Result(
        lines: writer.lines, end: end, skipped: [report.lineCount, report.valueCount], lateCount: queues.lateCount)
      return (result, queue.rowTimes.count > 0)
    }
  }

  // MARK: Data

  /// The milliseconds of a record's time, as JSON; one in `period` is unusual.
  private static func time(_ number: Int, _ state: UInt64, period: UInt64) -> String {
    let plain = 1_700_000_000_000 + number * 5
    guard state % period == 0 else { return "\"t\":\(plain)," }
    switch state / period % 14 {
    case 0: return "\"t\":\(plain - 1_000),"
    case 1: return "\"t\":\(plain).25,"
    case 2: return ""
    case 3: return "\"t\":null,"
    case 4: return "\"t\":\"\(plain)\","
    case 5: return "\"t\":99999999999999,"
    case 6: return "\"t\":-5,"
    case 7: return "\"t\":-0,"
    case 8: return "\"t\":9223372036854775807,"
    case 9: return "\"t\":1e300,"
    case 10: return "\"t\":true,"
    case 11: return "\"t\": \(plain),"
    case 12: return "\"t\":\(plain),\"t\":\(plain + 1),"
    default: return "\"t\":0.5,"
    }
  }

  private static func lines(seed: UInt64, count: Int = 400, period: UInt64 = 9) -> String {
    // Any numbers, the same in every run.
    var state = seed &* 77 &+ 1
    return (0..<count).map { number in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let other = state >> 33
      if number > 0, other % 97 == 5 { return "{\"n\":" }
      let time = number == 0 ? "\"t\":1700000000000," : time(number, other, period: period)
      let minute = Int(other / 3 % 60)
      let text = other % 31 == 7 ? "soon" : "2023-11-14T22:\(minute < 10 ? "0" : "")\(minute):00Z"
      return "{\"n\":\(number),\(time)\"k\":\(other % 7),\"s\":\"\(number == 0 ? "2023-11-14T22:00:00Z" : text)\"}"
    }.joined(separator: "\n")
  }

  static let streams: [String] = [
    #"{"filter": {"expression": "value.k > 2"}}"#,
    #"{"map": {"expression": "{'k': value.k, 'double': value.n * 2}"}}"#,
    #"{"map": {"expression": "value.t"}}, {"removeDuplicates": {}}"#,
    #"{"map": {"expression": "10 / value.k"}}, {"scan": {"initialValue": 0, "expression": "acc + value"}}"#,
    #"{"filter": {"expression": "value.n % 2 == 0"}}, {"prefix": {"count": 200}}"#,
    #"{"map": {"expression": "value.k"}}, {"count": {}}"#,
    #"""
    {"groupBy": {"key": "value.k", "operators": [
      {"scan": {"initialValue": 0, "expression": "acc + value.n"}},
      {"map": {"expression": "{'k': key, 'total': value}"}}]}}
    """#,
    #"{"filter": {"expression": "value.n > 100"}}, {"withPrevious": {}}"#,
  ]

  // MARK: Tests

  @Test("Rows have the same output as records", arguments: streams, ["value.t", "value.t + 1", "timestamp(value.s)"])
  func agrees(_ operators: String, _ clock: String) throws {
    var (lateCount, rowRuns) = (0, 0)
    for seed in 0..<12 as Range<UInt64> {
      let text = Self.lines(seed: seed, period: [9, 100][Int(seed % 2)])
      var run = EventTimeRun(operators: operators, clock: clock)
      run.pieceSize = [300, 3_000, 100_000][Int(seed % 3)]
      run.type = seed % 4 == 3 && !operators.contains("value.t") ? #""type": {"n": "int", "k": "int"}"# : ""
      run.readingAhead = seed % 5 == 4 ? .after(0) : .never
      run.limit = seed % 6 == 5 ? 50 : nil
      let (result, tookRows) = try run.result(text)
      #expect(try run.result(text, byRows: false) == (result, false))
      if tookRows { rowRuns += 1 }
      #expect(!result.lines.isEmpty)
      lateCount += result.lateCount
      run.skips = false
      let refused = try run.result(text)
      #expect(try run.result(text, byRows: false).result == refused.result)
    }
    #expect(lateCount > 12)
    // A stream that keeps whole records takes no rows, and one in which a value has failed takes no more.
    #expect(operators.contains("withPrevious") ? rowRuns == 0 : rowRuns > 8)
  }

  @Test("Each kind of time in the middle of rows is read as a record's", arguments: 0..<14 as Range<UInt64>)
  func eachTime(_ kind: UInt64) throws {
    for place in [1, 63, 64, 65, 200] {
      let lines = (0..<300).map { number in
        "{\"n\":\(number),\(Self.time(number, number == place ? kind * 1_000 : 1, period: 1_000))\"k\":\(number % 3)}"
      }
      for skips in [true, false] {
        var run = EventTimeRun(operators: Self.streams[0].replacing("2", with: "0"), clock: "value.t")
        run.skips = skips
        let (result, tookRows) = try run.result(lines.joined(separator: "\n"))
        #expect(try run.result(lines.joined(separator: "\n"), byRows: false) == (result, false))
        #expect(tookRows || (!skips && place == 1))
        // The kinds that are times, and those of them before the latest.
        let isTime = [0, 1, 6, 7, 11, 13].contains(kind)
        #expect(result.end == "ended" || (!skips && !isTime && result.end.contains("S305")) || kind == 12, "\(result)")
        #expect(result.lateCount == ([0, 6, 7, 13].contains(kind) ? 1 : 0) || kind == 12)
      }
    }
  }

  @Test("A stream that depends on the time takes no rows, nor one whose time depends on two fields")
  func noRows() throws {
    let text = Self.lines(seed: 1)
    for (operators, clock) in [
      (#"{"debounce": {"seconds": 0.01}}"#, "value.t"), (#"{"map": {"expression": "string(now())"}}"#, "value.t"),
      (Self.streams[0], "value.t + value.n"), (Self.streams[0], "[value][0].t"),
    ] {
      let run = EventTimeRun(operators: operators, clock: clock)
      let (result, tookRows) = try run.result(text)
      #expect(try run.result(text, byRows: false) == (result, false))
      #expect(!tookRows)
      #expect(!result.lines.isEmpty)
    }
  }
}

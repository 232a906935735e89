internal import CEL
@_spi(Engine) internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// A file that feeds an input.
package final class FileFeed {
  /// The input's number in the pipeline.
  @exclusivity(unchecked) private(set) var number: Int
  private(set) var name: String
  /// The file as diagnostics call it.
  let file: String
  let descriptor: FileDescriptor
  private let pieces: FilePieces
  private let source: RecordSource
  private let report: SkipReport
  /// Whether the file has come to its end.
  @exclusivity(unchecked) private(set) var isDone = false
  /// Whether it no longer feeds an input, since the stream that runs now has none for it.
  @exclusivity(unchecked) private(set) var isRetired = false
  /// Number of values read.
  @exclusivity(unchecked) private(set) var count = 0
  /// Number of values before the stream is asked again whether it takes rows, and the next such number.
  @exclusivity(unchecked) private var pause = (left: 0, next: 1)
  private static let longestPause = 256

  /// - Parameters:
  ///   - format: The format of the file. Default one JSON value per line.
  ///   - type: The declared type of the input.
  ///   - size: The number of bytes to read at once.
  init(
    _ number: Int, name: String, file: String, descriptor: FileDescriptor, format: FileFormat = .ndjson, type: CELType,
    report: SkipReport, readingAhead: ReadAheadPolicy = .never, pieces size: Int = 256 * 1024
  ) {
    self.number = number
    self.name = name
    self.file = file
    self.descriptor = descriptor
    self.report = report
    pieces = FilePieces(descriptor, format, size: size, readingAhead: readingAhead)
    source = RecordSource(pieces, named: file, format, type)
  }

  /// Feeds another input from now on, as when the stream has become another one.
  func assign(to number: Int, name: String, type: CELType) {
    self.number = number
    self.name = name
    source.declare(type)
  }

  /// Returns the next valid value; invalid ones are skipped if requested.
  func next() throws(RunStop) -> RecordSource.Step {
    while true {
      do throws(RecordSource.Problem) {
        let step = try source.next()
        switch step {
        case .record: count += 1
        case .incomplete: break
        case .end: isDone = true
        }
        return step
      } catch {
        try skip(error)
      }
    }
  }

  // MARK: Problems

  /// Skips a record that cannot be used, or ends the run.
  private func skip(_ problem: RecordSource.Problem) throws(RunStop) {
    switch problem {
    case .unreadable(let diagnostic):
      // Reading cannot continue after some errors, such as the missing end of an array.
      guard source.isPastProblem else { throw .refused(diagnostic, nil) }
      let (kind, line) = (source.kind, sourceOfLine)
      // Data that are not text are not shown.
      let shown = kind?.message == nil ? line : nil
      try report.skipLine(
        line.map { locate(diagnostic, in: $0) } ?? diagnostic, shown,
        kind: kind ?? (source.format == .ndjson ? .text : nil))
    case .mismatch(let problem, let value):
      let line = sourceOfLine
      try report.skipValue(mismatch(problem, value, line), line)
    }
  }

  /// Skips the value returned last, or ends the run; the diagnostic refers to its line.
  func refuseLatest(_ diagnostic: Diagnostic) throws(RunStop) {
    let line = sourceOfLine
    var located = diagnostic
    located.location = line.map { $0.location(of: 0..<$0.bytes.count) } ?? source.location
    try report.skipValue(located, line)
  }

  private var sourceOfLine: SourceText? {
    source.latestLine.map {
      SourceText(file: file, linesOfFeeds: Array($0.bytes), firstLine: source.location.line)
    }
  }

  /// Returns a diagnostic with its position in a line instead of in the file.
  private func locate(_ diagnostic: Diagnostic, in line: SourceText) -> Diagnostic {
    guard var location = diagnostic.location else { return diagnostic }
    let start = source.location.bytes.lowerBound
    let bytes = location.bytes
    location.bytes = max(bytes.lowerBound - start, 0)..<max(bytes.upperBound - start, 0)
    var located = diagnostic
    located.location = location
    return located
  }

  private func mismatch(_ problem: InputConversion.Problem, _ value: Value, _ line: SourceText?) -> Diagnostic {
    let pointer = JSONPointer(problem.tokens)
    var location = source.location
    if let line {
      let document = source.format == .ndjson ? try? JSONDocument(reading: line.bytes, file: file) : nil
      location = line.location(of: document?.range(of: pointer) ?? 0..<line.bytes.count)
    }
    return Diagnostic(
      .inputTypeMismatch, "\(source.message(of: problem, in: value) ?? problem.message), in the input '\(name)'",
      at: pointer,
      help: "change the input's 'type' in the stream file, or skip such values with --skip-errors",
      location: location)
  }

  // MARK: Rows

  /// Returns the storage for reading these fields ahead; nil if a declared type requires more fields to be checked.
  func rows(of fields: [String]) -> LineRows? { source.rows(of: fields) }

  /// Returns the fields of rows that a stream reads; nil if it takes values now. A stream that has taken no rows is asked
  /// less and less often.
  func rowFields(of stream: StreamSession) -> [String]? {
    if pause.left > 0 {
      pause.left -= 1
      return nil
    }
    let fields = stream.rowFields(of: number)
    pause = fields == nil ? (pause.next, min(2 * pause.next, Self.longestPause)) : (0, 1)
    return fields
  }

  /// Reads available lines ahead and returns their number; lines that are not taken are read again.
  func readRows(_ rows: LineRows, atMost limit: Int) -> Int { source.readRows(rows, atMost: limit) }

  /// Takes the lines off that were read ahead, up to this row and with it.
  func take(_ rows: LineRows, through row: Int) { count += source.take(rows, through: row) }

  /// The line that was read last, for values that are written as they came: nil if it is not one of JSON.
  var latestLine: PaddedBytes? { source.format == .ndjson ? source.latestLine : nil }

  // MARK: Reading

  /// The reader of the format.
  var formatReader: (any FormatReader)? { source.formatReader }

  /// Stops feeding, and closes the file.
  func retire() {
    isRetired = true
    isDone = true
    pieces.stop()
    if descriptor != .standardInput { descriptor.close() }
  }

  /// The descriptor that becomes readable when more of the file is available.
  var signal: FileDescriptor { pieces.signal }

  /// Whether more of the file can be read without a wait, for it has been, or soon will be.
  var comesAtOnce: Bool { pieces.comesAtOnce }

  /// Whether more of the file can be read without a wait.
  var isReadable: Bool { pieces.isOver || comesAtOnce || Waiting.isReadable(signal) }

  /// Reads more of the file. May block.
  func fill() throws(RunStop) {
    do throws(SystemError) {
      try pieces.fill()
    } catch {
      throw .refused(error.diagnostic(reading: file), nil)
    }
  }

  /// Waits for more data and reads it, after flushing the output.
  func waitAndFill(_ beforeBlocking: () throws(RunStop) -> Void) throws(RunStop) {
    if !isReadable {
      try beforeBlocking()
      _ = Waiting.readable([signal], nanoseconds: nil)
    }
    if Interruption.hasHappened { throw .interrupted }
    try fill()
  }
}

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
  /// The file, or the pattern of files, as the command line names it.
  let argument: String
  /// The file that is read. A series of files is read one after another, or in turns.
  @exclusivity(unchecked) private var current: FeedFile
  @exclusivity(unchecked) private var pieces: FilePieces
  @exclusivity(unchecked) private var source: RecordSource
  /// The other files; nil if there is one file that does not grow.
  private let series: (any FeedSeries)?
  private var type: CELType
  /// The file as diagnostics call it.
  var file: String { current.name }
  var descriptor: FileDescriptor { current.descriptor }
  /// Whether it is a regular file that does not grow, rather than a pipe or a device.
  var isRegular: Bool { current.isRegular && !follows }
  private let report: SkipReport
  /// Whether the file has come to its end.
  @exclusivity(unchecked) private(set) var isDone = false
  /// Whether it no longer feeds an input, since the stream that runs now has none for it.
  @exclusivity(unchecked) private(set) var isRetired = false
  /// Number of values read.
  @exclusivity(unchecked) private(set) var count: Int
  /// Number of values before the stream is asked again whether it takes rows, and the next such number.
  @exclusivity(unchecked) private var pause = (left: 0, next: 1)
  private static let longestPause = 256

  /// - Parameters:
  ///   - format: The format of the file. Default one JSON value per line.
  ///   - type: The declared type of the input.
  ///   - size: The number of bytes to read at once.
  ///   - position: The position from which the file continues. Default nil: the start.
  ///   - start: How reading begins. Default where the file is, without a trace of its content.
  ///   - continuesPipe: Whether it has the rest of what a pipe has brought. Default false.
  convenience init(
    _ number: Int, name: String, file: String, descriptor: FileDescriptor, format: FileFormat = .ndjson, type: CELType,
    report: SkipReport, readingAhead: ReadAheadPolicy = .never, pieces size: Int = 256 * 1024,
    resuming position: FeedPosition? = nil, from start: ContentStart = ContentStart(), continuesPipe: Bool = false
  ) {
    let pieces = FilePieces(
      descriptor, format, named: file, size: size, readingAhead: readingAhead, from: start)
    let file = FeedFile(
      file, descriptor, pieces, format, type, resuming: position, continuesPipe: continuesPipe)
    self.init(number, name: name, argument: file.name, file: file, type: type, report: report)
    count = position?.recordCount ?? 0
    isDone = position?.isDone ?? false
  }

  /// Creates the feed of a series of files.
  ///
  /// - Parameter file: The first file to read.
  init(
    _ number: Int, name: String, argument: String, file: FeedFile, series: (any FeedSeries)? = nil, type: CELType,
    report: SkipReport, count: Int = 0, isDone: Bool = false
  ) {
    (self.number, self.name, self.argument, self.type) = (number, name, argument, type)
    (current, pieces, source) = (file, file.pieces, file.source)
    (self.series, self.report, self.count, self.isDone) = (series, report, count, isDone)
  }

  /// Whether files are followed: there may be more to read though no descriptor becomes readable.
  var follows: Bool { series?.follows == true }

  private func use(_ file: FeedFile) {
    if file === current { return }
    (current, pieces, source) = (file, file.pieces, file.source)
    source.declare(type)
  }

  /// How far each file of the input has been read.
  ///
  /// - Throws: Why the content of a file cannot be read again to recognize it.
  func positions() throws(RunStop) -> [FeedPosition] {
    guard let series else { return [try position()] }
    do throws(SystemError) {
      return try series.positions(of: name, current: current, recordCount: count, isDone: isDone)
    } catch {
      throw .refused(error.diagnostic(reading: argument, isFed: true), nil)
    }
  }

  /// How far the file has been read.
  ///
  /// - Throws: Why its content cannot be read again to recognize it.
  func position() throws(RunStop) -> FeedPosition {
    do throws(SystemError) {
      return try current.position(of: name, recordCount: count, isDone: isDone)
    } catch {
      throw .refused(error.diagnostic(reading: file, isFed: true), nil)
    }
  }

  /// Feeds another input from now on, as when the stream has become another one.
  func assign(to number: Int, name: String, type: CELType) {
    self.number = number
    self.name = name
    self.type = type
    source.declare(type)
  }

  /// Returns the next valid value; invalid ones are skipped if requested.
  func next() throws(RunStop) -> RecordSource.Step {
    while true {
      let step: RecordSource.Step
      do throws(RecordSource.Problem) {
        step = try source.next()
      } catch {
        try skip(error)
        continue
      }
      switch step {
      case .record: count += 1
      case .incomplete: break
      case .end:
        if let next = try series?.next(after: current, type) {
          use(next)
          continue
        }
        isDone = true
      }
      return step
    }
  }

  // MARK: Problems

  /// Skips a record that cannot be used, or ends the run.
  private func skip(_ problem: RecordSource.Problem) throws(RunStop) {
    switch problem {
    case .unreadable(let diagnostic):
      let (kind, line) = (source.kind, sourceOfLine)
      // Data that are not text are not shown.
      let shown = kind?.message == nil ? line : nil
      let located = line.map { locate(diagnostic, in: $0) } ?? diagnostic
      // Reading cannot continue after some errors, such as the missing end of an array.
      guard source.isPastProblem else { throw .refused(located, shown) }
      try report.skipLine(located, shown, kind: kind ?? (source.format == .ndjson ? .text : nil))
    case .mismatch(let problem, let value):
      let line = sourceOfLine
      try report.skipValue(mismatch(problem, value, line), line)
    }
  }

  /// Skips the value returned last, or ends the run; the diagnostic refers to its line.
  func refuseLatest(_ diagnostic: Diagnostic) throws(RunStop) { try refuse(diagnostic, at: latestPlace) }

  /// Skips a value, or ends the run.
  func refuse(_ diagnostic: Diagnostic, at place: ValuePlace?) throws(RunStop) {
    guard case .data(let location, let line) = place else { return try report.skipValue(diagnostic, nil) }
    var located = diagnostic
    located.location = location
    try report.skipValue(located, line)
  }

  /// The place of the value returned last.
  var latestPlace: ValuePlace {
    let line = sourceOfLine
    return .data(line.map { $0.location(of: 0..<$0.bytes.count) } ?? source.location, line: line)
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
    let names = value[pointer]?.map?.keys.compactMap(\.text) ?? []
    let near = problem.missing.flatMap { nearestName(to: $0, among: names) }
    let advice = "change the input's 'type' in the stream file, or skip such values with --skip-errors"
    return Diagnostic(
      .inputTypeMismatch, "\(source.message(of: problem, in: value) ?? problem.message), in the input '\(name)'",
      at: pointer,
      help: source.help(of: problem, in: value) ?? (near.map { "the value has '\($0)': \(advice)" } ?? advice),
      location: location)
  }

  // MARK: Rows

  /// Feeds another input with rows from now on.
  ///
  /// - Parameter type: The type that the rows must have.
  func assignRows(to number: Int, type: CELType) {
    self.number = number
    pause = (0, 1)
    source.declareRows(type)
  }

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

  /// The line of a value, if it is one of JSON.
  func line(at place: ValuePlace?) -> [UInt8]? {
    guard source.format == .ndjson, case .data(_, let line) = place else { return nil }
    return line?.bytes
  }

  // MARK: Reading

  /// Number of bytes of a regular file that have not been read; nil for other files.
  var bytesBehind: Int? {
    guard !isRetired, let status = try? descriptor.status(), status.kind == .regular else { return nil }
    return isDone ? 0 : max(0, status.size - source.location.bytes.upperBound)
  }
  /// The reader of the format.
  var formatReader: (any FormatReader)? { source.formatReader }

  /// Whether its first value is complete, but waits for what follows.
  var isHolding: Bool { !isDone && source.formatReader?.isHolding == true }
  /// Returns this value next.
  func stopHolding() { source.formatReader?.stopHolding() }
  /// Whether the input has no declared type.
  var isUntyped: Bool { type == .dyn }
  /// The format of the file.
  var format: FileFormat { source.format }

  /// Stops feeding, and closes the file.
  func retire() {
    isRetired = true
    isDone = true
    pieces.stop()
    series?.close()
    if follows { return }
    if descriptor != .standardInput { descriptor.close() }
  }

  /// The descriptor that becomes readable when more of the file is available.
  ///
  /// NB: None does for a file that grows: the run checks it several times a second.
  var signal: FileDescriptor { series?.signal ?? pieces.signal }

  /// Whether more of the file can be read without a wait, for it has been, or soon will be.
  var comesAtOnce: Bool { pieces.comesAtOnce }

  /// Whether more of the file can be read without a wait.
  var isReadable: Bool {
    if let series, series.follows { return pieces.isOver || series.hasMore(than: current) }
    return pieces.isOver || comesAtOnce || Waiting.isReadable(signal)
  }

  /// Reads more of the file. May block.
  func fill() throws(RunStop) {
    if let series, series.follows { use(try series.readable(current, type)) }
    do throws(SystemError) {
      try pieces.fill()
    } catch {
      throw .refused(error.diagnostic(reading: file), nil)
    }
    series?.noteRead(current)
  }

  /// Waits for more data and reads it, after flushing the output.
  func waitAndFill(_ beforeBlocking: () throws(RunStop) -> Void) throws(RunStop) {
    if !isReadable {
      try beforeBlocking()
      let longest = isHolding ? FirstLines.patience : follows ? FollowingService.interval : nil
      let isReadable = Waiting.readable([signal], nanoseconds: longest)[0]
      if isHolding, !isReadable, !Interruption.hasHappened { return stopHolding() }
    }
    if Interruption.hasHappened { throw .interrupted }
    try fill()
  }
}

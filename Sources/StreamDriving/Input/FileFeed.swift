internal import CEL
internal import StreamCore
internal import StreamFiles
internal import StreamKit
internal import StreamRuntime

/// A file that feeds an input: one JSON value a line.
package final class FileFeed {
  /// The input's number in the pipeline.
  private(set) var number: Int
  private(set) var name: String
  /// The file as diagnostics call it.
  let file: String
  let descriptor: FileDescriptor
  private let lines: LineReader
  private let reader = JSONLineReader()
  /// Converts values to the declared type; nil for any type.
  @exclusivity(unchecked) private var conversion: RecordConversion?
  private let report: SkipReport
  /// Whether the file has come to its end.
  @exclusivity(unchecked) private(set) var isDone = false
  /// Whether it feeds no input any more, since the stream that runs now has none for it.
  @exclusivity(unchecked) private(set) var isRetired = false
  /// Number of values read.
  @exclusivity(unchecked) private(set) var count = 0
  /// Reads lines ahead into rows, if possible, and the fields requested from it.
  @exclusivity(unchecked) private var rows: LineRows?
  @exclusivity(unchecked) private var rowFields: [String]?
  /// The fast path for rows of this feed; nil before the first row.
  @exclusivity(unchecked) private var rowPath: InputFastPath?
  /// Number of lines read ahead that have been taken.
  @exclusivity(unchecked) private var rowsTaken = 0
  /// The line that was read last. Its bytes stay until more is read.
  @exclusivity(unchecked) private var line: PaddedBytes?

  /// The next item of the feed.
  enum Step {
    case value(Value)
    /// More data must be read first.
    case incomplete
    case end
  }

  init(
    _ number: Int, name: String, file: String, descriptor: FileDescriptor, type: CELType, report: SkipReport,
    readingAhead: ReadingAhead = .never, pieces size: Int = 256 * 1024
  ) {
    self.number = number
    self.name = name
    self.file = file
    self.descriptor = descriptor
    self.report = report
    conversion = type == .dyn ? nil : RecordConversion(type)
    lines = LineReader(descriptor, limit: JSONLimits().bytes, size: size, readingAhead: readingAhead)
  }

  /// Feeds another input from now on, as when the stream has become another one.
  func assign(to number: Int, name: String, type: CELType) {
    self.number = number
    self.name = name
    conversion = type == .dyn ? nil : RecordConversion(type)
    rowFields = nil
  }

  /// Returns the storage for reading these fields ahead; nil if a declared type requires more fields to be checked.
  func rows(of fields: [String]) -> LineRows? {
    if fields == rowFields { return rows }
    rowFields = fields
    rows = RowFields(fields, of: conversion?.type ?? .dyn).map(reader.readRows)
    return rows
  }

  /// Returns the fast path for rows. The execution must not be swapped afterward.
  func rowPath(of execution: Execution) -> InputFastPath {
    if let rowPath { return rowPath }
    let made = InputFastPath(execution, to: number)
    rowPath = made
    return made
  }

  /// Reads available lines ahead and returns their number; lines that are not taken are read again.
  func readRows(_ rows: LineRows, atMost limit: Int) -> Int {
    rowsTaken = 0
    lines.prepare(rows)
    return lines.rest.map { rows.read($0, from: lines.rows, atMost: limit) } ?? 0
  }

  /// Takes the lines off that were read ahead, up to this row and with it.
  func take(_ rows: LineRows, through row: Int) {
    guard row >= rowsTaken else { return }
    let number = row + 1 - rowsTaken
    line = lines.take(number, endingWith: rows.line(of: row))
    rowsTaken += number
    count += number
  }

  /// All of the record whose row was taken last.
  func wholeRow() -> Value {
    guard let line, let value = try? reader.whole(line) else { return .null }
    return (try? conversion?.convert(value)) ?? value
  }

  /// Feeds nothing any more.
  func retire() {
    isRetired = true
    isDone = true
    lines.stop()
    if descriptor != .standardInput { descriptor.close() }
  }

  /// Returns the next valid value; invalid ones are skipped if requested.
  func next() throws(RunStop) -> Step {
    while true {
      switch lines.next() {
      case .incomplete: return .incomplete
      case .end:
        isDone = true
        return .end
      case .tooLong:
        try report.skipLine(tooLong(), SourceText(file: file, bytes: [], firstLine: lines.number))
      case .text(let bytes):
        if bytes.isBlankLine { continue }
        line = bytes
        if try read(bytes) {
          count += 1
          return .value(reader.value.pointee)
        }
      }
    }
  }

  /// The descriptor that becomes readable when more of the file is available.
  var signal: FileDescriptor { lines.signal }

  /// Whether more of the file can be read without a wait, for it has been, or soon will be.
  var comesAtOnce: Bool { lines.comesAtOnce }

  /// Whether more of the file can be read without a wait.
  var isReadable: Bool { lines.isOver || comesAtOnce || Waiting.isReadable(signal) }

  /// The bytes of the line that was read last, without its line break.
  var latestLine: PaddedBytes? { line?.withoutCarriageReturn }

  /// Reads more of the file. May block.
  func fill() throws(RunStop) {
    do throws(SystemError) {
      try lines.fill()
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

  /// Skips the value returned last, or ends the run; the diagnostic refers to its line.
  func refuseLatest(_ diagnostic: Diagnostic) throws(RunStop) {
    let source = sourceOfLine
    var located = diagnostic
    located.location = source.location(of: 0..<source.bytes.count)
    try report.skipValue(located, source)
  }

  private var sourceOfLine: SourceText {
    SourceText(file: file, linesOfFeeds: line.map { Array($0.bytes) } ?? [], firstLine: lines.number)
  }

  /// Reads a line. Returns false if it is skipped.
  @inline(__always)
  private func read(_ bytes: PaddedBytes) throws(RunStop) -> Bool {
    do throws(JSONError) {
      try reader.read(bytes)
    } catch {
      let source = sourceOfLine
      let problem = error.diagnostic(in: source)
      if lines.number == 1, let kind = InputKind(firstLine: source.bytes, error) {
        // Data that are not text are not shown.
        try report.skipLine(problem.explained(by: kind), kind.message == nil ? source : nil, kind: kind)
      } else {
        try report.skipLine(problem, source)
      }
      return false
    }
    if conversion == nil { return true }
    return try convert()
  }

  /// Converts the value to the declared type. Returns false if it is skipped.
  private func convert() throws(RunStop) -> Bool {
    if conversion?.isConverted(reader.value.pointee) != false { return true }
    do throws(InputConversion.Problem) {
      if let conversion { reader.replaceValue(by: try conversion.convert(reader.value.pointee)) }
      return true
    } catch {
      let source = sourceOfLine
      try report.skipValue(mismatch(error, source), source)
      return false
    }
  }

  private func mismatch(_ problem: InputConversion.Problem, _ source: SourceText) -> Diagnostic {
    let pointer = JSONPointer(problem.tokens)
    let document = try? JSONDocument(reading: source.bytes, file: file)
    return Diagnostic(
      .inputTypeMismatch, "\(problem.message), in the input '\(name)'", at: pointer,
      help: "change the input's 'type' in the stream file, or skip such values with --skip-errors",
      location: source.location(of: document?.range(of: pointer) ?? 0..<source.bytes.count))
  }

  private func tooLong() -> Diagnostic {
    Diagnostic(
      .tooLarge, "the line is longer than \(JSONLimits().bytes / 1_048_576) MiB, which is the limit",
      location: SourceLocation(file: file, bytes: 0..<0, line: lines.number, column: 1))
  }
}

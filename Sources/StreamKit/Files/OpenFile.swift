internal import CEL
internal import StreamCore
internal import StreamRuntime

/// A file that a source reads, with the records that have been read ahead.
final class OpenFile: @unchecked Sendable {  // used from one place at a time, as its machine is
  private let source: RecordSource
  /// Values that have been read ahead, and the number of those already consumed.
  private var values: [Value] = []
  private var gone = 0
  /// The position after each value, without the constant parts.
  private var places: [(offset: Int, line: Int, column: Int)] = []
  /// The error after these values.
  private var problem: Diagnostic?
  /// Whether reading can continue after the error, since the position is past it.
  private(set) var isPastProblem = false
  /// The position after the last value read.
  var place: FilePlace { source.place }
  /// The rows read ahead; nil while none are.
  private var rows: LineRows?
  /// Number of lines to read as values before trying rows again; nil if rows are useless.
  private var missLimit: Int?

  /// The most bytes that are read ahead, and the most values.
  private static let limit = (bytes: 16 * 1024, values: 512)
  private static let longestMiss = 512

  init(_ reader: any ValueReader, _ format: FileFormat, _ type: CELType) {
    source = RecordSource(reader, format, type)
  }

  /// Returns the next value in the declared type and the position after it; nil at the end.
  func next() throws(Diagnostic) -> (value: Value, place: FilePlace)? {
    if gone < values.count {
      let value = values[gone]
      var place = source.place
      skip(1, &place)
      return (value, place)
    }
    if let problem {
      self.problem = nil
      throw problem
    }
    forgetRows()
    return try read().map { ($0, source.place) }
  }

  /// The next values already read.
  var upcoming: ArraySlice<Value> {
    if gone == values.count { readAhead() }
    return values[gone...]
  }

  /// Returns the next values as rows, if they can be read as rows.
  func upcomingRows(of fields: () -> [String]?) -> LineRows? {
    guard gone == values.count, problem == nil, let fields = fields() else { return nil }
    let found = source.rows(of: fields)
    if found !== rows { missLimit = found == nil ? nil : 1 }
    rows = found
    guard let rows else { return nil }
    rows.current = source.rowsTaken
    if rows.current < rows.count { return rows }
    if source.readRows(rows) > 0 {
      missLimit = 1
      return rows
    }
    // If lines cannot be read as rows, attempts become less frequent.
    missLimit = min(2 * (missLimit ?? 1), Self.longestMiss)
    return nil
  }

  /// Skips values or rows and updates the position.
  func skip(_ count: Int, _ place: inout FilePlace) {
    if gone < values.count {
      gone += count
      (place.offset, place.line, place.column) = places[gone - 1]
    } else if let rows {
      source.take(rows, through: source.rowsTaken + count - 1)
      let now = source.place
      (place.offset, place.line, place.column) = (now.offset, now.line, now.column)
    }
  }

  private func forgetRows() { if rows != nil { source.forgetRows() } }

  private func readAhead() {
    values.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    gone = 0
    forgetRows()
    let limit = missLimit ?? .max
    var read = 0
    do throws(Diagnostic) {
      while problem == nil, read < Self.limit.bytes, values.count < min(Self.limit.values, limit), source.isNextRead {
        let start = places.last?.offset ?? source.place.offset
        guard let value = try self.read() else { break }
        let place = source.place
        values.append(value)
        places.append((place.offset, place.line, place.column))
        read += place.offset - start
      }
    } catch {
      problem = error
    }
  }

  private func read() throws(Diagnostic) -> Value? {
    isPastProblem = false
    do throws(RecordSource.Problem) {
      // A source waits for its file, so a record is never incomplete.
      if case .record(let value) = try source.next() { return value }
      return nil
    } catch {
      isPastProblem = source.isPastProblem
      switch error {
      case .unreadable(let diagnostic): throw diagnostic
      case .mismatch(let problem, let value):
        let place = problem.tokens.isEmpty ? "" : " (at \(JSONPointer(problem.tokens)))"
        throw Diagnostic(
          .inputTypeMismatch, source.message(of: problem, in: value) ?? problem.message + place,
          location: source.location)
      }
    }
  }
}

internal import CEL
@_spi(Engine) internal import StreamCore
internal import StreamEngine

/// A file that a source reads.
final class OpenFile: @unchecked Sendable {  // used from one place at a time, as its machine is
  private let source: RecordSource
  /// The rows that the receiver takes; nil while it takes none.
  private var rows: LineRows?
  /// Whether the source may have rows that were read ahead.
  private var hasReadAhead = false
  /// The content that has been read; nil if the host does not recognize files.
  let content: (any ReadContent)?

  /// The position after the last value read.
  var place: FilePlace { source.place }
  /// Whether reading can continue after the latest error, since the position is past it.
  var isPastProblem: Bool { source.isPastProblem }

  init(_ reader: any ValueReader, _ format: FileFormat, _ type: CELType, _ content: (any ReadContent)? = nil) {
    self.content = content
    source = RecordSource(reader, format, type)
  }

  /// Returns the next value in the declared type; nil at the end.
  func next() throws(Diagnostic) -> Value? {
    // The receiver may stop taking rows, and take some again later.
    if hasReadAhead {
      source.forgetRows()
      hasReadAhead = false
    }
    do throws(RecordSource.Problem) {
      // A source waits for its file, so a record is never incomplete.
      if case .record(let value) = try source.next() { return value }
      return nil
    } catch {
      switch error {
      case .unreadable(let diagnostic): throw diagnostic
      case .mismatch(let problem, let value):
        let place = problem.tokens.isEmpty ? "" : " (at \(JSONPointer(problem.tokens)))"
        throw Diagnostic(
          .inputTypeMismatch, source.message(of: problem, in: value) ?? problem.message + place,
          help: source.help(of: problem, in: value), location: source.location)
      }
    }
  }

  /// Returns the next values as rows, if they can be read as rows.
  func upcomingRows(of fields: () -> [String]?) -> LineRows? {
    rows = fields().flatMap(source.rows)
    guard let rows else { return nil }
    hasReadAhead = true
    rows.current = source.rowsTaken
    return rows.current < rows.count || source.readRows(rows) > 0 ? rows : nil
  }

  /// Skips rows and updates the position.
  func skip(_ count: Int, _ place: inout FilePlace) {
    guard let rows else { return }
    source.take(rows, through: source.rowsTaken + count - 1)
    let now = source.place
    (place.offset, place.line, place.column) = (now.offset, now.line, now.column)
  }
}

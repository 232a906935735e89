internal import StreamCore

/// Reads one JSON value a line.
final class LineValueReader: RowReader, @unchecked Sendable {  // used from one place at a time, as the protocol says
  @exclusivity(unchecked) private var cursor: FileCursor
  private let reader = JSONLineReader()

  /// Start of the latest value.
  @exclusivity(unchecked) private var start: FilePlace
  @exclusivity(unchecked) private(set) var isPastProblem = false

  var place: FilePlace { cursor.place }
  var location: SourceLocation { cursor.location(of: start) }

  // The value may be behind a blank line.
  var isNextRead: Bool { cursor.hasLine { !Self.isBlank($0) } }

  init(_ cursor: FileCursor) {
    self.cursor = cursor
    start = cursor.place
  }

  func next() throws(Diagnostic) -> Value? {
    try cursor.skipMark()
    isPastProblem = false
    while try cursor.peek() != nil {
      start = cursor.place
      guard let count = try cursor.lineLength() else { throw cursor.tooLarge() }
      defer { cursor.passLine(count) }
      do throws(JSONError) {
        if let value = try read(cursor.next(count)) { return value }
      } catch {
        isPastProblem = true
        let line = Array(cursor.next(count).bytes)
        let problem = cursor.problem(error, in: line, from: start)
        let kind = start.line == 1 ? InputKind(firstLine: line, error) : nil
        throw kind.map(problem.explained) ?? problem
      }
    }
    return nil
  }

  /// Returns the value of a line; nil for a blank line.
  private func read(_ line: PaddedBytes) throws(JSONError) -> Value? {
    if Self.isBlank(line.bytes) { return nil }
    try reader.read(line)
    return reader.value.pointee
  }

  // MARK: Rows

  func rows(of fields: RowFields) -> LineRows? { reader.readRows(fields) }

  func readRows(_ rows: LineRows) { cursor.read(into: rows) }

  func passRows(_ count: Int, endingWith last: PaddedBytes, _ place: inout FilePlace) {
    cursor.passLines(count, endingWith: last)
    cursor.move(&place)
  }

  private static func isBlank(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }
}

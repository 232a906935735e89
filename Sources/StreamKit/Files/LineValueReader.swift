internal import CEL
@_spi(Engine) internal import StreamCore

extension FileFormat {
  /// One JSON value per line; blank lines are ignored.
  public static let ndjson = FileFormat("ndjson", extensions: ["ndjson", "jsonl"], "one JSON value per line") {
    LineValueReader($0)
  }
}

/// Reads one JSON value per line.
final class LineValueReader: FormatReader, @unchecked Sendable {  // used from one place at a time, as the protocol says
  @exclusivity(unchecked) private var cursor: FileCursor
  private let reader = JSONLineReader()

  /// Start of the latest value.
  @exclusivity(unchecked) private var start: FilePlace
  @exclusivity(unchecked) private(set) var isPastProblem = false
  @exclusivity(unchecked) private(set) var latestLine: PaddedBytes?
  private(set) var kind: InputKind?

  var place: FilePlace { cursor.place }
  var location: Diagnostic.Location { cursor.location(of: start) }
  var isStarved: Bool { cursor.isStarved }

  init(_ cursor: FileCursor) {
    self.cursor = cursor
    start = cursor.place
  }

  func rewind() { cursor.rewind() }

  func next() throws(Diagnostic) -> Value? {
    isPastProblem = false
    while true {
      guard let line = try cursor.nextLine(&start) else {
        guard try cursor.skipLongLine(&start) else { return nil }
        isPastProblem = true
        throw cursor.tooLarge(at: start)
      }
      latestLine = line
      if line.isBlank { continue }
      do throws(JSONError) {
        try reader.read(line)
        return reader.value.pointee
      } catch {
        isPastProblem = true
        let bytes = Array(line.bytes)
        let problem = cursor.problem(error, in: bytes, from: start)
        kind = start.line == 1 ? InputKind(firstLine: bytes, error) : nil
        throw kind.map(problem.explained) ?? problem
      }
    }
  }

  // MARK: Rows

  func rows(of fields: RowFields) -> LineRows? { reader.readRows(fields) }

  func readRows(_ rows: LineRows, atMost limit: Int) { cursor.read(into: rows, atMost: limit) }

  func passRows(_ count: Int, endingWith last: PaddedBytes) {
    cursor.passLines(count, endingWith: last)
    latestLine = last.withoutBreak
  }
}

internal import StreamCore

/// A reader that can continue after an error in a file.
protocol SkippingReader: ValueReader {
  /// Whether the position is past the error that `next` has thrown last.
  var isPastProblem: Bool { get }
}

/// A reader of lines that reads batches of lines into rows if a stream needs only some of their fields.
///
/// Lines read into rows are read again by `next` unless they are skipped with `passRows`.
protocol RowReader: SkippingReader {
  /// Returns the storage for rows of these fields; nil if lines cannot be read as rows.
  func rows(of fields: RowFields) -> LineRows?
  /// Reads available lines into rows, as many as possible.
  func readRows(_ rows: LineRows)
  /// Skips lines that were read into rows.
  ///
  /// - Parameters:
  ///   - last: The last of these lines, as in the rows.
  ///   - place: A position in the same file, which is updated.
  func passRows(_ count: Int, endingWith last: PaddedBytes, _ place: inout FilePlace)
}

internal import StreamCore

/// A reader that can go on behind what is wrong in a file.
protocol SkippingReader: ValueReader {
  /// Whether the place is behind what `next` has thrown last.
  var isPastProblem: Bool { get }
}

/// A reader of lines that reads some at once into rows, where a stream looks at some of their fields only.
///
/// What is read into rows is read again by `next` unless it is passed.
protocol RowReader: SkippingReader {
  /// What holds rows of these fields from now on; nil where lines cannot be read so.
  func rows(of fields: RowFields) -> LineRows?
  /// Reads lines at hand into rows, from the place on, as far as they can be.
  func readRows(_ rows: LineRows)
  /// Goes behind so many lines that were read into rows.
  ///
  /// - Parameters:
  ///   - last: the last one, as the rows have it.
  ///   - place: a place of the same file, which is moved there.
  func passRows(_ count: Int, endingWith last: PaddedBytes, _ place: inout FilePlace)
}

package import CEL
@_spi(Engine) package import StreamCore

/// A reader of a format, which can continue after an error in a file.
package protocol FormatReader: ValueReader {
  /// Whether the position is past the error that `next` has thrown last.
  var isPastProblem: Bool { get }
  /// Whether `next` has thrown only because more of the file has to be read first.
  var isStarved: Bool { get }
  /// Returns to the start of the value that `next` could not read completely.
  func rewind()
  /// The line of the latest value, without its line break. Valid until more is read; nil, the default, if a value is not
  /// a line.
  var latestLine: PaddedBytes? { get }
  /// The kind of the file, if the latest error shows that it has another format. Default nil.
  var kind: InputKind? { get }
  /// Whether the first value is complete, but is not returned before more of the file, or its end, shows how it is written.
  /// Default false.
  var isHolding: Bool { get }
  /// Returns this value next. Does nothing by default.
  func stopHolding()
  /// Declares the type of the values: strings become the declared numbers and Booleans. Does nothing by default.
  func declare(_ type: CELType)

  // Batches of lines as rows, if a stream needs only some of their fields. Lines read into rows are read again by `next`
  // unless they are skipped with `passRows`.

  /// Returns the storage for rows of these fields; nil, the default, if values cannot be read as rows.
  func rows(of fields: RowFields) -> LineRows?
  /// Reads available lines into rows, as many as possible.
  func readRows(_ rows: LineRows, atMost limit: Int)
  /// Skips lines that were read into rows.
  ///
  /// - Parameter last: The last of these lines, as in the rows.
  func passRows(_ count: Int, endingWith last: PaddedBytes)
}

extension FormatReader {
  package var latestLine: PaddedBytes? { nil }
  package var kind: InputKind? { nil }
  package var isHolding: Bool { false }
  package func stopHolding() {}
  package func declare(_ type: CELType) {}
  package func rows(of fields: RowFields) -> LineRows? { nil }
  package func readRows(_ rows: LineRows, atMost limit: Int) {}
  package func passRows(_ count: Int, endingWith last: PaddedBytes) {}
}

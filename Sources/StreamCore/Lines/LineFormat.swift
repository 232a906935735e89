/// The format of a file's lines: recognizes their layouts, and reads a line as a record.
package protocol LineFormat: AnyObject {
  /// The layouts of lines that can be read into rows, the most likely first.
  var rowLayouts: [any RowLayout] { get }
  /// Generation counter. Changes when the fields' places in rows change.
  var layoutNumber: Int { get }
  /// Generation counter. Changes when layouts are added or discarded.
  var learntNumber: Int { get }
  /// The maximum number of bytes of a line that is read into a row.
  var longest: Int { get }
  /// The number of lines read as records.
  var lineCount: Int { get }
  /// The columns of a table, whose strings are not escaped; nil for JSON.
  var columns: Shape? { get }

  /// Returns the record of a line that was read into a row. Valid until the next line is read.
  ///
  /// - Parameter line: The line with its line break.
  func record(of line: PaddedBytes) -> UnsafePointer<Value>
  /// Returns the fields of such a line without creating a record; nil, the default, if that is not faster.
  func outputRecord(of line: PaddedBytes) -> OutputRecord?
}

extension LineFormat {
  package func outputRecord(of line: PaddedBytes) -> OutputRecord? { nil }
}

/// A layout of lines that can be read into rows.
package protocol RowLayout: AnyObject, Sendable {
  /// Reads lines into rows of a batch, up to the first line without this layout: see `RowBatch.read`.
  func read(_ text: PaddedBytes, into batch: RowBatch, longest: Int, from first: Int, atMost limit: Int) -> Int
  /// Whether the record of a line is written with the same bytes, as JSON or as fields of a table.
  ///
  /// - Parameter line: The line without its line break.
  func isCanonical(_ line: PaddedBytes) -> Bool
}

/// What knows how the lines of a file look, and reads a line as a whole.
package protocol LineFormat: AnyObject {
  /// The layouts of lines that can be read into rows, the likeliest first.
  var rowLayouts: [any RowLayout] { get }
  /// Changes when fields go elsewhere in rows.
  var layoutNumber: Int { get }
  /// Changes whenever more, or something else, is known of lines.
  var learntNumber: Int { get }
  /// How many bytes a line has at most that is read into a row.
  var longest: Int { get }
  /// How many lines have been read as a whole.
  var lineCount: Int { get }
  /// The columns of a table, whose texts stand there as they are; nil of JSON.
  var columns: Shape? { get }

  /// The record of a line that can be read into a row, with its line break; there until the next one is read.
  func record(of line: PaddedBytes) -> UnsafePointer<Value>
  /// The same as a record that has not been made; nil, the default, where that is not for less.
  func outputRecord(of line: PaddedBytes) -> OutputRecord?
}

extension LineFormat {
  package func outputRecord(of line: PaddedBytes) -> OutputRecord? { nil }
}

/// How lines look that can be read into rows.
package protocol RowLayout: AnyObject, Sendable {
  /// Reads the lines of this layout that a text begins with into rows of a batch: see `RowBatch.read`.
  func read(_ text: PaddedBytes, into batch: RowBatch, longest: Int, from first: Int, atMost limit: Int) -> Int
  /// Whether a line, without its line break, is what its value is written as in the format that it has: as JSON, or as
  /// fields of a table.
  func isCanonical(_ line: PaddedBytes) -> Bool
}

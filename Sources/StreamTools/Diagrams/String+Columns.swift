internal import StreamCore

extension String {
  /// Width of the text in terminal columns.
  var columns: Int { unicodeScalars.reduce(0) { $0 + SourceExcerpt.columns($1) } }

  /// Returns the text padded with spaces to a number of columns.
  func filled(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - columns)) }
}

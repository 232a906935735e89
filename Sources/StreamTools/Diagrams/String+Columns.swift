internal import StreamCore
internal import StreamKit

extension String {
  /// How many columns of a terminal the text takes.
  var columns: Int { unicodeScalars.reduce(0) { $0 + SourceExcerpt.columns($1) } }

  /// The text with spaces behind it, up to this many columns.
  func filled(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - columns)) }
}

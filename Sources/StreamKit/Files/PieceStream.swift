package import StreamCore

/// The bytes of an open file in pieces that need no copying and may already have been read into rows.
package protocol PieceStream: ByteStream {
  /// Returns the next piece, at least one byte; nil at the end. The piece is valid until the next call.
  ///
  /// A caller that uses pieces does not use the other methods for reading.
  func nextPiece() throws(Diagnostic) -> PaddedBytes?
  /// The rows of the lines of that piece, as far as they have been read.
  var rows: RowBatch? { get }
  /// Lines are wanted in these rows from now on.
  func prepare(_ rows: LineRows)
}

package import StreamCore

/// The bytes of an open file in pieces that need not be copied, and that may have been read into rows before they are
/// asked for.
package protocol PieceStream: ByteStream {
  /// The next piece, of one byte at least; nil at the end. It stays as it is until the one after it is asked for.
  ///
  /// Whoever asks for pieces reads in no other way.
  func nextPiece() throws(Diagnostic) -> PaddedBytes?
  /// The rows of the lines of that piece, as far as they have been read.
  var rows: RowBatch? { get }
  /// Lines are wanted in these rows from now on.
  func prepare(_ rows: LineRows)
}

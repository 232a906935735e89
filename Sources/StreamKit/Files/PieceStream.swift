@_spi(Engine) package import StreamCore

/// The bytes of an open file in pieces that need no copying and may already have been read into rows.
///
/// For a format of lines a piece consists of whole lines, as far as no line is too long.
package protocol PieceStream: AnyObject, Sendable {
  /// Returns the next piece, which is valid until the next call.
  func nextPiece() throws(Diagnostic) -> FilePiece
  /// Whether the next piece has been read, so that it is returned without a wait. Default false.
  var hasPiece: Bool { get }
  /// The rows of the lines of that piece, as far as they have been read.
  var rows: RowBatch? { get }
  /// Lines are wanted in these rows from now on.
  func prepare(_ rows: LineRows)
}

extension PieceStream {
  package var hasPiece: Bool { false }
}

package enum FilePiece {
  /// At least one byte.
  case bytes(PaddedBytes)
  /// More has to be read first, by the owner of the stream.
  case unread
  case end
}

/// The pieces of a stream of bytes that a host has made.
///
/// `@unchecked`: used by one reader, from one thread at a time.
final class ByteStreamPieces: PieceStream, @unchecked Sendable {
  private let bytes: any ByteStream
  private let memory = FileMemory()

  /// Number of bytes to read at once.
  private static let size = 64 * 1024

  init(_ bytes: any ByteStream) { self.bytes = bytes }

  func nextPiece() throws(Diagnostic) -> FilePiece {
    let more = try bytes.read(atMost: Self.size)
    if more.isEmpty { return .end }
    more.withUnsafeBufferPointer { memory.hold(UnsafeBufferPointer(start: nil, count: 0), $0) }
    return .bytes(PaddedBytes(unsafe: memory.bytes, count: more.count))
  }

  var rows: RowBatch? { nil }

  func prepare(_ rows: LineRows) {}
}

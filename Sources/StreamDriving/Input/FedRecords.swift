package import CEL
internal import StreamCore
package import StreamFiles
package import StreamKit

/// The pieces of a file. A driver reads them when more of the file is available; the reader of records never waits.
///
/// `@unchecked`: used by one feed.
private final class FeedPieces: PieceStream, @unchecked Sendable {
  let pieces: FilePieces
  /// Whether the reader needs the next piece.
  private var isWanted = true
  /// Whether a piece has been read that the reader does not have.
  private(set) var hasPiece = false

  init(_ pieces: FilePieces) { self.pieces = pieces }

  func nextPiece() -> FilePiece {
    if hasPiece {
      hasPiece = false
      return .bytes(pieces.current.lines)
    }
    if pieces.current.isLast { return .end }
    isWanted = true
    return .unread
  }

  var rows: RowBatch? { pieces.rows }

  func prepare(_ rows: LineRows) { pieces.prepare(rows) }

  /// Reads the next piece, if the reader needs it. May block, and may be interrupted by a signal, which is not an error.
  func fill() throws(SystemError) {
    guard isWanted, try pieces.proceed() else { return }
    hasPiece = pieces.current.count > 0
    isWanted = !hasPiece && !pieces.current.isLast
  }
}

/// The records of a file that is read when more of it is available.
package struct FedRecords {
  package let records: RecordSource
  private let pieces: FeedPieces

  /// - Parameters:
  ///   - name: The name of the file in diagnostics. Default that of standard input.
  ///   - type: The declared type of the records. Default any.
  ///   - limit: The maximum length of a record, in bytes.
  ///   - size: The number of bytes to read at once. Default 256 KiB.
  package init(
    _ file: FileDescriptor, named name: String = StandardInput.name, _ format: FileFormat, _ type: CELType = .dyn,
    limit: Int = JSONLimits().bytes, readingAhead: ReadAheadPolicy = .never, pieces size: Int = 256 * 1024
  ) {
    pieces = FeedPieces(FilePieces(file, format, limit: limit, size: size, readingAhead: readingAhead))
    records = RecordSource(format.reader(of: pieces, named: name, at: FilePlace(), limit: limit), format, type)
  }

  /// Reads more, if the records that have been read are used up. May block, and may be interrupted by a signal, which is
  /// not an error.
  package func fill() throws(SystemError) { try pieces.fill() }

  /// Reads no further: the file may be closed.
  func stop() { pieces.pieces.stop() }

  /// The descriptor that becomes readable when `fill` can read more.
  var signal: FileDescriptor { pieces.pieces.signal }

  /// Whether `fill` never waits for long.
  var comesAtOnce: Bool { pieces.pieces.comesAtOnce }

  /// Whether `fill` has nothing more to read and returns or throws at once.
  var isOver: Bool { pieces.pieces.isOver }
}

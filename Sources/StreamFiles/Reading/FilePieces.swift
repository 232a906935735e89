@_spi(Engine) package import StreamCore
package import StreamKit

/// The pieces of a file in sequence, read ahead if that is requested and faster.
///
/// The owner reads a piece with `fill` when the reader of records needs one; that reader never waits.
///
/// `@unchecked`: used from one place at a time.
///
/// - Memory: Twice the size of a read, four times that if the file is read ahead, and more only while a line is longer,
///   up to the limit.
package final class FilePieces: PieceStream, ReadContent, @unchecked Sendable {
  private var reader: ChunkReader
  /// The reader used instead when the file is read ahead.
  private var ahead: ReadAhead?
  private var readingAhead: ReadAheadPolicy
  /// The plan by which lines are read ahead.
  @exclusivity(unchecked) private var preparedNumber = -1
  /// Number of bytes that arrived in large pieces, without a small one in between.
  private var promptCount = 0
  /// The piece that was read last, of nothing at the start.
  private var current: LineChunk
  /// Whether the reader of records needs the next piece.
  private var isWanted = true
  /// Whether a piece has been read that the reader of records does not have.
  package private(set) var hasPiece = false
  /// The content before some of the latest pieces: a value that the reader has not completed may begin in one of them.
  private var latest: [ContentTrace] = []
  /// The hashes from which a mark of the content may begin.
  private var starts: [ContentHash?]

  /// - Parameters:
  ///   - format: The format of the file: pieces of a format of lines end with whole lines.
  ///   - name: The name of the file, whose ending may promise that the content is compressed. Default none.
  ///   - limit: The maximum number of bytes in a line; a longer line comes in several pieces.
  ///   - size: The number of bytes to read at once. Default 256 KiB.
  ///   - readingAhead: Whether the file is read ahead. Default never.
  ///   - follows: Whether the file grows: no piece is available at its present end. Default false.
  ///   - start: How reading begins. Default where the file is, without a trace of its content.
  package init(
    _ file: FileDescriptor, _ format: FileFormat, named name: String = "", limit: Int = JSONLimits().bytes,
    size: Int = 256 * 1024, readingAhead: ReadAheadPolicy = .never, follows: Bool = false,
    from start: ContentStart = ContentStart()
  ) {
    reader = ChunkReader(
      file, named: name, limit: format.isOfLines ? limit : 0, size: size, follows: follows, from: start)
    starts = [start.from]
    current = reader.makeChunk()
    self.readingAhead = readingAhead
  }

  package func nextPiece() -> FilePiece {
    if hasPiece {
      hasPiece = false
      return .bytes(current.lines)
    }
    if current.isLast { return .end }
    isWanted = true
    return .unread
  }

  /// Reads the next piece, if the reader of records needs it. May block, and may be interrupted by a signal, which is not
  /// an error.
  package func fill() throws(SystemError) {
    guard isWanted, try proceed() else { return }
    hasPiece = current.count > 0
    isWanted = !hasPiece && !current.isLast
  }

  /// Advances to the next piece, which may be empty. Returns false at the end of the file, and if a signal interrupts the
  /// wait. Invalidates the previous piece.
  private func proceed() throws(SystemError) -> Bool {
    guard !current.isLast else { return false }
    try throwFailure()
    keepTrace()
    beginAhead()
    if let ahead {
      guard let next = ahead.next() else { return false }
      current = next
    } else {
      if current.count > 0 {
        reader.finish(current)
        reader.begin(current)
      }
      let count = reader.extend(current)
      // A slow file arrives in small pieces.
      promptCount = count < reader.size / 8 ? 0 : promptCount + count
    }
    if current.count == 0 { try throwFailure() }
    return true
  }

  private func throwFailure() throws(SystemError) {
    if let failure = current.failure { throw failure }
  }

  /// Reads ahead from now on, if that is wished for and pays.
  private func beginAhead() {
    guard ahead == nil, readingAhead.pays(after: promptCount) else { return }
    reader.finish(current)
    ahead = ReadAhead(reader, after: current)
    // If no thread can be created, no other attempt is made.
    if ahead == nil { readingAhead = .never }
  }

  /// Whether the file is compressed, as far as that is known.
  package var isDecompressed: Bool { reader.decompressor != nil }

  /// The file no longer grows: its end is the end.
  package func endFollowing() { reader.follows = false }

  // MARK: Content

  /// Number of traces that are kept.
  private static let traceCount = 8

  private func keepTrace() {
    guard let trace = current.trace, trace.offset > latest.last?.offset ?? -1 else { return }
    latest = latest.suffix(Self.traceCount - 1) + [trace]
    guard let hash = trace.hash, hash.offset - (starts.last??.offset ?? 0) >= ContentMark.window else { return }
    starts = starts.suffix(1) + [hash]
  }

  /// The trace of the content before an offset, or before a lower offset if a value is as long as several pieces; nil
  /// if it is not kept, or not known yet.
  package func trace(at offset: Int) -> ContentTrace? {
    guard let known = (latest + [current.trace].compactMap(\.self)).last(where: { $0.offset <= offset }) else {
      return nil
    }
    var trace = known
    if trace.offset == current.trace?.offset {
      trace.append(UnsafeBufferPointer(rebasing: current.lines.bytes.prefix(offset - trace.offset)))
    }
    return trace
  }

  /// The mark of the content that a trace describes; nil if it has no hash.
  package func mark(of trace: ContentTrace) -> ContentMark? {
    trace.hash.map { ContentMark(from: starts[0], hash: $0) }
  }

  package func description(before offset: Int) -> Value? {
    guard let trace = trace(at: offset), trace.offset == offset else { return nil }
    let known = KnownContent(
      offset: offset, fingerprint: isDecompressed ? nil : trace.edges?.fingerprint, mark: mark(of: trace),
      isCompressed: isDecompressed)
    return try? ValueEncoder().encode(known)
  }

  /// The first and last bytes of all that has been read of a file that grows.
  package var readEdges: ContentEdges? { reader.readEdges }

  /// Whether the reader of records has taken all that has been read.
  package var needsMore: Bool { isWanted }

  /// Forgets what has been read last, and what has been read of an incomplete line. The position of the file is no longer
  /// that of the pieces.
  package func discard() {
    reader.begin(current)
    (hasPiece, isWanted) = (false, true)
  }

  /// Reads no further: the file may be closed.
  package func stop() { ahead = nil }

  /// The descriptor that becomes readable when a piece is available.
  package var signal: FileDescriptor { ahead?.signal ?? reader.file }

  /// Whether `fill` never waits for long.
  package var comesAtOnce: Bool { ahead?.comesAtOnce == true }

  /// Whether there is no next piece. If so, `fill` returns or throws at once, and `signal` never becomes readable.
  package var isOver: Bool { current.isLast || current.failure != nil }

  // MARK: Rows

  /// The rows of the piece, as far as they have been read ahead.
  package var rows: RowBatch? { ahead == nil ? nil : current.rows }

  /// Reads lines ahead as these rows want them, where lines are read ahead.
  package func prepare(_ rows: LineRows) {
    guard let ahead, preparedNumber != rows.planNumber else { return }
    preparedNumber = rows.planNumber
    ahead.prepare(rows.plan)
  }
}

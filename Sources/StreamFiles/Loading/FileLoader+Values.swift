@_spi(Engine) internal import StreamCore
internal import StreamKit

/// The files of values that stream files name, from the file system: paths are relative to the stream file.
extension FileLoader: RecognizedFiles {
  func open(
    _ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace
  ) throws(Diagnostic) -> any ValueReader {
    try open(path, format: format, relativeTo: base, at: place, behind: nil).reader
  }

  func open(
    _ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace, behind content: Value?
  ) throws(Diagnostic) -> (reader: any ValueReader, content: any ReadContent) {
    let name = displayName(of: path, base)
    let file = try open(named: Self.place(of: path, base), calling: name)
    do throws(Diagnostic) {
      try used.noteInput(file, name: name)
    } catch {
      file.close()
      throw error
    }
    let known = content.flatMap { try? ValueDecoder().decode(KnownContent.self, from: $0) }
    let kind: FileDescriptor.Kind
    let start: ContentStart
    do throws(SystemError) {
      kind = try file.status().kind
      if let known {
        start = try known.start(in: file, keepsHash: keepsHash)
      } else {
        start = try self.start(of: file, at: place.offset)
      }
    } catch {
      file.close()
      // A file that is shorter than what has been read of it has other content.
      let isShorter = if known != nil, case .endOfFile = error { true } else { false }
      throw (isShorter ? .isOther : error).diagnostic(reading: name)
    }
    let pieces = AwaitedPieces(
      file, name: name, format, flushing: kind == .stream ? flush : nil, readAhead: takeThread(), pieces: pieceSize,
      from: start)
    return (format.reader(of: pieces, named: name, at: place), pieces.content)
  }

  /// The start of a file whose content before a position is not known.
  private func start(of file: FileDescriptor, at offset: Int) throws(SystemError) -> ContentStart {
    let nothing = KnownContent(offset: offset, fingerprint: nil, mark: nil, isCompressed: Compression(of: file) != nil)
    if offset == 0 { return nothing.again(keepsHash: keepsHash) }
    return try file.status().kind == .regular
      ? nothing.start(in: file, keepsHash: keepsHash) : nothing.behind(keepsHash: keepsHash)
  }

  func check(_ path: String, relativeTo base: String?) throws(Diagnostic) {
    let place = Self.place(of: path, base)
    let name = displayName(of: path, base)
    try check(named: place, calling: name)
    noteData(place)
    used.noteInput(at: place, name: name)
  }
}

/// The pieces of an open file, for which its reader waits. The file is closed when they are released.
///
/// `@unchecked`: used by one reader, from one thread at a time.
private final class AwaitedPieces: PieceStream, @unchecked Sendable {
  private let file: FileDescriptor
  private let name: String
  private let pieces: FilePieces
  var content: any ReadContent { pieces }
  /// Flushes the output before the program waits for more of the file.
  private let flush: (@Sendable () throws(Diagnostic) -> Void)?
  /// Whether it may be read ahead, and for as long as that is so.
  private let thread: AheadThread?

  init(
    _ file: FileDescriptor, name: String, _ format: FileFormat,
    flushing flush: (@Sendable () throws(Diagnostic) -> Void)?, readAhead thread: AheadThread?, pieces size: Int,
    from start: ContentStart
  ) {
    self.file = file
    self.name = name
    self.flush = flush
    self.thread = thread
    pieces = FilePieces(
      file, format, named: name, size: size, readingAhead: thread?.readingAhead ?? .never, from: start)
  }

  deinit {
    pieces.stop()
    file.close()
  }

  func nextPiece() throws(Diagnostic) -> FilePiece {
    while true {
      let piece = pieces.nextPiece()
      guard case .unread = piece else { return piece }
      if !pieces.isOver, !pieces.comesAtOnce, !Waiting.isReadable(pieces.signal) {
        try flush?()
        _ = Waiting.readable([pieces.signal], nanoseconds: nil)
      }
      do throws(SystemError) {
        if Interruption.hasHappened { throw .interruption }
        try pieces.fill()
      } catch {
        throw error.diagnostic(reading: name)
      }
    }
  }

  var rows: RowBatch? { pieces.rows }

  func prepare(_ rows: LineRows) { pieces.prepare(rows) }
}

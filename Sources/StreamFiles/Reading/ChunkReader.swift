internal import CLibrary
@_spi(Engine) internal import StreamCore

/// Reads a file in pieces of whole lines.
struct ChunkReader {
  private(set) var file: FileDescriptor
  /// Whether the file grows: its present end is not the end.
  var follows = false
  /// Maximum number of bytes kept for a line; a longer line arrives in pieces.
  let limit: Int
  /// Number of bytes to read at once.
  let size: Int
  /// Whether the file is read from its start, whose bytes show whether it is compressed.
  private var isAtStart: Bool
  /// The content that comes again; nil once it has passed.
  private var skipped: SkippedContent?
  /// The trace of the content before the next piece; nil if it is not kept.
  private var trace: ContentTrace?
  /// The ends of all that has been read, also beyond the pieces; nil unless the file grows.
  private(set) var readEdges: ContentEdges?
  /// The format that the name of the file promises; nil for none.
  private let promised: Compression?
  /// Decompresses the file; nil if it is not compressed.
  private(set) var decompressor: Decompressor?
  /// The beginning of a line whose rest has not been read.
  private var carried: [UInt8] = []
  /// Whether the line that comes is the rest of one that is too long.
  private var isInLongLine = false

  init(
    _ file: FileDescriptor, named name: String, limit: Int, size: Int, follows: Bool, from start: ContentStart
  ) {
    self.file = file
    self.limit = limit
    self.size = size
    self.follows = follows
    (skipped, trace) = (start.skipped, start.trace)
    readEdges = follows ? start.trace?.edges : nil
    promised = Compression(ofFile: name)
    isAtStart = (start.trace?.offset ?? 0) == 0
  }

  /// A piece that can be read into.
  func makeChunk() -> LineChunk {
    let chunk = LineChunk(capacity: 2 * size)
    chunk.trace = trace
    return chunk
  }

  /// Begins a piece.
  func begin(_ chunk: LineChunk) {
    chunk.begin(with: carried, room: size)
    chunk.trace = trace
  }

  /// Reads more of a piece, once. May block, and may be interrupted by a signal, which is not an error.
  ///
  /// - Returns: Number of bytes read.
  @discardableResult
  mutating func extend(_ chunk: LineChunk) -> Int {
    let start = chunk.end
    do throws(SystemError) {
      let count = try chunk.extend(from: file, atMost: size)
      readEdges?.append(UnsafeBufferPointer(start: chunk.storage + start, count: count))
      if isAtStart, count > 0, try isPrelude(chunk) { return count }
      if skipped != nil, count > 0 { return try skip(chunk) }
      if count == 0, isAtStart, chunk.end == 0, !follows, let promised {
        // No bytes at all are a damaged file, as the program says.
        try decompress(promised, chunk)
      } else if count == 0, let failure = decompressor?.finish() {
        chunk.markFailed(failure)
      } else if count == 0 {
        if follows { return 0 }
        if skipped != nil { throw .isOther }
        chunk.setCount(chunk.end)
        chunk.markLast()
      } else if let place = Self.lastBreak(in: chunk, from: start) {
        chunk.setCount(place + 1)
        isInLongLine = false
      } else if isInLongLine || chunk.end - chunk.count > limit {
        chunk.setCount(chunk.end)
        isInLongLine = true
      }
      return count
    } catch {
      if !error.isInterruption { chunk.markFailed(error) }
      return 0
    }
  }

  /// Whether the first bytes are not yet data: they show that the file is compressed, or are too few.
  private mutating func isPrelude(_ chunk: LineChunk) throws(SystemError) -> Bool {
    let bytes = UnsafeBufferPointer(start: chunk.storage, count: chunk.end)
    switch Compression.beginning(bytes) {
    case .plain: isAtStart = false
    case .unknown: return true
    case .compressed(let format):
      if follows { throw format.followed }
      try decompress(format, chunk)
      return true
    }
    return false
  }

  /// Reads the decompressed content from now on, instead of the bytes that a piece has.
  private mutating func decompress(_ format: Compression, _ chunk: LineChunk) throws(SystemError) {
    isAtStart = false
    let bytes = Array(UnsafeBufferPointer(start: chunk.storage, count: chunk.end))
    let decompressor = try Decompressor(format, bytes, file)
    (self.decompressor, file) = (decompressor, decompressor.output)
    chunk.begin(with: [], room: size)
  }

  /// Drops content that is not wanted. A piece begins with it.
  private mutating func skip(_ chunk: LineChunk) throws(SystemError) -> Int {
    let (bytes, count) = (UnsafeBufferPointer(start: chunk.storage, count: chunk.end), chunk.end)
    let rest = Array(bytes.dropFirst(try skipped?.take(bytes) ?? 0))
    chunk.begin(with: rest, room: size)
    if let skipped, skipped.rest == 0 {
      if skipped.trace.hash != nil { trace = skipped.trace }
      (self.skipped, chunk.trace) = (nil, trace)
      if let place = Self.lastBreak(in: chunk, from: 0) { chunk.setCount(place + 1) }
    }
    return count
  }

  /// Completes a piece: an incomplete line moves to the next one.
  mutating func finish(_ chunk: LineChunk) {
    carried = Array(chunk.rest)
    trace?.append(chunk.lines.bytes)
  }

  private static func lastBreak(in chunk: LineChunk, from start: Int) -> Int? {
    guard memchr(chunk.storage + start, 0x0A, chunk.end - start) != nil else { return nil }
    // It is less than a line away.
    var place = chunk.end
    while place > start {
      place -= 1
      if chunk.storage[place] == 0x0A { return place }
    }
    return nil
  }
}

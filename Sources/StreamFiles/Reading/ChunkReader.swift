internal import CLibrary

/// Reads a file in pieces of whole lines.
struct ChunkReader {
  var file: FileDescriptor
  /// Whether the file grows: its present end is not the end.
  var follows = false
  /// Maximum number of bytes kept for a line; a longer line arrives in pieces.
  let limit: Int
  /// Number of bytes to read at once.
  let size: Int
  /// Whether the file is read from its start, whose bytes show whether it is compressed.
  var isAtStart = true
  /// Number of decompressed bytes that are not wanted.
  var skipCount = 0
  /// Decompresses the file; nil if it is not compressed.
  private(set) var decompressor: Decompressor?
  /// The beginning of a line whose rest has not been read.
  private var carried: [UInt8] = []
  /// Whether the line that comes is the rest of one that is too long.
  private var isInLongLine = false

  init(_ file: FileDescriptor, limit: Int, size: Int) {
    self.file = file
    self.limit = limit
    self.size = size
  }

  /// A piece that can be read into.
  func makeChunk() -> LineChunk { LineChunk(capacity: 2 * size) }

  /// Begins a piece.
  func begin(_ chunk: LineChunk) { chunk.begin(with: carried, room: size) }

  /// Reads more of a piece, once. May block, and may be interrupted by a signal, which is not an error.
  ///
  /// - Returns: Number of bytes read.
  @discardableResult
  mutating func extend(_ chunk: LineChunk) -> Int {
    let start = chunk.end
    do throws(SystemError) {
      let count = try chunk.extend(from: file, atMost: size)
      if isAtStart, count > 0, try isPrelude(chunk) { return count }
      if skipCount > 0, count > 0 { return skip(chunk) }
      if count == 0, let failure = decompressor?.finish() {
        chunk.markFailed(failure)
      } else if count == 0 {
        if follows { return 0 }
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
      isAtStart = false
      if follows { throw format.followed }
      let decompressor = try Decompressor(format, Array(bytes), file)
      (self.decompressor, file) = (decompressor, decompressor.output)
      chunk.begin(with: [], room: size)
      return true
    }
    return false
  }

  /// Drops decompressed bytes that are not wanted. A piece begins with them.
  private mutating func skip(_ chunk: LineChunk) -> Int {
    let bytes = Array(UnsafeBufferPointer(start: chunk.storage, count: chunk.end).dropFirst(skipCount))
    let count = chunk.end
    skipCount -= count - bytes.count
    chunk.begin(with: bytes, room: size)
    return count
  }

  /// Completes a piece: an incomplete line moves to the next one.
  mutating func finish(_ chunk: LineChunk) { carried = Array(chunk.rest) }

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

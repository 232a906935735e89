internal import CLibrary
package import StreamCore
package import StreamFiles

/// Splits a file into lines without copying them.
///
/// - Memory: 512 KiB, four times that if the file is read ahead, and more only while a line is longer, up to the limit.
package final class LineReader {
  /// The next line.
  package enum Line {
    /// The bytes without the line break; they stay as they are until `fill` is called.
    case text(PaddedBytes)
    /// A line longer than the limit. Reported once for each such line, whose rest is skipped.
    case tooLong
    /// No whole line is there; more must be read.
    case incomplete
    case end
  }

  private let pieces: FilePieces
  private let limit: Int
  /// The lines of the current piece. NB: The piece owns them; updated by each call of `fill`.
  @exclusivity(unchecked) private var lines: PaddedBytes
  /// Start of the next line.
  @exclusivity(unchecked) private var start = 0
  /// Whether the rest of a line that is too long is being skipped.
  @exclusivity(unchecked) private var isSkipping = false
  /// Number of the line returned last, from 1.
  @exclusivity(unchecked) package private(set) var number = 0

  /// - Parameters:
  ///   - limit: The maximum number of bytes in a line.
  ///   - size: The number of bytes to read at once. Default 256 KiB.
  package init(_ file: FileDescriptor, limit: Int, size: Int = 256 * 1024, readingAhead: ReadingAhead = .never) {
    pieces = FilePieces(file, limit: limit, size: size, readingAhead: readingAhead)
    lines = pieces.current.lines
    self.limit = limit
  }

  // MARK: Lines

  /// The next line, if it has been read.
  @inline(__always)
  package func next() -> Line {
    while start < lines.count {
      let place = lines.bytes.baseAddress.map { $0 + start }
      guard let place else { break }
      let found = memchr(place, 0x0A, lines.count - start).map { UnsafeRawPointer($0) - UnsafeRawPointer(place) }
      let length = found ?? lines.count - start
      start += found == nil ? length : length + 1
      if isSkipping {
        isSkipping = found == nil
        continue
      }
      number += 1
      if length > limit {
        isSkipping = found == nil
        return .tooLong
      }
      return .text(withoutMark(PaddedBytes(unsafe: place, count: length)))
    }
    return pieces.current.isLast ? .end : .incomplete
  }

  /// The first line without a byte order mark.
  @inline(__always)
  private func withoutMark(_ line: PaddedBytes) -> PaddedBytes {
    guard number == 1, line.bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return line }
    return line.dropFirst(3)
  }

  /// The bytes read after the line returned last; nil if there are none, or if the next line may be incomplete: the
  /// first one, or the rest of a line that was too long.
  var rest: PaddedBytes? {
    guard start < lines.count, number > 0, !isSkipping else { return nil }
    return lines.dropFirst(start)
  }

  /// The rows of these lines, as far as they have been read ahead.
  var rows: RowBatch? { pieces.rows }

  /// Takes lines from the start of `rest`.
  ///
  /// - Parameter last: The last of these lines, with its line break.
  /// - Returns: The last line without the line break, as returned by `next`.
  func take(_ count: Int, endingWith last: PaddedBytes) -> PaddedBytes {
    guard let base = last.bytes.baseAddress, let first = lines.bytes.baseAddress else { return last }
    start = base + last.count - first
    number += count
    return PaddedBytes(unsafe: base, count: last.count - 1)
  }

  // MARK: Reading

  /// Reads more, if all lines have been returned. May block, and may be interrupted by a signal, which is not an error.
  package func fill() throws(SystemError) {
    guard start == lines.count, try pieces.goOn() else { return }
    (lines, start) = (pieces.current.lines, 0)
  }

  /// Reads no further: the file may be closed.
  func stop() { pieces.stop() }

  /// The descriptor that becomes readable when `fill` can read more.
  var signal: FileDescriptor { pieces.signal }

  /// Whether `fill` never waits for long.
  var comesAtOnce: Bool { pieces.comesAtOnce }

  /// Whether `fill` has nothing more to read and returns or throws at once.
  var isOver: Bool { pieces.isOver }

  /// Reads lines ahead as these rows want them, where lines are read ahead.
  func prepare(_ rows: LineRows) { pieces.prepare(rows) }
}

extension PaddedBytes {
  /// Whether a line has no value.
  @inline(__always)
  package var isBlankLine: Bool {
    if let first = bytes.first, first > 0x20 { return false }
    return bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  /// A line without the carriage return of a line break of two bytes.
  package var withoutCarriageReturn: PaddedBytes {
    guard let base = bytes.baseAddress, bytes.last == 0x0D else { return self }
    return PaddedBytes(unsafe: base, count: count - 1)
  }
}

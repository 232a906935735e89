internal import StreamCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Cuts what is read from a file into lines, without copying them.
///
/// - Memory: 512 KiB, and more only while a line is longer than that, up to the limit.
final class LineReader {
  /// What the next line is.
  enum Line {
    /// The bytes without the line break; they stay as they are until `fill` is called.
    case text(PaddedBytes)
    /// Longer than the limit. Told once for each such line, which is then passed over.
    case tooLong
    /// No whole line is there; more must be read.
    case incomplete
    case end
  }

  private let file: FileDescriptor
  private let limit: Int
  /// NB: longer by the padding than `capacity`, so that behind every line there are bytes that can be read.
  @exclusivity(unchecked) private var storage: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var capacity: Int
  /// The bytes that have been read and are in no line yet.
  @exclusivity(unchecked) private var start = 0
  @exclusivity(unchecked) private var end = 0
  /// No line break stands in front of this place.
  @exclusivity(unchecked) private var scanned = 0
  /// Whether the rest of a line that was too long is being passed over.
  @exclusivity(unchecked) private var isSkipping = false
  private(set) var isAtEnd = false
  /// The number of the line that was given last, from 1.
  @exclusivity(unchecked) private(set) var number = 0

  private static let chunk = 256 * 1024

  init(_ file: FileDescriptor, limit: Int) {
    self.file = file
    self.limit = limit
    capacity = 2 * Self.chunk
    storage = Self.allocate(capacity)
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    .allocate(capacity: capacity + PaddedBytes.padding)
  }

  deinit { storage.deallocate() }

  /// The next line, if it has been read.
  func next() -> Line {
    while true {
      if let line = cut() {
        if isSkipping {
          isSkipping = false
          continue
        }
        number += 1
        return line.count > limit ? .tooLong : .text(withoutMark(line))
      }
      if isSkipping {
        (start, end, scanned) = (0, 0, 0)
        return isAtEnd ? .end : .incomplete
      }
      if end - start > limit {
        isSkipping = true
        number += 1
        return .tooLong
      }
      guard isAtEnd else { return .incomplete }
      guard end > start else { return .end }
      let line = PaddedBytes(unsafe: storage + start, count: end - start)
      (start, scanned) = (end, end)
      number += 1
      return .text(withoutMark(line))
    }
  }

  /// What has been read behind the line that was given last; nil where nothing has, or where a line may not be what it
  /// seems: the first one, and the rest of one that was too long.
  var rest: PaddedBytes? {
    guard start < end, number > 0, !isSkipping else { return nil }
    return PaddedBytes(unsafe: storage + start, count: end - start)
  }

  /// Takes lines off that `rest` begins with.
  ///
  /// - Parameter last: the last one, with its line break.
  /// - Returns: that without the line break, as `next` gives it.
  func take(_ count: Int, endingWith last: PaddedBytes) -> PaddedBytes {
    let bytes = last.bytes
    guard let base = bytes.baseAddress else { return last }
    start = base + bytes.count - UnsafePointer(storage)
    scanned = max(scanned, start)
    number += count
    return PaddedBytes(unsafe: base, count: bytes.count - 1)
  }

  /// Reads more. May block, and may be interrupted by a signal, which is no error.
  func fill() throws(SystemError) {
    guard !isAtEnd else { return }
    makeRoom()
    defer { (storage + end).update(repeating: 0, count: PaddedBytes.padding) }
    do throws(SystemError) {
      let room = UnsafeMutableRawBufferPointer(start: storage + end, count: min(Self.chunk, capacity - end))
      let count = try file.read(into: room)
      end += count
      isAtEnd = count == 0
    } catch {
      guard error.isInterruption else { throw error }
    }
  }

  /// Takes a line off, if its line break is there.
  @inline(__always)
  private func cut() -> PaddedBytes? {
    guard scanned < end else { return nil }
    guard let found = memchr(storage + scanned, 0x0A, end - scanned) else {
      scanned = end
      return nil
    }
    let place = UnsafeRawPointer(found) - UnsafeRawPointer(storage)
    let line = PaddedBytes(unsafe: storage + start, count: place - start)
    (start, scanned) = (place + 1, place + 1)
    return line
  }

  /// The first line without a byte order mark.
  @inline(__always)
  private func withoutMark(_ line: PaddedBytes) -> PaddedBytes {
    guard number == 1, line.bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return line }
    return line.dropFirst(3)
  }

  private func makeRoom() {
    guard capacity - end < Self.chunk else { return }
    let rest = end - start
    var (target, size) = (storage, capacity)
    if capacity - rest < Self.chunk {
      size = max(2 * capacity, rest + Self.chunk)
      target = Self.allocate(size)
    }
    // Both may lie in the same piece of memory.
    memmove(target, storage + start, rest)
    if target != storage {
      storage.deallocate()
      (storage, capacity) = (target, size)
    }
    (start, end, scanned) = (0, rest, scanned - start)
  }
}

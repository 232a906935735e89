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
    case text(UnsafeRawBufferPointer)
    /// Longer than the limit. Told once for each such line, which is then passed over.
    case tooLong
    /// No whole line is there; more must be read.
    case incomplete
    case end
  }

  private let file: FileDescriptor
  private let limit: Int
  private var storage: UnsafeMutableRawBufferPointer
  /// The bytes that have been read and are in no line yet.
  private var start = 0
  private var end = 0
  /// No line break stands in front of this place.
  private var scanned = 0
  /// Whether the rest of a line that was too long is being passed over.
  private var isSkipping = false
  private(set) var isAtEnd = false
  /// The number of the line that was given last, from 1.
  private(set) var number = 0

  private static let chunk = 256 * 1024

  init(_ file: FileDescriptor, limit: Int) {
    self.file = file
    self.limit = limit
    storage = .allocate(byteCount: 2 * Self.chunk, alignment: 16)
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
      let line = UnsafeRawBufferPointer(rebasing: storage[start..<end])
      (start, scanned) = (end, end)
      number += 1
      return .text(withoutMark(line))
    }
  }

  /// Reads more. May block, and may be interrupted by a signal, which is no error.
  func fill() throws(SystemError) {
    guard !isAtEnd else { return }
    makeRoom()
    do throws(SystemError) {
      let room = UnsafeMutableRawBufferPointer(rebasing: storage[end..<min(end + Self.chunk, storage.count)])
      let count = try file.read(into: room)
      end += count
      isAtEnd = count == 0
    } catch {
      guard error.isInterruption else { throw error }
    }
  }

  /// Takes a line off, if its line break is there.
  private func cut() -> UnsafeRawBufferPointer? {
    guard scanned < end, let base = storage.baseAddress else { return nil }
    guard let found = memchr(base + scanned, 0x0A, end - scanned) else {
      scanned = end
      return nil
    }
    let place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
    let line = UnsafeRawBufferPointer(rebasing: storage[start..<place])
    (start, scanned) = (place + 1, place + 1)
    return line
  }

  /// The first line without a byte order mark.
  private func withoutMark(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) else { return line }
    return UnsafeRawBufferPointer(rebasing: line.dropFirst(3))
  }

  private func makeRoom() {
    guard storage.count - end < Self.chunk else { return }
    let rest = UnsafeRawBufferPointer(rebasing: storage[start..<end])
    var target = storage
    if storage.count - rest.count < Self.chunk {
      target = .allocate(byteCount: max(2 * storage.count, rest.count + Self.chunk), alignment: 16)
    }
    if rest.count > 0, let from = rest.baseAddress { target.baseAddress?.copyMemory(fromOverlapping: from, rest.count) }
    if target.baseAddress != storage.baseAddress {
      storage.deallocate()
      storage = target
    }
    (start, end, scanned) = (0, rest.count, scanned - start)
  }
}

extension UnsafeMutableRawPointer {
  /// Copies bytes that may lie in the same piece of memory.
  fileprivate func copyMemory(fromOverlapping source: UnsafeRawPointer, _ count: Int) {
    memmove(self, source, count)
  }
}

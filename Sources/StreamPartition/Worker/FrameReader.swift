@_spi(Engine) internal import StreamCore
internal import StreamFiles

/// Reads frames from a file; see `WorkerProtocol`.
final class FrameReader {
  /// A frame longer than this is refused.
  static let longest = 67_108_864

  private let file: FileDescriptor
  private var bytes = [UInt8](repeating: 0, count: 256 * 1024)
  /// The part of the buffer that has been read and not taken.
  private var start = 0
  private var end = 0

  init(_ file: FileDescriptor) { self.file = file }

  /// Calls a closure with the type and the body of the next frame, after which padding is readable. Returns nil at the
  /// end of the file.
  ///
  /// - Throws: `refused` for a frame that is cut, empty or too long.
  func next<Result>(
    _ body: (UInt8, UnsafeRawBufferPointer) throws(StageError) -> Result
  ) throws(StageError) -> Result? {
    guard try fill(4) else {
      if end > start { throw .refused("the input ends within the length of a frame") }
      return nil
    }
    let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    guard length >= 1, length <= Self.longest else {
      throw .refused("a frame has a length of \(length) bytes; expected 1 to \(Self.longest)")
    }
    guard try fill(4 + length) else {
      throw .refused("the input ends within a frame: \(end - start - 4) of \(length) bytes are there")
    }
    let (type, first) = (bytes[start + 4], start + 5)
    start += 4 + length
    let result = bytes.withUnsafeBytes { all -> Swift.Result<Result, StageError> in
      do throws(StageError) {
        return .success(try body(type, UnsafeRawBufferPointer(rebasing: all[first..<first + length - 1])))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Reads until the buffer has a number of bytes. Returns false at the end of the file.
  private func fill(_ count: Int) throws(StageError) -> Bool {
    while end - start < count {
      makeRoom(for: count)
      let read = bytes.withUnsafeMutableBytes { all -> Swift.Result<Int, SystemError> in
        let rest = UnsafeMutableRawBufferPointer(rebasing: all[end..<all.count - PaddedBytes.padding])
        return Swift.Result { () throws(SystemError) in try file.readWaiting(into: rest) }
      }
      do throws(SystemError) {
        let count = try read.get()
        if count == 0 { return false }
        end += count
      } catch {
        throw .refused("the input cannot be read: \(error.diagnostic(reading: "<stdin>").message)")
      }
    }
    return true
  }

  private func makeRoom(for count: Int) {
    if start == end { (start, end) = (0, 0) }
    guard start + count + PaddedBytes.padding > bytes.count || end + PaddedBytes.padding >= bytes.count else { return }
    bytes.withUnsafeMutableBytes { all in
      all.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[start..<end]))
    }
    (start, end) = (0, end - start)
    let needed = count + PaddedBytes.padding
    if needed > bytes.count {
      bytes.append(contentsOf: repeatElement(0, count: max(needed, bytes.count * 2) - bytes.count))
    }
  }
}

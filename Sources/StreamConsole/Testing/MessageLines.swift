internal import CLibrary
@_spi(Engine) internal import StreamCore
internal import StreamFiles

/// Reads JSON values from a pipe, one a line.
struct MessageLines {
  private let file: FileDescriptor
  private var reader = JSONReader(
    // The sender is this program too, so a report may have any length.
    limits: JSONLimits(depth: JSONLimits.greatestDepth, bytes: .max, values: .max))
  private var bytes: [UInt8] = []
  private var start = 0
  /// Offset up to which no line break has been found.
  private var searched = 0

  init(_ file: FileDescriptor) { self.file = file }

  /// Returns the next value; nil at the end.
  ///
  /// - Throws: `EINTR` if the program is asked to stop; `EBADMSG` if the line is not JSON.
  mutating func next() throws(SystemError) -> Value? {
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(bytes[start..<end])
        start = end + 1
        searched = start
        guard let value = try? reader.read(line) else { throw .unreadableMessage }
        return value
      }
      bytes.removeSubrange(..<start)
      start = 0
      searched = bytes.count
      let more = try read()
      if more.isEmpty { return nil }
      bytes += more
    }
  }

  /// Waits for bytes on whichever thread this is: a signal interrupts the system calls of one thread only.
  private func read() throws(SystemError) -> [UInt8] {
    while !Waiting.readable([file], nanoseconds: nil)[0] {
      if Interruption.hasHappened { throw .interruption }
    }
    return try file.read(atMost: 1 << 16)
  }
}

extension SystemError {
  /// A message between the program's processes is not as it should be.
  static let unreadableMessage = SystemError(number: EBADMSG)
}

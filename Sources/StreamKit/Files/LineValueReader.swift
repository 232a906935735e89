internal import StreamCore

/// Reads one JSON value a line.
final class LineValueReader: ValueReader, @unchecked Sendable {  // used from one place at a time, as the protocol says
  private var cursor: FileCursor
  private var reader = JSONReader()

  /// Where the latest value begins.
  private var start: FilePlace

  var place: FilePlace { cursor.place }
  var location: SourceLocation { cursor.location(of: start) }

  init(_ cursor: FileCursor) {
    self.cursor = cursor
    start = cursor.place
  }

  func next() throws(Diagnostic) -> Value? {
    try cursor.skipMark()
    while try cursor.peek() != nil {
      start = cursor.place
      var count = 0
      while let byte = try cursor.peek(count), byte != UInt8(ascii: "\n") { count += 1 }
      let line = cursor.take(count)
      _ = cursor.take(1)
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      do throws(JSONError) {
        return try reader.read(line)
      } catch {
        throw cursor.problem(error, in: line, from: start)
      }
    }
    return nil
  }
}

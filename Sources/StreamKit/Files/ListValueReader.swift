internal import StreamCore

/// Reads the elements of a JSON array of any length, one by one.
///
/// `@unchecked`: used from one thread at a time, as the protocol requires.
final class ListValueReader: SkippingReader, @unchecked Sendable {
  private var cursor: FileCursor
  private var reader = JSONReader()
  /// Whether the array has begun. A position within a file is always after an element.
  private var isOpen: Bool
  private(set) var isPastProblem = false

  /// Start of the latest value.
  private var start: FilePlace

  var place: FilePlace { cursor.place }
  var location: SourceLocation { cursor.location(of: start) }

  init(_ cursor: FileCursor) {
    self.cursor = cursor
    start = cursor.place
    isOpen = cursor.place.offset > 0
  }

  func next() throws(Diagnostic) -> Value? {
    isPastProblem = false
    guard try findElement() else { return nil }
    start = cursor.place
    let text = cursor.take(try elementLength())
    do throws(JSONError) {
      return try reader.read(text)
    } catch {
      isPastProblem = true
      throw cursor.problem(error, in: text, from: start)
    }
  }

  /// Goes to the next element; false if the list ends here.
  private func findElement() throws(Diagnostic) -> Bool {
    try cursor.requireText()
    try cursor.skipMark()
    try cursor.skipSpace()
    guard isOpen else {
      guard try cursor.peek() == UInt8(ascii: "[") else {
        throw cursor.problem(
          .wrongType, "the file does not begin with an array; expected '['",
          help: "the format \"ndjson\" reads one value per line")
      }
      isOpen = true
      _ = cursor.take(1)
      try cursor.skipSpace()
      return try cursor.peek() == UInt8(ascii: "]") ? close() : true
    }
    switch try cursor.peek() {
    case UInt8(ascii: "]"): return try close()
    case UInt8(ascii: ","):
      let comma = cursor.place
      _ = cursor.take(1)
      try cursor.skipSpace()
      if try cursor.peek() == UInt8(ascii: "]") {
        throw cursor.problem(.syntax, "JSON does not allow a comma before ']'", help: "remove the comma", at: comma)
      }
      return true
    case nil: throw unexpectedEnd()
    default:
      throw cursor.problem(.syntax, "expected a comma", help: "write a comma between two values")
    }
  }

  /// Reads the end of the array and checks that it is the end of the file.
  private func close() throws(Diagnostic) -> Bool {
    _ = cursor.take(1)
    try cursor.skipSpace()
    guard try cursor.peek() == nil else {
      throw cursor.problem(
        .trailingText, "the file continues after the end of the array",
        help: "the file must contain a single array; remove the rest")
    }
    return false
  }

  /// Returns the number of bytes up to the comma or bracket after the element.
  private func elementLength() throws(Diagnostic) -> Int {
    var count = 0
    var depth = 0
    var isText = false
    while let byte = try cursor.peek(count) {
      if isText {
        if byte == UInt8(ascii: "\\") { count += 1 }
        if byte == UInt8(ascii: "\"") { isText = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]") where depth > 0, UInt8(ascii: "}") where depth > 0: depth -= 1
        case UInt8(ascii: ","), UInt8(ascii: "]"):
          if depth == 0 {
            if count == 0 { throw cursor.problem(.syntax, "a value is missing before this comma") }
            return count
          }
        default: break
        }
      }
      count += 1
    }
    throw unexpectedEnd()
  }

  private func unexpectedEnd() -> Diagnostic {
    cursor.problem(.unexpectedEnd, "the file ends inside an array", help: "close it with ']'")
  }
}

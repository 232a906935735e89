internal import CEL
@_spi(Engine) internal import StreamCore

extension FileFormat {
  /// A JSON array of values.
  public static let json = FileFormat("json", extensions: ["json"], "a JSON array of values", isOfLines: false) {
    if let items = $1.items { JSONTextReader($0, items: items) } else { ListValueReader($0) }
  }
}

/// Reads the elements of a JSON array of any length, one by one.
///
/// `@unchecked`: used from one thread at a time, as the protocol requires.
final class ListValueReader: FormatReader, @unchecked Sendable {
  private var cursor: FileCursor
  private var reader = JSONReader()
  /// Whether an element has been read. A position within a file is always after an element.
  private var isOpen: Bool
  private(set) var isPastProblem = false

  /// Start of the latest value.
  private var start: FilePlace

  var place: FilePlace { cursor.place }
  var location: Diagnostic.Location { cursor.location(of: start) }
  var isStarved: Bool { cursor.isStarved }

  init(_ cursor: FileCursor) {
    self.cursor = cursor
    start = cursor.place
    isOpen = cursor.place.offset > 0
  }

  func rewind() { cursor.rewind() }

  func next() throws(Diagnostic) -> Value? {
    isPastProblem = false
    cursor.begin()
    guard try findElement() else { return nil }
    start = cursor.place
    let text = cursor.take(try elementLength())
    isOpen = true
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
    cursor.begin()
    guard isOpen else {
      guard try cursor.peek() == UInt8(ascii: "[") else { throw try noList() }
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

  /// Returns the error for a file that does not begin with an array.
  private func noList() throws(Diagnostic) -> Diagnostic {
    guard let first = try cursor.peek() else {
      return cursor.problem(.emptyText, "the file is empty; expected an array", help: "an array without values is '[]'")
    }
    guard first == UInt8(ascii: "{"), let name = try listName() else {
      return cursor.problem(
        .invalidInput, "the file does not begin with an array; expected '['",
        help: "the format \"ndjson\" reads one value per line")
    }
    return cursor.problem(
      .invalidInput, "the file is an object with an array in '\(name)'; expected an array",
      help:
        "--items \(JSONPointer([name])), or \"items\" of a file, reads its elements; \"jq -c '\(Self.filter(name))[]' FILE\" "
        + "writes each of them on a line")
  }

  /// The filter of jq for a member.
  private static func filter(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
      default: false
      }
    }
    return isPlain && !name.isEmpty ? ".\(name)" : ".[\(JSONWriter.compact(.string(name)))]"
  }

  /// The most bytes of an object that are searched for an array.
  private static let searched = 64 * 1024

  /// The name of the first member of the object here that is an array; nil if none is found near its beginning.
  private func listName() throws(Diagnostic) -> String? {
    var (count, depth) = (1, 1)
    var latest: Range<Int>?
    while depth > 0, count < Self.searched, let byte = try cursor.peek(count) {
      switch byte {
      case UInt8(ascii: "\""):
        let first = count
        count += 1
        while count < Self.searched, let next = try cursor.peek(count), next != UInt8(ascii: "\"") {
          count += next == UInt8(ascii: "\\") ? 2 : 1
        }
        if depth == 1 { latest = first..<count + 1 }
      case UInt8(ascii: "["):
        if depth == 1, let latest {
          let name = Array(cursor.next(latest.upperBound).bytes[latest])
          if case .string(let text)? = try? reader.read(name) { return text }
        }
        depth += 1
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ","): if depth == 1 { latest = nil }
      default: break
      }
      count += 1
    }
    return nil
  }

  /// Reads the end of the array and checks that it is the end of the file.
  private func close() throws(Diagnostic) -> Bool {
    _ = cursor.take(1)
    try cursor.skipSpace()
    guard try cursor.peek() == nil else {
      throw cursor.problem(
        .trailingText, "the file continues after the end of the array",
        help: "remove the rest; the format \"ndjson\" reads one value per line")
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

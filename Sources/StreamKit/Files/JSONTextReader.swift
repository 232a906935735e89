@_spi(Engine) internal import StreamCore

/// Reads JSON texts one after another, each over any number of lines.
///
/// The values are the texts, or the elements of a text that is an array. With a pointer they are what each text has at
/// that place. A file of one long array is read element by element, and nothing around the place is kept.
///
/// A position between two values is enough to continue: only within an array does a comma or a bracket follow.
///
/// - Memory: A piece of the file, and its longest value.
final class JSONTextReader: FormatReader, @unchecked Sendable {  // used from one place at a time, as the protocol says
  private var cursor: FileCursor
  private var reader = JSONReader()
  /// The members that lead to the values; none if a text is itself a value.
  private let path: [String]
  /// Whether the elements of an array are values of their own.
  var spreads: Bool

  private enum State {
    /// Before a text, or at the end.
    case between
    /// Before the value of a member of the path, by the number of members that lead to it.
    case value(Int)
    /// Before the name of a member, or the end of the object.
    case member(Int)
    /// In the value of a member that is not wanted.
    case other(Int, Skip)
    /// Before the first element of the array, or its end.
    case firstElement
    /// After an element.
    case element
    /// In what follows the place in a text.
    case rest(Skip)
  }
  private var state = State.between
  /// Whether nothing has been read since the reader began within a file.
  private var isResumed: Bool
  /// The value of a text that is returned once the rest of the text is known to be whole.
  private var pending: Value?
  private(set) var isPastProblem = false
  /// Start of the latest value, and the position after it.
  private var start: FilePlace
  private(set) var place: FilePlace

  var location: Diagnostic.Location { cursor.location(of: start) }
  var isStarved: Bool { cursor.isStarved }

  init(_ cursor: FileCursor, items: JSONPointer? = nil, spreads: Bool = true) {
    self.cursor = cursor
    self.spreads = spreads || items != nil
    path = items?.tokens ?? []
    (start, place) = (cursor.place, cursor.place)
    isResumed = cursor.place.offset > 0
  }

  func rewind() { cursor.rewind() }

  func next() throws(Diagnostic) -> Value? {
    isPastProblem = false
    cursor.begin()
    try cursor.requireText()
    try cursor.skipMark()
    while true {
      if let found = try step() { return found.value }
    }
  }

  /// The value that is returned; nil at the end of the file.
  private struct Found { var value: Value? }

  /// Reads on to the next state, or returns a value.
  private func step() throws(Diagnostic) -> Found? {
    switch state {
    case .other, .rest: break
    default:
      try cursor.skipSpace()
      cursor.begin()
    }
    switch state {
    case .between:
      guard let byte = try cursor.peek() else { return Found(value: nil) }
      let isInArray = isResumed && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]"))
      isResumed = false
      state = isInArray ? .element : .value(0)
    case .value(let depth): return try readValue(depth)
    case .member(let depth): try readMember(depth)
    case .other(let depth, var skip):
      try pass(&skip) { state = .other(depth, $0) }
      state = .member(depth)
    case .firstElement:
      if try cursor.peek() == UInt8(ascii: "]") {
        endArray()
      } else {
        return Found(value: try readElement())
      }
    case .element:
      switch try cursor.peek() {
      case UInt8(ascii: "]"): endArray()
      case UInt8(ascii: ","): return Found(value: try readElement(afterComma: true))
      case nil: throw unexpectedEnd("an array", "close it with ']'")
      default:
        throw cursor.problem(.syntax, "expected a comma", help: "write a comma between two values")
      }
    case .rest(var skip):
      try pass(&skip) { state = .rest($0) }
      state = .between
      guard let value = pending else { return nil }
      pending = nil
      place = cursor.place
      return Found(value: value)
    }
    return nil
  }

  // MARK: Values

  /// Reads the value at the end of the path, or goes to the first member of an object before it.
  private func readValue(_ depth: Int) throws(Diagnostic) -> Found? {
    guard let byte = try cursor.peek() else { throw unexpectedEnd("an object", "close it with '}'") }
    if depth < path.count {
      guard byte == UInt8(ascii: "{") else {
        let isIndex = byte == UInt8(ascii: "[") && path[depth].utf8.allSatisfy { (0x30...0x39).contains($0) }
        let array = isIndex ? "is an array, and no place is within one of its elements" : "is an array"
        throw try missing(depth, byte == UInt8(ascii: "[") ? array : "is no object")
      }
      state = .member(depth)
      _ = cursor.take(1)
      cursor.begin()
      return nil
    }
    if byte == UInt8(ascii: "["), spreads {
      state = .firstElement
      _ = cursor.take(1)
      cursor.begin()
      return nil
    }
    let value = try read(try textLength())
    guard depth > 0 else {
      state = .between
      place = cursor.place
      return Found(value: value)
    }
    cursor.begin()
    pending = value
    state = .rest(Skip(depth: depth, endsAtZero: true))
    return nil
  }

  private func readElement(afterComma: Bool = false) throws(Diagnostic) -> Value {
    var count = afterComma ? 1 : 0
    while let byte = try cursor.peek(count), Self.isSpace(byte) { count += 1 }
    let (space, length) = (count, try elementLength(from: count))
    _ = cursor.take(space)
    state = .element
    let value = try read(length)
    place = cursor.place
    return value
  }

  /// Parses the bytes of a value.
  private func read(_ length: Int) throws(Diagnostic) -> Value {
    start = cursor.place
    let text = cursor.take(length)
    do throws(JSONError) {
      return try reader.read(text)
    } catch {
      isPastProblem = true
      if case .value(let depth) = state {
        state = depth == 0 ? .between : .rest(Skip(depth: depth, endsAtZero: true))
      }
      cursor.begin()
      place = cursor.place
      throw cursor.problem(error, in: text, from: start)
    }
  }

  private func endArray() {
    _ = cursor.take(1)
    cursor.begin()
    state = path.isEmpty ? .between : .rest(Skip(depth: path.count, endsAtZero: true))
  }

  /// Reads the name of a member and goes to its value.
  private func readMember(_ depth: Int) throws(Diagnostic) {
    switch try cursor.peek() {
    case UInt8(ascii: "\""): break
    case UInt8(ascii: ","):
      _ = cursor.take(1)
      return cursor.begin()
    case UInt8(ascii: "}"): throw try missing(depth, "is missing")
    case nil: throw unexpectedEnd("an object", "close it with '}'")
    default: throw cursor.problem(.syntax, "expected the name of a member in quotation marks")
    }
    let length = try stringLength(from: 0)
    var count = length
    while let byte = try cursor.peek(count), Self.isSpace(byte) { count += 1 }
    guard let colon = try cursor.peek(count) else { throw unexpectedEnd("an object", "close it with '}'") }
    guard colon == UInt8(ascii: ":") else {
      throw cursor.problem(.syntax, "expected a colon after the name of a member")
    }
    let name = Array(cursor.take(count + 1).prefix(length))
    cursor.begin()
    if case .string(let text)? = try? reader.read(name), text == path[depth] {
      state = .value(depth + 1)
    } else {
      state = .other(depth, Skip())
    }
  }

  /// The error for a text without the place. The rest of the text is skipped.
  private func missing(_ depth: Int, _ problem: String) throws(Diagnostic) -> Diagnostic {
    let found = JSONPointer(Array(path[..<min(depth + (problem == "is missing" ? 1 : 0), path.count)]))
    let name = found.tokens.isEmpty ? "a JSON text" : "'\(found)'"
    let diagnostic = cursor.problem(
      .invalidInput, "\(name) \(problem); the values are read from '\(JSONPointer(path))' of each text",
      help: "--items, or \"items\" of a file, is the place of the values: 'jq keys FILE' prints the members of a text")
    isPastProblem = true
    if depth == 0, problem != "is missing" {
      _ = cursor.take(try textLength())
      state = .between
    } else {
      state = .rest(Skip(depth: depth + (problem == "is missing" ? 1 : 0), endsAtZero: true))
    }
    cursor.begin()
    return diagnostic
  }

  // MARK: Lengths

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  /// The number of bytes of a string, from its quotation mark on.
  private func stringLength(from first: Int) throws(Diagnostic) -> Int {
    var count = first + 1
    while let byte = try cursor.peek(count) {
      count += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return count - first }
    }
    throw unexpectedEnd("a string", "close it with '\"'")
  }

  /// The number of bytes of the text here: a value up to its end, or a word up to white space or punctuation.
  private func textLength() throws(Diagnostic) -> Int {
    guard let first = try cursor.peek() else { return 0 }
    switch first {
    case UInt8(ascii: "\""): return try stringLength(from: 0)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try nestedLength(from: 0)
    default:
      var count = 1
      while let byte = try cursor.peek(count), !Self.isSpace(byte), !",]}{[\"".utf8.contains(byte) { count += 1 }
      return count
    }
  }

  /// The number of bytes of the array or object here.
  private func nestedLength(from first: Int) throws(Diagnostic) -> Int {
    var skip = Skip(endsAtZero: true)
    var count = first
    while let byte = try cursor.peek(count) {
      count += 1
      if skip.ends(with: byte) { return count - first }
    }
    throw try cursor.peek(first) == UInt8(ascii: "[")
      ? unexpectedEnd("an array", "close it with ']'") : unexpectedEnd("an object", "close it with '}'")
  }

  /// The number of bytes up to the comma or bracket after an element.
  private func elementLength(from first: Int) throws(Diagnostic) -> Int {
    var skip = Skip()
    var count = first
    while let byte = try cursor.peek(count) {
      if skip.ends(with: byte) { break }
      count += 1
    }
    guard let end = try cursor.peek(count) else { throw unexpectedEnd("an array", "close it with ']'") }
    if count == first {
      throw cursor.problem(
        .syntax,
        end == UInt8(ascii: "]") ? "JSON does not allow a comma before ']'" : "a value is missing before this comma",
        help: end == UInt8(ascii: "]") ? "remove the comma" : nil)
    }
    return count - first
  }

  /// Skips bytes, as far as they exist, and notes how far.
  private func pass(_ skip: inout Skip, _ note: (Skip) -> Void) throws(Diagnostic) {
    while true {
      note(skip)
      guard try cursor.peek() != nil else { throw unexpectedEnd("an object", "close it with '}'") }
      var count = 0
      var isDone = false
      for byte in cursor.rest.bytes {
        isDone = skip.ends(with: byte)
        if isDone { break }
        count += 1
      }
      if isDone, skip.endsAtZero { count += 1 }
      _ = cursor.take(count)
      cursor.begin()
      if isDone { return }
    }
  }

  private func unexpectedEnd(_ place: String, _ help: String) -> Diagnostic {
    cursor.problem(.unexpectedEnd, "the file ends inside \(place)", help: help)
  }
}

/// Finds the end of JSON without reading its values.
struct Skip {
  /// The number of arrays and objects that are open.
  var depth = 0
  /// Whether the bracket that closes the last of them is the end; else it is the comma or bracket after a value.
  var endsAtZero = false
  private var isInString = false
  private var isEscaped = false

  init(depth: Int = 0, endsAtZero: Bool = false) { (self.depth, self.endsAtZero) = (depth, endsAtZero) }

  /// Whether this byte is the end.
  mutating func ends(with byte: UInt8) -> Bool {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return false
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      if depth == 0 { return true }
      depth -= 1
      return endsAtZero && depth == 0
    case UInt8(ascii: ","): return depth == 0
    default: break
    }
    return false
  }
}

/// Parses RESP3 replies from bytes that arrive in pieces of any size.
///
/// Each byte is examined once, however the pieces are cut. Counts and lengths are checked before memory is reserved for
/// them. After an error the reader only repeats it, because the boundary of the next reply is unknown.
///
/// - Memory: the bytes that have not been parsed, and the reply that is being parsed.
package struct RESPReader {
  /// Bounds of what is accepted.
  package struct Limits: Sendable {
    /// Longest string, in bytes. Redis has the same limit.
    package var blobBytes = 512 << 20
    /// Longest line (simple string, error, number, length), in bytes.
    package var lineBytes = 64 << 10
    /// Largest number of values in one reply, at all depths.
    package var elements = 1 << 24
    /// Longest reply, in bytes.
    package var replyBytes = 1 << 30
    /// Deepest nesting of arrays, sets and maps.
    package var depth = 64

    package init() {}
  }

  /// An array, set, map, push or attribute whose elements are still arriving.
  private struct Aggregate {
    let kind: UInt8
    /// Elements yet to come. Keys and values of a map count singly.
    var missing: Int
    var elements: [RESPValue] = []
  }

  /// The result of reading a line or a string.
  private enum Step {
    case incomplete
    case opened
    case value(RESPValue)
  }

  private let limits: Limits
  /// The bytes from `start` to `end` have arrived and are not parsed; those behind are free.
  private var buffer: [UInt8] = []
  private var start = 0
  private var end = 0
  /// No line ends before this index of the buffer.
  private var scanned = 0
  /// The string whose header has been parsed.
  private var blob: (kind: UInt8, count: Int)?
  /// From the outermost to the innermost.
  private var stack: [Aggregate] = []
  /// Values and bytes of the reply that is being parsed.
  private var elements = 0
  private var bytes = 0
  private var failure: RedisError?

  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether all bytes that have arrived are parsed, and no reply is incomplete.
  package var isEmpty: Bool { start == end && stack.isEmpty && blob == nil }

  /// Appends bytes that have arrived.
  package mutating func append(_ bytes: some Collection<UInt8>) {
    makeRoom(bytes.count)
    buffer.replaceSubrange(end..<end + bytes.count, with: bytes)
    end += bytes.count
  }

  /// Lets `receive` write bytes that have arrived into the free space, which has at least `count` bytes.
  ///
  /// - Parameter receive: returns how many bytes it has written; negative numbers are errors and are returned.
  package mutating func append(_ count: Int, _ receive: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    makeRoom(count)
    let written = buffer.withUnsafeMutableBufferPointer { buffer in
      receive(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[end...])))
    }
    if written > 0 { end += written }
    return written
  }

  /// Removes and returns the next complete reply; nil if more bytes are needed.
  ///
  /// - Throws: `RedisError.malformed`.
  package mutating func next() throws(RedisError) -> RESPValue? {
    if let failure { throw failure }
    do throws(RedisError) {
      while true {
        switch try blob == nil ? step() : string() {
        case .incomplete: return nil
        case .opened: continue
        case .value(let value):
          guard let reply = attach(value) else { continue }
          (elements, bytes) = (0, 0)
          return reply
        }
      }
    } catch {
      failure = error
      throw error
    }
  }

  // MARK: - Buffer

  /// A larger buffer is freed once its bytes are parsed.
  private static let largeBuffer = 16 << 20

  private mutating func makeRoom(_ count: Int) {
    if start == end {
      (start, end, scanned) = (0, 0, 0)
      if buffer.count > Self.largeBuffer { buffer = [] }
    }
    guard buffer.count - end < count else { return }
    if start > 0 {
      buffer.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        base.update(from: base + start, count: end - start)
      }
      (scanned, end, start) = (max(0, scanned - start), end - start, 0)
    }
    guard buffer.count - end < count else { return }
    let size = max(buffer.count * 2, end + count)
    buffer.append(contentsOf: repeatElement(0, count: size - buffer.count))
  }

  /// Removes the next line, without its end; nil if it is incomplete.
  private mutating func line() throws(RedisError) -> ArraySlice<UInt8>? {
    var index = max(scanned, start)
    while index + 1 < end {
      if buffer[index] == UInt8(ascii: "\r") {
        guard buffer[index + 1] == UInt8(ascii: "\n") else { throw .malformed("a line has a CR without LF") }
        guard index - start <= limits.lineBytes else { throw .malformed("a line is too long") }
        let line = buffer[start..<index]
        start = index + 2
        scanned = start
        try count(bytes: line.count + 2)
        return line
      }
      index += 1
    }
    scanned = index
    guard end - start <= limits.lineBytes else { throw .malformed("a line is too long") }
    return nil
  }

  // MARK: - Values

  private mutating func step() throws(RedisError) -> Step {
    guard let line = try line() else { return .incomplete }
    guard let kind = line.first else { throw .malformed("a reply begins with an empty line") }
    let rest = line.dropFirst()
    try count(elements: 1)
    switch kind {
    case UInt8(ascii: "+"): return .value(.simple(Array(rest)))
    case UInt8(ascii: "-"): return .value(.error(Array(rest)))
    case UInt8(ascii: ":"):
      guard let number = Decimal.integer(rest) else { throw .malformed("an integer is invalid") }
      return .value(.number(number))
    case UInt8(ascii: ","):
      guard let number = Decimal.double(rest) else { throw .malformed("a double is invalid") }
      return .value(.double(number))
    case UInt8(ascii: "#"):
      guard rest.count == 1, rest.first == UInt8(ascii: "t") || rest.first == UInt8(ascii: "f") else {
        throw .malformed("a Boolean is invalid")
      }
      return .value(.boolean(rest.first == UInt8(ascii: "t")))
    case UInt8(ascii: "_"):
      guard rest.isEmpty else { throw .malformed("a null is invalid") }
      return .value(.null)
    case UInt8(ascii: "("):
      let digits = rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") ? rest.dropFirst() : rest
      guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
        throw .malformed("a big number is invalid")
      }
      return .value(.bigNumber(Array(rest)))
    case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "="):
      guard let length = Decimal.integer(rest) else { throw .malformed("the length of a string is invalid") }
      if length == -1, kind == UInt8(ascii: "$") { return .value(.null) }
      guard length >= 0, length <= Int64(limits.blobBytes) else { throw .malformed("a string is too long") }
      blob = (kind, Int(length))
      try count(bytes: Int(length) + 2)
      return try string()
    case UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: "%"), UInt8(ascii: ">"), UInt8(ascii: "|"):
      return try open(kind, rest)
    default: throw .malformed("a reply has an unknown type")
    }
  }

  private mutating func open(_ kind: UInt8, _ digits: ArraySlice<UInt8>) throws(RedisError) -> Step {
    guard let stated = Decimal.integer(digits) else { throw .malformed("the count of an array is invalid") }
    if stated == -1, kind == UInt8(ascii: "*") { return .value(.null) }
    guard stated >= 0, stated <= Int64(limits.elements) else { throw .malformed("an array has too many elements") }
    let hasPairs = kind == UInt8(ascii: "%") || kind == UInt8(ascii: "|")
    let missing = hasPairs ? Int(stated) * 2 : Int(stated)
    guard elements + missing <= limits.elements else { throw .malformed("an array has too many elements") }
    guard stack.count < limits.depth else { throw .malformed("arrays are nested too deeply") }
    var aggregate = Aggregate(kind: kind, missing: missing)
    guard missing > 0 else { return kind == UInt8(ascii: "|") ? .opened : .value(Self.value(aggregate)) }
    // The count may be wrong: space for more elements is reserved when they arrive.
    aggregate.elements.reserveCapacity(min(missing, 1024))
    stack.append(aggregate)
    return .opened
  }

  /// The string whose header has been parsed.
  private mutating func string() throws(RedisError) -> Step {
    guard let (kind, count) = blob, end - start >= count + 2 else { return .incomplete }
    let last = start + count
    guard buffer[last] == UInt8(ascii: "\r"), buffer[last + 1] == UInt8(ascii: "\n") else {
      throw .malformed("a string does not end where its length says")
    }
    let bytes = Array(buffer[start..<last])
    blob = nil
    start = last + 2
    scanned = start
    switch kind {
    case UInt8(ascii: "$"): return .value(.blob(bytes))
    case UInt8(ascii: "!"): return .value(.error(bytes))
    default:
      guard bytes.count >= 4, bytes[3] == UInt8(ascii: ":") else { throw .malformed("a string has no format") }
      return .value(.verbatim(bytes))
    }
  }

  /// Adds a value to the innermost aggregate. Returns the reply that it completes; nil if there is none.
  private mutating func attach(_ value: RESPValue) -> RESPValue? {
    var value = value
    while !stack.isEmpty {
      let top = stack.count - 1
      stack[top].elements.append(value)
      stack[top].missing -= 1
      guard stack[top].missing == 0 else { return nil }
      let aggregate = stack.removeLast()
      // Attributes are hints about the value that follows; no command of ours asks for any.
      if aggregate.kind == UInt8(ascii: "|") { return nil }
      value = Self.value(aggregate)
    }
    return value
  }

  private static func value(_ aggregate: Aggregate) -> RESPValue {
    switch aggregate.kind {
    case UInt8(ascii: "~"): .set(aggregate.elements)
    case UInt8(ascii: "%"): .map(aggregate.elements)
    case UInt8(ascii: ">"): .push(aggregate.elements)
    default: .array(aggregate.elements)
    }
  }

  // MARK: - Limits

  private mutating func count(elements count: Int) throws(RedisError) {
    elements += count
    guard elements <= limits.elements else { throw .malformed("a reply has too many values") }
  }

  private mutating func count(bytes count: Int) throws(RedisError) {
    bytes += count
    guard bytes <= limits.replyBytes else { throw .malformed("a reply is too long") }
  }
}

/// A parsed JSON text: its value, and the location of every member.
///
/// ```swift
/// let document = try JSONDocument(reading: text, file: "one.json")
/// let file = try StreamFile(document, identity: "one.json")
/// ```
public struct JSONDocument: Sendable {
  public let value: Value
  /// The parsed text.
  public let source: SourceText
  private let limits: JSONLimits
  private let foundPositions = Lazily<JSONPositions>()

  /// The locations of all values. Most documents are correct and need none, so the first access parses the text again.
  var positions: JSONPositions {
    foundPositions.content { Self.parse(source.bytes, limits, JSONPositions()).recorder }
  }

  /// The text in another notation that the JSON was made from; nil if the JSON was written as such.
  let origin: JSONOrigin?

  /// The file's name as the user gave it.
  public var file: String { source.file }

  /// Parses JSON.
  ///
  /// - Throws: Every duplicate key, up to 100, and the first syntax error, each with its location.
  public init(reading bytes: [UInt8], file: String, limits: JSONLimits = JSONLimits()) throws(Diagnostics) {
    try self.init(reading: bytes, file: file, limits: limits, from: nil)
  }

  /// Parses JSON that was made from a text in another notation, in which diagnostics are located.
  package init(
    reading bytes: [UInt8], file: String, limits: JSONLimits = JSONLimits(), from origin: JSONOrigin?
  ) throws(Diagnostics) {
    self.origin = origin
    // NB: A text beyond the limit is not searched for lines.
    let isTooLarge = bytes.count > limits.bytes
    let source = SourceText(file: file, bytes: isTooLarge ? [] : bytes)
    if !isTooLarge, Self.hasMoreValues(than: limits.values, in: bytes) {
      throw Diagnostics(
        .tooLarge, "the text has more than \(limits.values) values, which is the limit",
        help: "split the file, or move the values into a data file")
    }
    guard let value = Self.parse(bytes, limits, NoPositions()).value else {
      let (_, recorder, error) = Self.parse(bytes, limits, JSONPositions())
      throw Diagnostics((recorder.errors + [error].compactMap { $0 }).map { $0.diagnostic(in: source) })
    }
    self.value = value
    self.source = source
    self.limits = limits
  }

  /// Parses JSON.
  public init(reading text: String, file: String, limits: JSONLimits = JSONLimits()) throws(Diagnostics) {
    try self.init(reading: Array(text.utf8), file: file, limits: limits)
  }

  /// Returns whether the text has more values than a limit, judging by its brackets and commas.
  private static func hasMoreValues(than limit: Int, in bytes: [UInt8]) -> Bool {
    // A value and its separator take at least two bytes.
    guard bytes.count / 2 > limit else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      // The root, an element after each comma, and the first element of each nonempty array and object.
      var count = 1
      var isInString = false
      var offset = 0
      var isFirst = false
      while offset < bytes.count {
        let byte = bytes[offset]
        offset += 1
        if isInString {
          if byte == UInt8(ascii: "\\") { offset += 1 } else if byte == UInt8(ascii: "\"") { isInString = false }
          continue
        }
        switch byte {
        case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: "]"), UInt8(ascii: "}"): break
        case UInt8(ascii: ","): count += 1
        default:
          if isFirst { count += 1 }
          if byte == UInt8(ascii: "\"") { isInString = true }
        }
        if byte > 0x20 { isFirst = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") }
      }
      return count > limit
    }
  }

  private static func parse<Recorder: JSONRecorder>(
    _ bytes: [UInt8], _ limits: JSONLimits, _ recorder: Recorder
  ) -> (value: Value?, recorder: Recorder, error: JSONError?) {
    // NB: The placeholder gives an empty text an address; the parser does not read it.
    let count = bytes.count
    return withUnsafePointer(to: 0 as UInt8) { placeholder in
      bytes.withUnsafeBufferPointer { buffer in
        let buffer = UnsafeBufferPointer(start: buffer.baseAddress ?? placeholder, count: count)
        var workspace = JSONWorkspace()
        var parser = JSONParser(
          buffer, base: buffer.baseAddress ?? placeholder, limits: limits, recorder: recorder)
        do throws(JSONError) {
          let value = try parser.parse(&workspace)
          return (value, parser.recorder, nil)
        } catch {
          return (nil, parser.recorder, error)
        }
      }
    }
  }
}

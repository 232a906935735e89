/// What the lines of a file are expected to look like: the keys of a record, and what stands before each value.
///
/// `@unchecked`: what the pointers lead to is written before anybody else sees it, and never after.
final class JSONLineLayout: @unchecked Sendable {
  /// A field of the record.
  struct Field {
    /// The words of what stands before the value, `{"key":` or `,"key":`, from here on in `words`.
    let firstWord: Int
    let wordCount: Int
    let byteCount: Int
    /// Whether its value is looked at.
    let isRead: Bool
  }

  /// Eight bytes, and which of them count.
  struct Word {
    let bytes: UInt64
    let mask: UInt64
  }

  let shape: Shape
  let count: Int
  /// As many as there are fields.
  let fields: UnsafeMutablePointer<Field>
  let words: UnsafeMutablePointer<Word>
  /// A field whose value is not looked at, or -1.
  let unread: Int

  /// A key that takes more bytes is not foreseen: what is compared must lie within the padding of a line.
  private static let longest = 48
  /// A record of more fields is not foreseen.
  private static let fieldLimit = 256

  /// The layout of records of a shape; nil where it is not foreseen.
  ///
  /// - Parameter names: the fields that are looked at; nil for all.
  init?(_ shape: Shape, reading names: Set<String>?) {
    guard shape.count > 0, shape.count <= Self.fieldLimit else { return nil }
    var fields: [Field] = []
    var words: [Word] = []
    for key in shape.keys {
      guard case .string(let name) = key else { return nil }
      var bytes: [UInt8] = [fields.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ",")]
      JSONWriter.appendKey(key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      guard bytes.count <= Self.longest else { return nil }
      let pieces = Self.words(of: bytes)
      fields.append(
        Field(
          firstWord: words.count, wordCount: pieces.count, byteCount: bytes.count,
          isRead: names?.contains(name) ?? true))
      words += pieces
    }
    self.shape = shape
    count = fields.count
    unread = fields.firstIndex { !$0.isRead } ?? -1
    self.fields = .allocate(capacity: fields.count)
    self.words = .allocate(capacity: words.count)
    for (place, field) in fields.enumerated() { (self.fields + place).initialize(to: field) }
    for (place, word) in words.enumerated() { (self.words + place).initialize(to: word) }
  }

  // Both are trivial: nothing to deinitialise.
  deinit {
    fields.deallocate()
    words.deallocate()
  }

  private static func words(of bytes: [UInt8]) -> [Word] {
    stride(from: 0, to: bytes.count, by: 8).map { start in
      let count = min(8, bytes.count - start)
      var word: UInt64 = 0
      for offset in 0..<count { word |= UInt64(bytes[start + offset]) << UInt64(8 * offset) }
      return Word(bytes: word, mask: count == 8 ? .max : (1 << UInt64(8 * count)) - 1)
    }
  }

  /// A record whose fields are to be filled in.
  var blank: ValueMap {
    ValueMap(shape: shape, slots: (0..<count).map { fields[$0].isRead ? .null : .opaque(UnreadField.only) })
  }
}

/// What stands in a record for a field that nobody looks at.
final class UnreadField: OpaqueValue {
  static let only = UnreadField()

  private init() {}

  var typeName: String { "unread" }
  var description: String { "unread" }
  func isEqual(to other: any OpaqueValue) -> Bool { other === self }
  func hash(into hasher: inout Hasher) {}
}

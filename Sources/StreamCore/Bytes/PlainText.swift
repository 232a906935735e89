/// Strings that JSON represents without escapes: UTF-8 without quotation marks, backslashes and control characters,
/// scanned eight bytes at a time.
enum PlainText {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  typealias Place = UnsafePointer<UInt8>

  /// Returns the first byte after the string that starts here; nil if the text is not UTF-8.
  ///
  /// - Parameters:
  ///   - limit: The end of the scan; nil if a line break follows.
  ///   - marks: Marks the bytes of a word that end the string.
  @inline(__always)
  static func end(_ start: Place, before limit: Place? = nil, _ marks: (UInt64) -> UInt64) -> Place? {
    var place = start
    var all: UInt64 = 0
    while limit.map({ place < $0 }) ?? true {
      let word = UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
      let marks = marks(word)
      if marks != 0 {
        place += marks.trailingZeroBitCount >> 3
        // The bytes before the mark.
        all |= word & ((1 << UInt64(marks.trailingZeroBitCount & ~7)) &- 1)
        return all & highs == 0 || isUTF8(start, place) ? place : nil
      }
      all |= word
      place += 8
    }
    return nil
  }

  /// Returns the highest bit of each of eight bytes that cannot be part of such a string; bits above the first one may
  /// be wrong.
  ///
  /// NB: A borrow can only mark bytes above the first correctly marked one. A line break is marked.
  @inline(__always)
  static func marks(_ word: UInt64) -> UInt64 { (equal(word, 0x22) | equal(word, 0x5C) | below(word)) & highs }

  /// Returns the marks of `marks(_:)` and those of commas.
  @inline(__always)
  static func marksOfField(_ word: UInt64, _ separator: UInt8) -> UInt64 {
    marks(word) | (equal(word, UInt64(separator)) & highs)
  }

  @inline(__always)
  private static func equal(_ word: UInt64, _ byte: UInt64) -> UInt64 {
    let difference = word ^ (ones &* byte)
    return (difference &- ones) & ~difference
  }

  @inline(__always)
  private static func below(_ word: UInt64) -> UInt64 { (word &- (ones &* 0x20)) & ~word }

  /// Returns whether bytes are UTF-8.
  @inline(never)
  private static func isUTF8(_ start: Place, _ end: Place) -> Bool {
    let count = end - start
    var place = 0
    while place < count {
      let length = UTF8Sequence.length(in: start, at: place, end: count)
      if length == 0 { return false }
      place += length
    }
    return true
  }
}

/// Texts that stand in JSON as they are: UTF-8 without quotation marks, backslashes and control characters, looked at
/// eight bytes at a time.
enum PlainText {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  typealias Place = UnsafePointer<UInt8>

  /// The first byte that does not belong to the text starting here; nil if the text is not UTF-8.
  ///
  /// - Parameters:
  ///   - limit: where to stop looking; nil where there is a line break, at least.
  ///   - marks: tells of eight bytes where it ends.
  @inline(__always)
  static func end(_ start: Place, before limit: Place? = nil, _ marks: (UInt64) -> UInt64) -> Place? {
    var place = start
    var all: UInt64 = 0
    while limit.map({ place < $0 }) ?? true {
      let word = UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
      let marks = marks(word)
      if marks != 0 {
        place += marks.trailingZeroBitCount >> 3
        // Those before the mark.
        all |= word & ((1 << UInt64(marks.trailingZeroBitCount & ~7)) &- 1)
        return all & highs == 0 || isUTF8(start, place) ? place : nil
      }
      all |= word
      place += 8
    }
    return nil
  }

  /// The highest bit of each of eight bytes that is not of such a text; above the first of them others may be set too.
  ///
  /// NB: a borrow can only mark bytes above the first one that is truly marked. A line break is.
  @inline(__always)
  static func marks(_ word: UInt64) -> UInt64 { (equal(word, 0x22) | equal(word, 0x5C) | below(word)) & highs }

  /// The same with commas.
  @inline(__always)
  static func marksOfField(_ word: UInt64) -> UInt64 { marks(word) | (equal(word, 0x2C) & highs) }

  @inline(__always)
  private static func equal(_ word: UInt64, _ byte: UInt64) -> UInt64 {
    let difference = word ^ (ones &* byte)
    return (difference &- ones) & ~difference
  }

  @inline(__always)
  private static func below(_ word: UInt64) -> UInt64 { (word &- (ones &* 0x20)) & ~word }

  /// Whether bytes are UTF-8.
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

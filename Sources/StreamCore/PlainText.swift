/// Texts that stand in JSON as they are: UTF-8 without quotation marks, backslashes and control characters, looked at
/// eight bytes at a time.
enum PlainText {
  static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The highest bit of each of eight bytes that is not of such a text; above the first of them others may be set too.
  ///
  /// NB: a borrow can only mark bytes above the first one that is truly marked. A line break is.
  @inline(__always)
  static func marks(_ word: UInt64) -> UInt64 { (equal(word, 0x22) | equal(word, 0x5C) | below(word)) & highs }

  /// The same with commas.
  @inline(__always)
  static func marksOfField(_ word: UInt64) -> UInt64 {
    (equal(word, 0x22) | equal(word, 0x5C) | equal(word, 0x2C) | below(word)) & highs
  }

  @inline(__always)
  private static func equal(_ word: UInt64, _ byte: UInt64) -> UInt64 {
    let difference = word ^ (ones &* byte)
    return (difference &- ones) & ~difference
  }

  @inline(__always)
  private static func below(_ word: UInt64) -> UInt64 { (word &- (ones &* 0x20)) & ~word }

  /// Those of eight bytes that stand before the first mark.
  @inline(__always)
  static func head(_ word: UInt64, before marks: UInt64) -> UInt64 {
    word & ((1 << UInt64(marks.trailingZeroBitCount & ~7)) &- 1)
  }

  /// Whether bytes that have been put together by `|` are all of ASCII.
  @inline(__always)
  static func isASCII(_ bytes: UInt64) -> Bool { bytes & highs == 0 }

  /// Whether bytes are UTF-8.
  @inline(never)
  static func isUTF8(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
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

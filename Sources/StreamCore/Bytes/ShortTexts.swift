/// A cache of recently read short strings, which avoids creating them again.
///
/// - Memory: 256 strings of up to 15 bytes.
struct ShortTexts {
  private struct Entry {
    var low: UInt64 = 0
    var high: UInt64 = 0
    var count = -1
    var text = ""
  }

  private var entries = Array(repeating: Entry(), count: 256)

  /// Stores a plain string in a slot.
  @inline(__always)
  mutating func put(_ line: PaddedBytes, _ start: Int, _ count: Int, into slot: UnsafeMutablePointer<Value>) {
    guard count <= 15 else {
      slot.pointee = .string(Self.text(line, start, count))
      return
    }
    let low = line.word(at: start) & Self.mask(count)
    let high = count > 8 ? line.word(at: start + 8) & Self.mask(count - 8) : 0
    let place = Int(((low ^ (high &* 31)) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    slot.pointee = .string(text(line, start, count, low, high, place))
  }

  @inline(__always)
  private mutating func text(
    _ line: PaddedBytes, _ start: Int, _ count: Int, _ low: UInt64, _ high: UInt64, _ place: Int
  ) -> String {
    if entries[place].low == low, entries[place].high == high, entries[place].count == count {
      return entries[place].text
    }
    let text = Self.text(line, start, count)
    entries[place] = Entry(low: low, high: high, count: count, text: text)
    return text
  }

  /// Returns a mask of the first `count` of eight bytes.
  @inline(__always)
  private static func mask(_ count: Int) -> UInt64 { count >= 8 ? .max : (1 << UInt64(8 * count)) - 1 }

  @inline(never)
  private static func text(_ line: PaddedBytes, _ start: Int, _ count: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: line.base + start, count: count), as: UTF8.self)
  }
}

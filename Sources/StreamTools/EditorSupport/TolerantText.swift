/// The decoded text of a string in a file, and the location of each of its bytes.
struct TolerantText {
  /// The decoded text in UTF-8.
  private(set) var decoded: [UInt8] = []
  /// The offset in the file for each byte of the text, and for its end.
  private(set) var offsets: [Int] = []

  /// - Parameter range: The string with its quotation marks. The closing mark may be missing.
  init(_ bytes: [UInt8], _ range: Range<Int>, isClosed: Bool) {
    let end = max(range.lowerBound + 1, range.upperBound - (isClosed ? 1 : 0))
    var place = range.lowerBound + 1
    while place < end {
      let start = place
      let escaped: [UInt8]
      if bytes[place] == UInt8(ascii: "\\"), place + 1 < end {
        (escaped, place) = Self.unescape(bytes, at: place, end: end)
      } else {
        escaped = [bytes[place]]
        place += 1
      }
      decoded += escaped
      offsets += escaped.map { _ in start }
    }
    offsets.append(min(end, bytes.count))
  }

  var text: String { String(decoding: decoded, as: UTF8.self) }

  /// Whether a position in the file is in the middle of an escape sequence.
  func isWithinEscape(_ offset: Int) -> Bool { !offsets.contains(offset) }

  /// Returns the position in the decoded text for a byte of the file.
  func place(of offset: Int) -> Int { offsets.firstIndex { $0 >= offset } ?? decoded.count }

  /// Returns the bytes of the file for a part of the decoded text.
  func range(of part: Range<Int>) -> Range<Int> {
    let part = part.clamped(to: 0..<decoded.count)
    return offsets[part.lowerBound]..<offsets[part.upperBound]
  }

  private static func unescape(_ bytes: [UInt8], at place: Int, end: Int) -> ([UInt8], Int) {
    switch bytes[place + 1] {
    case UInt8(ascii: "n"): return ([0x0A], place + 2)
    case UInt8(ascii: "t"): return ([0x09], place + 2)
    case UInt8(ascii: "r"): return ([0x0D], place + 2)
    case UInt8(ascii: "b"): return ([0x08], place + 2)
    case UInt8(ascii: "f"): return ([0x0C], place + 2)
    case UInt8(ascii: "u"):
      guard let first = unit(bytes, at: place, end) else { return ([UInt8(ascii: "u")], place + 2) }
      if let second = unit(bytes, at: place + 6, end), UTF16.isLeadSurrogate(first), UTF16.isTrailSurrogate(second) {
        return (Array(String(decoding: [first, second], as: UTF16.self).utf8), place + 12)
      }
      return (Array(String(decoding: [first], as: UTF16.self).utf8), place + 6)
    default: return ([bytes[place + 1]], place + 2)
    }
  }

  /// The UTF-16 code unit of an escape `\uXXXX`.
  private static func unit(_ bytes: [UInt8], at place: Int, _ end: Int) -> UInt16? {
    guard place + 6 <= end, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u") else {
      return nil
    }
    return UInt16(String(decoding: bytes[place + 2..<place + 6], as: UTF8.self), radix: 16)
  }
}

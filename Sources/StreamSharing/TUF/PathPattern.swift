/// A pattern of paths in which `*`, `?` and `[…]` stand for characters other than a slash.
struct PathPattern {
  private let segments: [[UInt8]]

  init(_ pattern: String) { segments = Self.segments(pattern) }

  private static func segments(_ text: String) -> [[UInt8]] {
    text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
  }

  /// Whether a path has as many segments, and each segment matches.
  func matches(_ path: String) -> Bool {
    let parts = Self.segments(path)
    return parts.count == segments.count && zip(segments, parts).allSatisfy(Self.matches)
  }

  /// Matches in O(pattern × text), by returning to the last `*` only.
  private static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
    var (place, position) = (0, 0)
    var star: (place: Int, position: Int)?
    while position < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place, position)
        place += 1
      } else if let next = step(pattern, place, text, position) {
        (place, position) = next
      } else if let last = star {
        (place, position) = (last.place + 1, last.position + 1)
        star = (last.place, last.position + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// Matches one character. Returns the places after it; nil if it does not match.
  private static func step(_ pattern: [UInt8], _ place: Int, _ text: [UInt8], _ position: Int) -> (Int, Int)? {
    guard place < pattern.count else { return nil }
    let end = position + length(ofCharacterAt: position, text)
    switch pattern[place] {
    case UInt8(ascii: "?"): return (place + 1, end)
    case UInt8(ascii: "["):
      guard let (isMember, next) = set(pattern, place, contains: text[position]) else { break }
      return isMember ? (next, end) : nil
    default: break
    }
    return pattern[place] == text[position] ? (place + 1, position + 1) : nil
  }

  private static func length(ofCharacterAt position: Int, _ text: [UInt8]) -> Int {
    var end = position + 1
    while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end - position
  }

  /// Whether a set such as `[a-z]` or `[!0-9]` contains a byte, and the place after the set; nil if `[` begins no set.
  private static func set(_ pattern: [UInt8], _ start: Int, contains byte: UInt8) -> (Bool, Int)? {
    var place = start + 1
    let isNegated = place < pattern.count && pattern[place] == UInt8(ascii: "!")
    if isNegated { place += 1 }
    // A bracket directly after the beginning is a member.
    guard place < pattern.count, let close = pattern[(place + 1)...].firstIndex(of: UInt8(ascii: "]")) else {
      return nil
    }
    var isMember = false
    while place < close {
      if place + 2 < close, pattern[place + 1] == UInt8(ascii: "-") {
        if pattern[place] <= byte, byte <= pattern[place + 2] { isMember = true }
        place += 3
      } else {
        if pattern[place] == byte { isMember = true }
        place += 1
      }
    }
    return (isMember != isNegated, close + 1)
  }
}

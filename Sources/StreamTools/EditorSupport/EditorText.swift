internal import StreamCore

/// A position in a text as editors count: the line from 0, and the number of units before it on the line.
package struct EditorPosition: Hashable, Comparable, Sendable {
  package var line: Int
  /// In the units that the editor counts in.
  package var character: Int

  package init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }

  package static func < (first: EditorPosition, second: EditorPosition) -> Bool {
    (first.line, first.character) < (second.line, second.character)
  }
}

/// The unit in which an editor counts the characters of a line.
package enum EditorUnits: String, Sendable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
}

/// A text with the places of its bytes as an editor counts them.
package struct EditorText: Sendable {
  package let bytes: [UInt8]
  private let source: SourceText
  /// Number of UTF-16 units before each block of bytes; empty if the text is ASCII.
  private let unitsBefore: [Int]

  private static let block = 4_096

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    source = SourceText(file: "", bytes: bytes)
    unitsBefore = bytes.allSatisfy { $0 < 0x80 } ? [] : Self.count(bytes)
  }

  private static func count(_ bytes: [UInt8]) -> [Int] {
    var counts: [Int] = []
    var units = 0
    for (offset, byte) in bytes.enumerated() {
      if offset % block == 0 { counts.append(units) }
      units += width(byte)
    }
    return counts
  }

  /// The number of UTF-16 units of the scalar that begins with a byte; 0 for continuation bytes.
  static func width(_ byte: UInt8) -> Int { byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1 }

  /// Returns the position of a byte. An offset outside the text is clamped.
  package func position(of offset: Int, in units: EditorUnits) -> EditorPosition {
    let offset = min(max(offset, 0), bytes.count)
    let line = source.lineNumber(at: offset) - 1
    let start = source.byteRange(ofLine: line + 1).lowerBound
    let character = units == .utf8 ? offset - start : unitCount(before: offset) - unitCount(before: start)
    return EditorPosition(line: line, character: max(0, character))
  }

  /// Returns the byte at a position. A position beyond the end of a line counts as its end.
  package func offset(of position: EditorPosition, in units: EditorUnits) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < source.lineCount else { return bytes.count }
    let line = source.byteRange(ofLine: position.line + 1)
    let character = max(0, position.character)
    if units == .utf8 || unitsBefore.isEmpty {
      var offset = character < line.count ? line.lowerBound + character : line.upperBound
      // No place is within a scalar.
      while offset > line.lowerBound, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
      return offset
    }
    return offset(of: character, on: line)
  }

  /// Returns the number of UTF-16 units before a byte.
  package func utf16Offset(of offset: Int) -> Int { unitCount(before: min(max(offset, 0), bytes.count)) }

  /// Returns the byte after a number of UTF-16 units. A number beyond the text counts as its end.
  package func offset(ofUTF16 count: Int) -> Int {
    unitsBefore.isEmpty ? min(max(count, 0), bytes.count) : offset(of: max(count, 0), on: 0..<bytes.count)
  }

  private func offset(of character: Int, on line: Range<Int>) -> Int {
    let (wanted, overflow) = unitCount(before: line.lowerBound).addingReportingOverflow(character)
    guard !overflow else { return line.upperBound }
    // The last block before the place, then byte by byte.
    var low = line.lowerBound / Self.block
    var high = unitsBefore.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if unitsBefore[middle] <= wanted { low = middle } else { high = middle }
    }
    var offset = max(low * Self.block, line.lowerBound)
    var count = unitCount(before: offset)
    while offset < line.upperBound {
      let width = Self.width(bytes[offset])
      if count + width > wanted, width > 0 { return offset }
      count += width
      offset += 1
    }
    return line.upperBound
  }

  private func unitCount(before offset: Int) -> Int {
    guard !unitsBefore.isEmpty else { return offset }
    let block = min(offset / Self.block, unitsBefore.count - 1)
    return bytes[block * Self.block..<offset].reduce(unitsBefore[block]) { $0 + Self.width($1) }
  }
}

/// A text that takes many edits, one after the other, each at a place in the text after the edits before it.
///
/// The text is kept in pieces of a few thousand bytes with the number of their lines and UTF-16 units, so that an edit
/// costs the same however long the text is, apart from a scan of the pieces' numbers.
package struct EditedText {
  private var pieces: [Piece]
  private let units: EditorUnits

  /// A part of the text, which neither begins within a scalar nor between CR and LF.
  private struct Piece {
    var bytes: ArraySlice<UInt8>
    /// The line breaks: LF, CR LF and CR alone.
    let breaks: Int
    /// The UTF-16 units.
    let units: Int

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      var (breaks, units) = (0, 0)
      for place in bytes.indices {
        units += EditorText.width(bytes[place])
        if EditedText.endsLine(bytes, place) { breaks += 1 }
      }
      (self.breaks, self.units) = (breaks, units)
    }
  }

  /// A byte of the text: one of a piece, or the end of it.
  private struct Place {
    var piece: Int
    var offset: Int
  }

  private static let pieceLength = 4_096

  package init(_ bytes: [UInt8], units: EditorUnits) {
    self.units = units
    pieces = Self.pieces(of: bytes[...])
  }

  /// The text.
  package var bytes: [UInt8] { Array(pieces.map(\.bytes).joined()) }

  /// Replaces a range with a text.
  package mutating func replace(_ range: Range<EditorPosition>, with text: String) {
    let start = place(of: range.lowerBound)
    var end = place(of: range.upperBound)
    if (end.piece, end.offset) < (start.piece, start.offset) { end = start }
    var first = start.piece
    var last = end.piece
    var bytes = Array(pieces[first].bytes.prefix(start.offset))
    bytes += text.utf8
    bytes += pieces[last].bytes.dropFirst(end.offset)
    // A CR and an LF that have become neighbors are one line break, so they belong in one piece.
    if last + 1 < pieces.count, bytes.isEmpty || bytes.last == 0x0D || pieces[last + 1].bytes.first == 0x0A {
      last += 1
      bytes += pieces[last].bytes
    }
    if first > 0, bytes.first == 0x0A || bytes.count < Self.pieceLength / 4 {
      first -= 1
      bytes = pieces[first].bytes + bytes
    }
    pieces.replaceSubrange(first...last, with: Self.pieces(of: bytes[...]))
    if pieces.isEmpty { pieces = [Piece([])] }
  }

  private static func pieces(of bytes: ArraySlice<UInt8>) -> [Piece] {
    var pieces: [Piece] = []
    var rest = bytes
    while rest.count > pieceLength {
      var end = rest.startIndex + pieceLength
      while end < rest.endIndex, bytes[end] & 0xC0 == 0x80 || (bytes[end] == 0x0A && bytes[end - 1] == 0x0D) {
        end += 1
      }
      pieces.append(Piece(ArraySlice(Array(rest[..<end]))))
      rest = rest[end...]
    }
    if !rest.isEmpty || pieces.isEmpty { pieces.append(Piece(ArraySlice(Array(rest)))) }
    return pieces
  }

  /// Whether the line ends with this byte. Both bytes of CR LF are in the same slice.
  fileprivate static func endsLine(_ bytes: ArraySlice<UInt8>, _ place: Int) -> Bool {
    bytes[place] == 0x0A || (bytes[place] == 0x0D && !(place + 1 < bytes.endIndex && bytes[place + 1] == 0x0A))
  }

  // MARK: Places

  /// Returns the byte at a position. A position beyond the end of a line counts as its end, one beyond the text as the
  /// text's end.
  private func place(of position: EditorPosition) -> Place {
    guard position.line >= 0 else { return Place(piece: 0, offset: 0) }
    guard var place = start(ofLine: position.line) else {
      return Place(piece: pieces.count - 1, offset: pieces[pieces.count - 1].bytes.count)
    }
    var left = max(0, position.character)
    while true {
      let piece = pieces[place.piece]
      let isWhole = place.offset == 0 && piece.breaks == 0
      let length = units == .utf8 ? piece.bytes.count : piece.units
      if isWhole, length <= left, place.piece + 1 < pieces.count {
        left -= length
        place = Place(piece: place.piece + 1, offset: 0)
        continue
      }
      // Through this piece, byte by byte.
      let bytes = piece.bytes
      var offset = place.offset
      while offset < bytes.count {
        let byte = bytes[offset]
        if byte == 0x0A || byte == 0x0D { return Place(piece: place.piece, offset: offset) }
        let width = units == .utf8 ? Self.length(bytes, offset) : EditorText.width(byte)
        if width > left { return Place(piece: place.piece, offset: offset) }
        left -= width
        offset += Self.length(bytes, offset)
      }
      guard place.piece + 1 < pieces.count else { return Place(piece: place.piece, offset: bytes.count) }
      place = Place(piece: place.piece + 1, offset: 0)
    }
  }

  /// The bytes of the scalar here.
  private static func length(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> Int {
    var end = offset + 1
    while end < bytes.endIndex, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end - offset
  }

  /// Returns the start of a line, numbered from 0; nil if the line does not exist.
  private func start(ofLine line: Int) -> Place? {
    // A byte order mark is not part of the first line.
    if line == 0 { return Place(piece: 0, offset: pieces[0].bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0) }
    var left = line
    for (number, piece) in pieces.enumerated() {
      guard piece.breaks >= left else {
        left -= piece.breaks
        continue
      }
      for place in piece.bytes.indices where Self.endsLine(piece.bytes, place) {
        left -= 1
        if left == 0 { return Place(piece: number, offset: place + 1) }
      }
    }
    return nil
  }
}

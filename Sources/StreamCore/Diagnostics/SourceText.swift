/// A text with its file name, and its lines and columns.
///
/// ```swift
/// let source = SourceText(file: "notes.txt", text: "one\ntwo\n")
/// let (line, column) = source.position(of: 5)
/// ```
public struct SourceText: Sendable {
  /// The file's name as the user gave it; `-` is standard input.
  public let file: String
  public let bytes: [UInt8]
  /// Number of the first line: 1, or more if the text is an excerpt of a longer one.
  public let firstLine: Int
  /// Whether CR alone ends a line too; in line-delimited JSON it is white space.
  private let endsLinesAtReturn: Bool
  private let foundLines = Lazily<[Int]>()
  private let foundMarks = Lazily<[ScalarMark]>()

  /// Creates the text of a file. A line ends with LF, CR LF or CR; lines are located on first use.
  public init(file: String, bytes: [UInt8], firstLine: Int = 1) {
    self.init(file: file, bytes: bytes, firstLine: firstLine, endsLinesAtReturn: true)
  }

  /// Creates the text of a part of a file whose lines end with LF only.
  package init(file: String, linesOfFeeds bytes: [UInt8], firstLine: Int) {
    self.init(file: file, bytes: bytes, firstLine: firstLine, endsLinesAtReturn: false)
  }

  private init(file: String, bytes: [UInt8], firstLine: Int, endsLinesAtReturn: Bool) {
    self.file = file
    self.bytes = bytes
    self.firstLine = firstLine
    self.endsLinesAtReturn = endsLinesAtReturn
  }

  /// The offsets at which lines begin.
  private var lineStarts: [Int] {
    foundLines.content {
      var starts = [Self.hasByteOrderMark(bytes) ? 3 : 0]
      var offset = 0
      while offset < bytes.count {
        let byte = bytes[offset]
        offset += 1
        if byte == 0x0A
          || (byte == 0x0D && endsLinesAtReturn && !(offset < bytes.count && bytes[offset] == 0x0A))
        {
          starts.append(offset)
        }
      }
      return starts
    }
  }

  /// Creates the text of a file.
  public init(file: String, text: String) { self.init(file: file, bytes: Array(text.utf8)) }

  /// Number of lines, at least one.
  public var lineCount: Int { lineStarts.count }

  /// Returns the line (from `firstLine`) and the column (from 1, in Unicode scalars) of a byte. An offset outside the
  /// text is clamped.
  public func position(of offset: Int) -> (line: Int, column: Int) {
    let lineStarts = lineStarts
    let offset = min(max(offset, lineStarts[0]), bytes.count)
    let line = Self.place(of: offset, in: lineStarts)
    return (line + firstLine, scalarCount(in: lineStarts[line]..<offset) + 1)
  }

  /// The offset at which a scalar begins, and the number of scalars before it.
  private struct ScalarMark: Sendable {
    let offset: Int
    let scalars: Int
  }

  /// Number of bytes between two marks.
  private static let markDistance = 4_096

  /// A mark for every few thousand bytes, since a file may be one line: its columns are not counted from its beginning.
  private var marks: [ScalarMark] {
    foundMarks.content {
      var marks = [ScalarMark(offset: 0, scalars: 0)]
      while let last = marks.last, last.offset < bytes.count {
        var end = min(last.offset + Self.markDistance, bytes.count)
        // A mark is not within a scalar, whose first byte is at most three bytes before its last.
        var back = 0
        while back < 3, end < bytes.count, bytes[end] & 0xC0 == 0x80 { (end, back) = (end - 1, back + 1) }
        let count = UTF8Sequence.count(of: bytes, in: last.offset..<end)
        marks.append(ScalarMark(offset: end, scalars: last.scalars + count))
      }
      return marks
    }
  }

  /// Returns the number of scalars in a part of a line.
  private func scalarCount(in range: Range<Int>) -> Int {
    guard range.count > Self.markDistance else { return UTF8Sequence.count(of: bytes, in: range) }
    return scalarCount(before: range.upperBound) - scalarCount(before: range.lowerBound)
  }

  private func scalarCount(before offset: Int) -> Int {
    let marks = marks
    var low = 0
    var high = marks.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if marks[middle].offset <= offset { low = middle } else { high = middle }
    }
    return marks[low].scalars + UTF8Sequence.count(of: bytes, in: marks[low].offset..<offset)
  }

  /// Returns the number, from `firstLine`, of the line that contains a byte. An offset outside the text is clamped.
  package func lineNumber(at offset: Int) -> Int { Self.place(of: offset, in: lineStarts) + firstLine }

  private static func place(of offset: Int, in lineStarts: [Int]) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the location of a byte range.
  public func location(of range: Range<Int>) -> Diagnostic.Location {
    let (line, column) = position(of: range.lowerBound)
    return Diagnostic.Location(file: file, bytes: range, line: line, column: column)
  }

  /// Returns the byte range of a line without its line break; empty if the line does not exist.
  public func byteRange(ofLine line: Int) -> Range<Int> {
    let (place, lineStarts) = (line - firstLine, lineStarts)
    guard lineStarts.indices.contains(place) else { return bytes.count..<bytes.count }
    let start = lineStarts[place]
    var end = place + 1 < lineStarts.count ? lineStarts[place + 1] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  /// Returns the text of a line without its line break.
  public func line(_ line: Int) -> String {
    String(decoding: bytes[byteRange(ofLine: line)], as: UTF8.self)
  }

  static func hasByteOrderMark(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
  }
}

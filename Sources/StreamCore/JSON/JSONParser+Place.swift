// The location of the parser, for its error messages; not used while the text is correct.

extension JSONParser {
  /// Returns the pointer of the value that is being read.
  func pointer(_ workspace: JSONWorkspace) -> JSONPointer {
    let token = current.token(workspace.shapes, workspace.values.count)
    return JSONPointer(containerPointer(workspace).tokens + [token].compactMap { $0 })
  }

  /// Returns the pointer of the list or object that is being read.
  func containerPointer(_ workspace: JSONWorkspace) -> JSONPointer {
    let ends = workspace.frames.dropFirst().map(\.start) + [current.start]
    return JSONPointer(zip(workspace.frames, ends).compactMap { $0.token(workspace.shapes, $1) })
  }

  /// Returns the line and column, both from 1; for a text of one line the column alone, since the line may belong to a
  /// larger text.
  func place(of offset: Int) -> String {
    let text = SourceText(file: "", bytes: Array(UnsafeBufferPointer(start: base, count: end)))
    let (line, column) = text.position(of: offset)
    let isOneLine = text.lineCount == 1 || (text.lineCount == 2 && text.line(2).isEmpty)
    return isOneLine ? "column \(column)" : "line \(line), column \(column)"
  }

  /// Returns a description of the text at an offset, for messages.
  func found(at offset: Int) -> String {
    guard offset < end else { return "the end of the text" }
    switch base[offset] {
    case UInt8(ascii: "\""): return "a string"
    case 0..<0x20, 0x7F: return "the control character 0x\(hexadecimalText(base[offset]))"
    default:
      if UTF8Sequence.length(in: base, at: offset, end: end) == 0 {
        return "the byte 0x\(hexadecimalText(base[offset]))"
      }
      return "'\(excerpt(offset..<wordEnd(from: offset)))'"
    }
  }

  /// Returns the end of the word, number or single character at an offset.
  func wordEnd(from offset: Int) -> Int {
    guard offset < end else { return end }
    var stop = offset
    while stop < end, isWordByte(base[stop]) { stop += 1 }
    if stop > offset { return stop }
    return offset + max(UTF8Sequence.length(in: base, at: offset, end: end), 1)
  }

  func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "+"):
      true
    default: false
    }
  }

  /// Returns a part of the text, truncated to 40 bytes for a message.
  func excerpt(_ range: Range<Int>) -> String {
    let range = range.clamped(to: 0..<end)
    let count = min(range.count, 40)
    let text = String(decoding: UnsafeBufferPointer(start: base + range.lowerBound, count: count), as: UTF8.self)
    return count < range.count ? text + "…" : text
  }

  func begins(with word: StaticString, at offset: Int) -> Bool {
    guard word.utf8CodeUnitCount <= end - offset else { return false }
    return word.withUTF8Buffer { letters in
      letters.indices.allSatisfy { letters[$0] == base[offset + $0] }
    }
  }

  func hexadecimalText(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "0" + digits : digits
  }
}

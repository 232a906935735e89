extension JSONParser {
  /// Reads the string at the current quotation mark.
  @inline(__always)
  mutating func readString(_ workspace: inout JSONWorkspace) throws(JSONError) -> String {
    let start = position + 1
    let stop = ordinaryEnd(from: start)
    if stop < end, base[stop] == UInt8(ascii: "\"") {
      position = stop + 1
      return String(decoding: UnsafeBufferPointer(start: base + start, count: stop - start), as: UTF8.self)
    }
    return try readUnusualString(start, stop, &workspace)
  }

  /// Returns the offset of the first byte that is not ordinary ASCII text: a quotation mark, backslash, control
  /// character or the beginning of a longer scalar.
  @inline(__always)
  private func ordinaryEnd(from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    var offset = start
    while offset + 8 <= end {
      let word = UInt64(littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
      let quotes = word ^ (ones &* 0x22)
      let slashes = word ^ (ones &* 0x5C)
      // NB: A borrow can only mark bytes above the first correctly marked one.
      let marks =
        (((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes) | ((word &- (ones &* 0x20)) & ~word) | word)
        & highs
      if marks != 0 { return offset + marks.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < end {
      let byte = base[offset]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 || byte >= 0x80 { return offset }
      offset += 1
    }
    return end
  }

  /// Reads the rest of a string that has escapes or scalars beyond ASCII, or is malformed.
  @inline(never)
  private mutating func readUnusualString(
    _ start: Int, _ stop: Int, _ workspace: inout JSONWorkspace
  ) throws(JSONError) -> String {
    var offset = stop
    var copied = start
    workspace.scratch.removeAll(keepingCapacity: true)
    while offset < end {
      switch base[offset] {
      case UInt8(ascii: "\""):
        position = offset + 1
        let rest = UnsafeBufferPointer(start: base + copied, count: offset - copied)
        guard copied != start else { return String(decoding: rest, as: UTF8.self) }
        workspace.scratch.append(contentsOf: rest)
        return String(decoding: workspace.scratch, as: UTF8.self)
      case UInt8(ascii: "\\"):
        workspace.scratch.append(contentsOf: UnsafeBufferPointer(start: base + copied, count: offset - copied))
        let (scalar, next) = try escape(at: offset, stringStart: start - 1, workspace)
        UTF8Sequence.append(scalar, to: &workspace.scratch)
        offset = next
        copied = next
      case 0..<0x20:
        throw controlCharacter(at: offset, workspace)
      case 0..<0x80:
        offset = ordinaryEnd(from: offset)
      default:
        let length = UTF8Sequence.length(in: base, at: offset, end: end)
        guard length > 0 else { throw invalidUTF8(at: offset, workspace) }
        offset += length
      }
    }
    throw unendedString(from: start - 1, workspace)
  }

  /// Returns the scalar of the escape at the current backslash, and the end of the escape.
  private func escape(
    at offset: Int, stringStart: Int, _ workspace: JSONWorkspace
  ) throws(JSONError) -> (Unicode.Scalar, Int) {
    guard offset + 1 < end else { throw unendedString(from: stringStart, workspace) }
    let plain: Unicode.Scalar
    switch base[offset + 1] {
    case UInt8(ascii: "\""): plain = "\""
    case UInt8(ascii: "\\"): plain = "\\"
    case UInt8(ascii: "/"): plain = "/"
    case UInt8(ascii: "b"): plain = "\u{8}"
    case UInt8(ascii: "f"): plain = "\u{C}"
    case UInt8(ascii: "n"): plain = "\n"
    case UInt8(ascii: "r"): plain = "\r"
    case UInt8(ascii: "t"): plain = "\t"
    case UInt8(ascii: "u"):
      let unit = try hexadecimal(at: offset, stringStart: stringStart, workspace)
      if let scalar = Unicode.Scalar(unit) { return (scalar, offset + 6) }
      guard unit < 0xDC00, offset + 7 < end, base[offset + 6] == UInt8(ascii: "\\"),
        base[offset + 7] == UInt8(ascii: "u")
      else { throw loneSurrogate(at: offset, workspace) }
      let second = try hexadecimal(at: offset + 6, stringStart: stringStart, workspace)
      guard 0xDC00...0xDFFF ~= second,
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
      else { throw loneSurrogate(at: offset, workspace) }
      return (scalar, offset + 12)
    default: throw unknownEscape(at: offset, workspace)
    }
    return (plain, offset + 2)
  }

  /// Returns the value of the four hexadecimal digits of the `\u` at an offset.
  private func hexadecimal(
    at offset: Int, stringStart: Int, _ workspace: JSONWorkspace
  ) throws(JSONError) -> UInt32 {
    var result: UInt32 = 0
    for place in offset + 2..<offset + 6 {
      guard place < end else { throw unendedString(from: stringStart, workspace) }
      let digit: UInt8
      switch base[place] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = base[place] - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = base[place] - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = base[place] - UInt8(ascii: "A") + 10
      default: throw badHexadecimal(offset..<place, workspace)
      }
      result = result << 4 | UInt32(digit)
    }
    return result
  }
}

extension JSONWriter {
  /// Appends a value that is neither a list nor a map, nor an optional of one. An optional is its value, or null.
  static func appendScalar(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .int(let value): appendInt(value, to: &bytes)
    case .uint(let value): appendMagnitude(value, to: &bytes)
    case .double(let value): appendDouble(value, to: &bytes)
    case .string(let value): appendString(value, to: &bytes)
    case .bytes(let value):
      bytes.append(UInt8(ascii: "\""))
      Base64.append(value, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    case .timestamp(let value): appendString(value.rfc3339, to: &bytes)
    case .duration(let value): appendString(value.secondsText, to: &bytes)
    case .opaque(let wrapper as any WrappingValue): appendScalar(wrapper.wrapped ?? .null, to: &bytes)
    case .opaque(let value): appendString(value.description, to: &bytes)
    case .list, .map: preconditionFailure("a list or map is not a scalar")
    }
  }

  /// Appends a key as a string; a key of another type as its text.
  static func appendKey(_ key: Value, to bytes: inout [UInt8]) {
    appendString(text(ofKey: key), to: &bytes)
  }

  /// Returns the text of a key.
  static func text(ofKey key: Value) -> String {
    if case .string(let name) = key { return name }
    var bytes: [UInt8] = []
    append(key, to: &bytes)
    if bytes.count >= 2, bytes.first == UInt8(ascii: "\"") { bytes = Array(bytes.dropFirst().dropLast()) }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func appendInt(_ value: Int64, to bytes: inout [UInt8]) {
    NumberText.append(to: &bytes) { NumberText.write(value, to: $0) }
  }

  static func appendMagnitude(_ value: UInt64, to bytes: inout [UInt8]) {
    NumberText.append(to: &bytes) { NumberText.write(magnitude: value, to: $0) }
  }

  static func appendDouble(_ value: Double, to bytes: inout [UInt8]) {
    NumberText.append(to: &bytes) { NumberText.write(value, to: $0) }
  }

  /// Appends a string with the escapes that JSON requires.
  static func appendString(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { letters in
      var start = 0
      while start < letters.count {
        let stop = plainEnd(of: letters, from: start)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: letters[start..<stop]))
        if stop < letters.count { appendEscape(letters[stop], to: &bytes) }
        start = stop + 1
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns the offset of the first byte that must be escaped, or the end; compares eight bytes at a time.
  @inline(__always)
  static func plainEnd(of letters: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let raw = UnsafeRawBufferPointer(letters)
    var offset = start
    while offset + 8 <= raw.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let quotes = word ^ (ones &* 0x22)
      let slashes = word ^ (ones &* 0x5C)
      let controls = (word &- (ones &* 0x20)) & ~word
      // NB: A borrow can only mark bytes above the first correctly marked one.
      let marks = (((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes) | controls) & (ones &* 0x80)
      if marks != 0 { return offset + marks.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < raw.count, letters[offset] >= 0x20, letters[offset] != 0x22, letters[offset] != 0x5C { offset += 1 }
    return offset
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    let text: StaticString
    switch byte {
    case 0x22: text = "\\\""
    case 0x5C: text = "\\\\"
    case 0x08: text = "\\b"
    case 0x09: text = "\\t"
    case 0x0A: text = "\\n"
    case 0x0C: text = "\\f"
    case 0x0D: text = "\\r"
    default:
      text = byte < 0x10 ? "\\u000" : "\\u001"
      text.withUTF8Buffer { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: String(byte & 0xF, radix: 16).utf8)
      return
    }
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }
}

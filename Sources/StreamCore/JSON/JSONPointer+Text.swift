extension JSONPointer {
  /// Parses a pointer; `~1` represents `/` and `~0` represents `~` in its tokens.
  ///
  /// - Throws: `invalidPointer`.
  public init(parsing text: String) throws(Diagnostic) {
    guard !text.utf8.isEmpty else {
      self.init()
      return
    }
    guard text.utf8.first == UInt8(ascii: "/") else {
      throw Diagnostic(.invalidPointer, "the JSON pointer '\(text)' does not begin with '/'", help: "write /\(text)")
    }
    var tokens: [String] = []
    for step in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let token = Self.unescape(step) else {
        throw Diagnostic(
          .invalidPointer, "'~' in the JSON pointer '\(text)' is followed by neither 0 nor 1",
          help: "write ~0 for '~' and ~1 for '/'")
      }
      tokens.append(token)
    }
    self.init(tokens)
  }

  private static func unescape(_ step: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var iterator = step.makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "~") else {
        bytes.append(byte)
        continue
      }
      switch iterator.next() {
      case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns an array index in RFC 6901 form, digits without leading zeros; nil for another form.
  package static func index(_ token: String) -> Int? {
    let digits = token.utf8
    guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    if digits.count > 1, digits.first == 0x30 { return nil }
    return Int(token)
  }
}

extension JSONPointer: CustomStringConvertible {
  /// The text of a pointer that continues another one.
  static func text(of tokens: [String], after beginning: String) -> String {
    var text = beginning
    for token in tokens {
      text += "/"
      guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
        text += token
        continue
      }
      for character in token.unicodeScalars {
        switch character {
        case "~": text += "~0"
        case "/": text += "~1"
        default: text.unicodeScalars.append(character)
        }
      }
    }
    return text
  }
}

extension Value {
  /// The member at a pointer, or nil if there is none.
  public subscript(pointer: JSONPointer) -> Value? {
    var value = self
    for token in pointer.tokens {
      guard let (_, next) = value.element(token) else { return nil }
      value = next
    }
    return value
  }
}

/// Coded as its text.
extension JSONPointer: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(parsing: decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

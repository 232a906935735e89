/// Text for a terminal: characters that a terminal would obey rather than show are replaced.
///
/// These are the control characters of C0 and C1, among them the beginnings of escape sequences, and the characters that
/// change the direction of text. Names, labels and values come from files of strangers.
package enum VisibleText {
  /// A line: line breaks and tabs are replaced, too.
  package static func line(_ text: String) -> String { replacing(text) { $0 == "\t" ? " " : visible($0) } }

  /// Lines, whose breaks and tabs stay.
  package static func lines(_ text: String) -> String {
    guard !isPlain(text) else { return text }
    var result = ""
    var rest = Substring(text)[...].unicodeScalars
    while let scalar = rest.popFirst() {
      let isBreak = scalar == "\n" || scalar == "\r" && rest.first == "\n"
      result.unicodeScalars.append(isBreak || scalar == "\t" ? scalar : visible(scalar))
    }
    return result
  }

  /// JSON of the same value, with escapes for these characters.
  package static func json(_ text: String) -> String {
    guard !isPlain(text) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      // JSON has those of C0 between its values only.
      if scalar.value < 0x20 || visible(scalar) == scalar {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result
  }

  /// Lines as the text of an element or an attribute of XML or HTML.
  package static func markup(_ text: String) -> String {
    var result = ""
    // NB: by scalars: a character may consist of `&` and an accent.
    for scalar in lines(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // XML 1.0 has no form for these.
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func replacing(_ text: String, _ replacement: (Unicode.Scalar) -> Unicode.Scalar) -> String {
    guard !isPlain(text) else { return text }
    var result = ""
    for scalar in text.unicodeScalars { result.unicodeScalars.append(replacement(scalar)) }
    return result
  }

  /// Whether there are only characters of ASCII that are shown, as in most texts.
  private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

  /// Returns the scalar itself, or a visible replacement for a control character. A tab stays.
  static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x09: scalar
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0x80..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: "\u{FFFD}"
    default: scalar
    }
  }
}

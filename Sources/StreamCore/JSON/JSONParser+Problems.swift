// The errors of a text as a whole, of numbers and of strings.

extension JSONParser {
  func tooLarge() -> JSONError {
    JSONError(.tooLarge, "the text has \(end) bytes; at most \(limits.bytes) are read", bytes: 0..<0)
  }

  func emptyText() -> JSONError {
    JSONError(
      .emptyText, end == 0 ? "the text is empty; expected JSON" : "the text holds only white space; expected JSON",
      bytes: end..<end,
      help: "an object is written {\"name\": 1}, an array [1, 2]")
  }

  func trailingText() -> JSONError {
    JSONError(
      .trailingText, "the JSON value ends before \(found(at: position))",
      bytes: position..<wordEnd(from: position), help: "a text holds one value; remove the rest")
  }

  func tooDeep(_ workspace: JSONWorkspace) -> JSONError {
    JSONError(
      .tooDeep, "arrays and objects are nested more than \(limits.depth) levels deep", bytes: position..<position + 1,
      at: pointer(workspace), help: "reduce the nesting")
  }

  func unexpectedEnd(_ workspace: JSONWorkspace) -> JSONError {
    let (what, bracket) = current.kind == .list ? ("array", "]") : ("object", "}")
    return JSONError(
      .unexpectedEnd, "the text ends inside an \(what)", bytes: end..<end,
      at: containerPointer(workspace), notes: ["the \(what) begins at \(place(of: current.opened))"],
      help: "close it with '\(bracket)'")
  }

  func unendedString(from start: Int, _ workspace: JSONWorkspace) -> JSONError {
    return JSONError(
      .unexpectedEnd, "the text ends inside a string", bytes: end..<end, at: pointer(workspace),
      notes: ["the string begins at \(place(of: start))"], help: "close it with '\"'")
  }

  // MARK: Numbers

  func malformedNumber(_ start: Int, _ workspace: JSONWorkspace) -> JSONError {
    let stop = wordEnd(from: start)
    let text = excerpt(start..<stop)
    let digits = text.drop { $0 == "-" || $0 == "+" }
    var message = "'\(text)' is not a JSON number"
    var help: String?
    if text.hasPrefix("+") {
      message = "a JSON number has no plus sign"
      help = "write \(digits)"
    } else if digits.isEmpty {
      message = "a minus sign needs digits after it"
    } else if digits.hasPrefix("Infinity") || digits.hasPrefix("inf") || digits.hasPrefix("NaN") {
      message = "JSON has no infinity and no NaN"
    } else if digits.hasPrefix(".") {
      message = "a number needs a digit before its decimal point"
      help = "write \(text.prefix { $0 == "-" })0\(digits)"
    } else if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      message = "JSON numbers are decimal"
    } else if digits.hasPrefix("0"), digits.dropFirst().first?.isASCIIDigit == true {
      message = "a JSON number has no leading zeros"
      let rest = digits.drop { $0 == "0" }
      let needsZero = rest.first?.isASCIIDigit != true
      help = "write \(text.prefix { $0 == "-" })\(needsZero ? "0" : "")\(rest)"
    } else if let point = digits.firstIndex(of: "."), digits[..<point].allSatisfy(\.isASCIIDigit),
      digits[digits.index(after: point)...].first?.isASCIIDigit != true
    {
      message = "a number needs a digit after its decimal point"
      help = "write \(text.prefix { $0 == "-" })\(digits[..<point]).0"
    } else if let last = digits.last, "eE+-".contains(last) {
      message = "an exponent needs digits"
    }
    return JSONError(.syntax, message, bytes: start..<stop, at: pointer(workspace), help: help)
  }

  func intOutOfRange(_ range: Range<Int>, _ workspace: JSONWorkspace) -> JSONError {
    JSONError(
      .numberOutOfRange, "\(excerpt(range)) does not fit in a 64-bit integer", bytes: range, at: pointer(workspace),
      help: "write it with a fraction or an exponent, or as a string")
  }

  func doubleOutOfRange(_ range: Range<Int>, _ workspace: JSONWorkspace) -> JSONError {
    JSONError(
      .numberOutOfRange, "\(excerpt(range)) is out of the range of a double", bytes: range, at: pointer(workspace),
      help: "the largest double is 1.7976931348623157e+308")
  }

  // MARK: Strings

  func controlCharacter(at offset: Int, _ workspace: JSONWorkspace) -> JSONError {
    let byte = base[offset]
    let range = offset..<offset + 1
    switch byte {
    case 0x0A, 0x0D:
      return JSONError(
        .syntax, "a string cannot contain a line break", bytes: range, at: pointer(workspace),
        help: "close the string with '\"', or write \\n for a line break")
    case 0x09:
      return JSONError(
        .syntax, "a tab in a string must be escaped", bytes: range, at: pointer(workspace), help: "write \\t")
    default:
      let code = "\\u00" + hexadecimalText(byte)
      return JSONError(
        .syntax, "a control character in a string must be escaped", bytes: range, at: pointer(workspace),
        help: "write \(code)")
    }
  }

  func invalidUTF8(at offset: Int, _ workspace: JSONWorkspace) -> JSONError {
    JSONError(
      .invalidUTF8, "the byte 0x\(hexadecimalText(base[offset])) is not valid UTF-8 here",
      bytes: offset..<offset + 1, at: pointer(workspace), help: "save the text as UTF-8")
  }

  func unknownEscape(at offset: Int, _ workspace: JSONWorkspace) -> JSONError {
    let length = max(UTF8Sequence.length(in: base, at: offset + 1, end: end), 1)
    let range = offset..<offset + 1 + length
    let byte = base[offset + 1]
    var help = "the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits"
    if byte == UInt8(ascii: "'") { help = "write ' without a backslash" }
    if byte == UInt8(ascii: "x") { help = "write \\u00 and two hexadecimal digits" }
    let text = byte < 0x20 ? "a backslash before a control character" : "'\(excerpt(range))'"
    return JSONError(
      .syntax, "\(text) is not a JSON escape", bytes: range, at: pointer(workspace), help: help)
  }

  func badHexadecimal(_ range: Range<Int>, _ workspace: JSONWorkspace) -> JSONError {
    JSONError(.syntax, "\\u needs four hexadecimal digits", bytes: range, at: pointer(workspace))
  }

  func loneSurrogate(at offset: Int, _ workspace: JSONWorkspace) -> JSONError {
    JSONError(
      .loneSurrogate, "\(excerpt(offset..<offset + 6)) is half of a surrogate pair and not a character",
      bytes: offset..<offset + 6, at: pointer(workspace),
      help: "write both halves, \\uD800–\\uDBFF and then \\uDC00–\\uDFFF, or the character itself")
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { self >= "0" && self <= "9" && isASCII }
}

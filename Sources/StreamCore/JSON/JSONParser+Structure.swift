// The errors in the structure of a text.

extension JSONParser {
  /// Reads `true`, `false` or `null`; throws if the text is not a value.
  mutating func readWord(_ workspace: JSONWorkspace) throws(JSONError) -> Value {
    let start = position
    let words: [(StaticString, Value)] = [("true", .bool(true)), ("false", .bool(false)), ("null", .null)]
    for (word, value) in words where begins(with: word, at: start) {
      let stop = start + word.utf8CodeUnitCount
      guard wordEnd(from: start) == stop else { break }
      position = stop
      recorder.scalar(start..<stop)
      return value
    }
    throw valueExpected(workspace)
  }

  private func valueExpected(_ workspace: JSONWorkspace) -> JSONError {
    let stop = wordEnd(from: position)
    let word = excerpt(position..<stop)
    func error(_ message: String, help: String? = nil) -> JSONError {
      JSONError(.syntax, message, bytes: position..<stop, at: pointer(workspace), help: help)
    }
    switch base[position] {
    case UInt8(ascii: "'"), UInt8(ascii: "`"):
      return error("a JSON string is written in double quotes", help: "write \" instead of \(word.prefix(1))")
    case UInt8(ascii: "/"), UInt8(ascii: "#"):
      return error("JSON has no comments", help: "put the remark into a member whose name begins with x-")
    case UInt8(ascii: "+"), UInt8(ascii: "."):
      return malformedNumber(position, workspace)
    case UInt8(ascii: ","):
      return error("a value is missing before this comma")
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if current.kind == .outermost { return error("'\(word)' has no matching opening bracket") }
      return error("a value is missing before '\(word)'")
    case UInt8(ascii: ":"):
      return error("expected a value, found ':'")
    case 0x80...:
      let length = UTF8Sequence.length(in: base, at: position, end: end)
      if length == 0 { return invalidUTF8(at: position, workspace) }
      return error("expected a value, found \(found(at: position))")
    default: break
    }
    let known = [
      "true": "true", "false": "false", "null": "null", "none": "null", "nil": "null", "undefined": "null",
      "yes": "true", "no": "false",
    ]
    if let meant = known[word.lowercased()] { return error("JSON has no '\(word)'", help: "write \(meant)") }
    if ["nan", "inf", "infinity"].contains(word.lowercased()) {
      return error("JSON has no infinity and no NaN")
    }
    if isWordByte(base[position]) {
      return error("'\(word)' is not a JSON value", help: "a string is written in double quotes: \"\(word)\"")
    }
    return error("expected a value, found \(found(at: position))")
  }

  func trailingComma(at comma: Int, before bracket: String, _ workspace: JSONWorkspace) -> JSONError {
    JSONError(
      .syntax, "JSON does not allow a comma before '\(bracket)'", bytes: comma..<comma + 1,
      at: containerPointer(workspace),
      help: "remove the comma")
  }

  func missingComma(_ workspace: JSONWorkspace) -> JSONError {
    let (what, bracket, wrong) = current.kind == .list ? ("array", "]", "}") : ("object", "}", "]")
    let byte = base[position]
    let stop = wordEnd(from: position)
    func error(_ message: String, notes: [String] = [], help: String? = nil) -> JSONError {
      JSONError(.syntax, message, bytes: position..<stop, at: containerPointer(workspace), notes: notes, help: help)
    }
    if byte == UInt8(ascii: wrong == "}" ? "}" : "]") {
      return error(
        "'\(wrong)' does not match the open \(what)",
        notes: ["the \(what) begins at \(place(of: current.opened))"], help: "close it with '\(bracket)'")
    }
    if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#") { return error("JSON has no comments") }
    if byte == UInt8(ascii: ":"), current.kind == .list {
      return error("an array has no keys", help: "an object is written in braces: { \"key\": value }")
    }
    if byte >= 0x80, UTF8Sequence.length(in: base, at: position, end: end) == 0 {
      return invalidUTF8(at: position, workspace)
    }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || isWordByte(byte) {
      return error("a comma is missing before \(found(at: position))", help: "write a comma between two values")
    }
    return error("expected a comma or '\(bracket)', found \(found(at: position))")
  }

  func keyExpected(_ workspace: JSONWorkspace) -> JSONError {
    let stop = wordEnd(from: position)
    let word = excerpt(position..<stop)
    func error(_ message: String, help: String? = nil) -> JSONError {
      JSONError(.syntax, message, bytes: position..<stop, at: containerPointer(workspace), help: help)
    }
    switch base[position] {
    case UInt8(ascii: "'"), UInt8(ascii: "`"):
      return error("a JSON key is written in double quotes", help: "write \" instead of \(word.prefix(1))")
    case UInt8(ascii: "/"), UInt8(ascii: "#"):
      return error("JSON has no comments", help: "put the remark into a member whose name begins with x-")
    case UInt8(ascii: ","): return error("a key is missing before this comma")
    case let byte where byte >= 0x80 && UTF8Sequence.length(in: base, at: position, end: end) == 0:
      return invalidUTF8(at: position, workspace)
    case let byte where isWordByte(byte):
      return error("a key is written in double quotes", help: "write \"\(word)\"")
    default: return error("expected a key, found \(found(at: position))", help: "a key is written in double quotes")
    }
  }

  func colonExpected(_ workspace: JSONWorkspace) -> JSONError {
    JSONError(
      .syntax, "expected a colon after the key, found \(found(at: position))",
      bytes: position..<wordEnd(from: position), at: pointer(workspace), help: "write \"key\": value")
  }

  func duplicateKey(
    _ name: String, _ range: Range<Int>, first: Range<Int>?, _ workspace: JSONWorkspace
  ) -> JSONError {
    var notes: [String] = []
    if let first {
      notes = ["the first occurrence is at \(place(of: first.lowerBound))"]
    }
    return JSONError(
      .duplicateKey, "the key '\(name)' appears twice in one object", bytes: range,
      at: containerPointer(workspace).appending(name), part: .key, notes: notes,
      help: "remove or rename one of them")
  }
}

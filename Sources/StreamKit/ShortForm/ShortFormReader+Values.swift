internal import CEL
internal import StreamCore

/// The values of fields.
extension ShortFormReader {
  /// Reads the value of a field.
  mutating func readValue(
    _ kind: FieldSpec.Kind, at pointer: JSONPointer, key: Range<Int>? = nil
  ) throws(Diagnostic) -> Value {
    let start = position
    switch kind {
    case .expression: return .string(try readExpression(at: pointer, key: key))
    case .stream: return try readReference(at: pointer, key: key)
    case .boolOrStream:
      if let name = readName(), name == "true" || name == "false" {
        places.add(pointer, start..<position, key: key)
        return .bool(name == "true")
      }
      position = start
      return try readReference(at: pointer, key: key)
    case .streams, .names:
      guard take("[") else {
        var copy = self
        let element = (try? copy.readElement(kind, at: pointer)).map { _ in text(start..<copy.position) }
        throw problem(
          .syntax, "expected \(kind.shortExpectation)\(found)", at: position..<position + 1, pointer,
          help: "write [\(element ?? "one, other")]")
      }
      var elements: [Value] = []
      skipBlanks()
      while !take("]") {
        if !elements.isEmpty, !take(",") {
          throw unexpected(after: "an element", "expected ',' or ']'", at: pointer)
        }
        skipBlanks()
        elements.append(try readElement(kind, at: pointer.appending(elements.count)))
        skipBlanks()
      }
      places.add(pointer, start..<position, key: key)
      return .list(elements)
    case .operators:
      if let list = operatorsInBrackets(at: pointer) {
        throw problem(
          .syntax, "operators are in parentheses, with '|' between them; found brackets", at: list.range, pointer,
          help: "write (\(list.text))")
      }
      let isEnclosed = take("(")
      skipBlanks()
      if isEnclosed, take(")") {
        places.add(pointer, start..<position, key: key)
        return .list([])
      }
      let operators = try readList(at: pointer)
      if isEnclosed { try close(start, at: pointer) }
      places.add(pointer, start..<position, key: key)
      return .list(operators)
    case .string, .choice, .type:
      if let name = readWord() {
        places.add(bare: pointer, start..<position, key: key)
        return .string(name)
      }
      return try readLiteral(kind, at: pointer, key: key)
    case .seconds:
      if let seconds = readLengthOfTime() {
        places.add(pointer, start..<position, key: key)
        return seconds
      }
      return try readLiteral(kind, at: pointer, key: key)
    default: return try readLiteral(kind, at: pointer, key: key)
    }
  }

  /// Reads an element of an array of streams or names.
  mutating func readElement(_ kind: FieldSpec.Kind, at pointer: JSONPointer) throws(Diagnostic) -> Value {
    if case .streams = kind { return try readReference(at: pointer) }
    return try readValue(.string, at: pointer)
  }

  /// Reads an expression: up to a comma, a closing bracket or a `|`.
  private mutating func readExpression(at pointer: JSONPointer, key: Range<Int>?) throws(Diagnostic) -> String {
    let range: Range<Int>
    do throws(Diagnostic) {
      range = try ExpressionExtent.range(in: bytes, from: position)
    } catch {
      throw inExpression(error, at: pointer)
    }
    guard !range.isEmpty else { throw noExpression(at: pointer) }
    if ["<", ">", "=", "*", "/", "%", "&", "|"].contains(text(range.lowerBound..<range.lowerBound + 1)) {
      position = range.lowerBound
      throw noOperand(at: pointer)
    }
    position = range.upperBound
    places.add(bare: pointer, range, key: key)
    return text(range)
  }

  /// Reads the name of an input, or a stream.
  private mutating func readReference(
    at pointer: JSONPointer, key: Range<Int>? = nil
  ) throws(Diagnostic) -> Value {
    let start = position
    if let list = try streamsInBrackets(at: pointer) {
      throw problem(
        .syntax, "brackets hold the items of a stream, which are JSON values", at: list.range, pointer,
        help: "write \(list.text) without the brackets")
    }
    if take("(") {
      skipBlanks()
      let stream = try readStream(at: pointer, isInner: true)
      try close(start, at: pointer)
      places.add(pointer, start..<position, key: key)
      return .map(ValueMap(stream))
    }
    if byte() == UInt8(ascii: "\"") || byte() == UInt8(ascii: "'") {
      let name = try readQuoted(at: pointer)
      places.add(pointer, start..<position, key: key)
      noteInput(name, start..<position)
      return .string(name)
    }
    if let name = readName() {
      let end = position
      skipBlanks()
      let isStream = [UInt8(ascii: "("), UInt8(ascii: "|"), UInt8(ascii: ".")].contains(byte())
      if !isStream {
        position = end
        places.add(bare: pointer, start..<end, key: key)
        noteInput(name, start..<end)
        return .string(name)
      }
      position = start
    } else if byte() != UInt8(ascii: "[") {
      throw problem(
        .syntax, "expected a stream\(found)", at: position..<position + 1, pointer,
        help: "write the name of an input, or a stream in parentheses: (range(1, 3) | map(value * 2))")
    }
    let stream = try readStream(at: pointer, isInner: true)
    places.add(pointer, start..<position, key: key)
    return .map(ValueMap(stream))
  }

  /// Returns the text of the streams in brackets that come next; nil for something else, such as items in JSON.
  ///
  /// - Throws: The error of a stream among them.
  func streamsInBrackets(at pointer: JSONPointer) throws(Diagnostic) -> (text: String, range: Range<Int>)? {
    var copy = self
    guard copy.take("[") else { return nil }
    copy.skipBlanks()
    guard copy.byte() == UInt8(ascii: "(") || copy.readName().map({ !ShortForm.isConstant($0) }) == true else {
      return nil
    }
    copy = self
    _ = try copy.readValue(.streams, at: pointer)
    return (text(position + 1..<copy.position - 1), position..<copy.position)
  }

  /// Returns the operators in brackets that come next, as one list; nil for something else.
  private func operatorsInBrackets(at pointer: JSONPointer) -> (text: String, range: Range<Int>)? {
    var copy = self
    guard copy.take("[") else { return nil }
    var operators: [String] = []
    repeat {
      copy.skipBlanks()
      let start = copy.position
      guard (try? copy.readList(at: pointer)) != nil else { return nil }
      operators.append(text(start..<copy.position))
      copy.skipBlanks()
    } while copy.take(",")
    guard copy.take("]") else { return nil }
    return (operators.joined(separator: " | "), position..<copy.position)
  }

  private mutating func close(_ open: Int, at pointer: JSONPointer) throws(Diagnostic) {
    skipBlanks()
    guard !take(")") else { return }
    if isAtEnd { throw unclosed(open, at: pointer) }
    throw unexpected(after: "an operator", "expected '|' or ')'", at: pointer)
  }

  /// Reads a word without quotation marks; nil if there is none.
  private mutating func readWord() -> String? {
    let start = position
    if let name = readName(), !ShortForm.isConstant(name), isAtEndOfArgument { return name }
    position = start
    return nil
  }

  /// Reads a number with a unit of time, such as `300ms`; nil if there is none.
  private mutating func readLengthOfTime() -> Value? {
    let start = position
    while byte().isDecimalDigit || byte() == UInt8(ascii: ".") || byte().isLetterOrUnderscore { position += 1 }
    let text = text(start..<position)
    if text.last?.isLetter == true, text.first?.isNumber == true, isAtEndOfArgument,
      let seconds = LengthOfTime.seconds(of: text)
    {
      return .seconds(seconds)
    }
    position = start
    return nil
  }

  private var isAtEndOfArgument: Bool {
    var copy = self
    copy.skipBlanks()
    return copy.isAtEnd || [UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: "]")].contains(copy.byte())
  }

  // MARK: JSON

  /// Reads a JSON value.
  mutating func readLiteral(
    _ kind: FieldSpec.Kind, at pointer: JSONPointer, key: Range<Int>? = nil
  ) throws(Diagnostic) -> Value {
    let start = position
    if byte() == UInt8(ascii: "'") {
      let text = try readQuoted(at: pointer)
      places.add(pointer, start..<position, key: key)
      return .string(text)
    }
    try skipLiteral(kind, at: pointer)
    do throws(Diagnostics) {
      let document = try JSONDocument(reading: Array(bytes[start..<position]), file: source.file)
      places.add(json: document, pointer, start..<position, key: key)
      return document.value
    } catch {
      guard var first = error.all.first else { return .null }
      let range = first.location?.bytes ?? 0..<0
      first.location = source.location(of: start + range.lowerBound..<start + range.upperBound)
      first.pointer = pointer
      if bytes[start..<position].contains(UInt8(ascii: "'")), first.help == nil {
        first.help = "JSON strings have double quotes: \"text\""
      }
      if first.help == nil { first.help = kind.literalHelp }
      throw first
    }
  }

  /// Moves to the end of a JSON value, whose brackets and strings alone are read.
  private mutating func skipLiteral(_ kind: FieldSpec.Kind, at pointer: JSONPointer) throws(Diagnostic) {
    let start = position
    var open: [Int] = []
    repeat {
      switch byte() {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(position)
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard open.popLast() != nil else { throw noValue(kind, at: pointer) }
        position += 1
      case UInt8(ascii: "\""): try skipString(at: pointer)
      case let sign where open.isEmpty:
        guard sign.isPartOfNumber else { throw noValue(kind, at: pointer) }
        while byte().isPartOfNumber { position += 1 }
        if !text(start..<position).isNumberOrConstant {
          let range = start..<position
          position = start
          throw noValue(kind, at: pointer, range)
        }
      default: position += 1
      }
    } while !open.isEmpty && !isAtEnd
    if let bracket = open.first { throw unclosed(bracket, at: pointer) }
  }

  private mutating func skipString(at pointer: JSONPointer) throws(Diagnostic) {
    let start = position
    let quote = byte()
    position += 1
    while byte() != quote {
      if isAtEnd { throw unclosedString(start, at: pointer) }
      position += byte() == UInt8(ascii: "\\") && position + 1 < bytes.count ? 2 : 1
    }
    position += 1
  }

  /// Reads a string in single or double quotation marks, with the escapes of JSON.
  mutating func readQuoted(at pointer: JSONPointer) throws(Diagnostic) -> String {
    let start = position
    let quote = byte()
    try skipString(at: pointer)
    var inner = Array(bytes[start + 1..<position - 1])
    if quote == UInt8(ascii: "'") { inner = Self.doubleQuoted(inner) }
    let json = [UInt8(ascii: "\"")] + inner + [UInt8(ascii: "\"")]
    guard let document = try? JSONDocument(reading: json, file: source.file), case .string(let text) = document.value
    else {
      throw problem(
        .syntax, "the string has an escape that JSON does not know", at: start..<position, pointer,
        help: "write \\\\ for a backslash")
    }
    return text
  }

  /// The contents of a string in single quotation marks, for double ones.
  private static func doubleQuoted(_ inner: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    while place < inner.count {
      let byte = inner[place]
      if byte == UInt8(ascii: "\\"), place + 1 < inner.count {
        if inner[place + 1] != UInt8(ascii: "'") { result.append(byte) }
        result.append(inner[place + 1])
        place += 2
      } else {
        if byte == UInt8(ascii: "\"") { result.append(UInt8(ascii: "\\")) }
        result.append(byte)
        place += 1
      }
    }
    return result
  }
}

extension ShortForm {
  /// Whether a word is a constant of JSON, and no name.
  static func isConstant(_ word: String) -> Bool { word == "true" || word == "false" || word == "null" }

  /// Whether a string is written without quotation marks.
  static func isWord(_ text: String) -> Bool {
    guard let first = text.utf8.first, first.isLetterOrUnderscore, !isConstant(text) else { return false }
    return text.utf8.allSatisfy { $0.isLetterOrUnderscore || $0.isDecimalDigit }
  }
}

extension UInt8 {
  fileprivate var isPartOfNumber: Bool {
    isLetterOrUnderscore || isDecimalDigit || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(self)
  }
}

extension String {
  fileprivate var isNumberOrConstant: Bool {
    ShortForm.isConstant(self) || drop { $0 == "-" }.first?.isNumber == true
  }
}

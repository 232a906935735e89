import StreamCore

extension FunctionCatalogue {
  /// cel-spec's `format` and `strings.quote`; `format` also writes timestamps.
  static let formatting: [Function] = [
    Function(
      "format",
      "The string with each %s, %d, %f, %e, %x, %X, %o and %b replaced by the list's next value, or the timestamp in a "
        + "date pattern, in UTC or in a time zone",
      cost: .steps(perByte: 1).plus(perCall: 60),
      [
        .method([.string, .list(.dyn)], .string), .method([.timestamp, .string], .string),
        .method([.timestamp, .string, .string], .string),
      ],
      pattern: .init(place: 1) { (pattern, _) throws(PatternProblem) in
        let pattern = try DatePattern(literal: pattern)
        return .init { (values, activation) throws(EvaluationError) in
          try dateText(values[0], pattern, values.count > 2 ? values[2] : .string("UTC"), activation)
        }
      }, zone: 2,
      .two { (text, values, activation) throws(EvaluationError) in
        if case .timestamp = text, case .string(let pattern) = values {
          return try dateText(text, DatePattern(pattern, activation), .string("UTC"), activation)
        }
        guard case .string(let text) = text, case .list(let values) = values else {
          throw .noOverload("format", text, values)
        }
        var formatter = Formatter(values: values.elements, activation: activation)
        return .string(try formatter.format(text))
      },
      .three { (time, pattern, zone, activation) throws(EvaluationError) in
        guard case .timestamp = time, case .string(let pattern) = pattern else {
          throw .noOverload("format", time, pattern, zone)
        }
        return try dateText(time, DatePattern(pattern, activation), zone, activation)
      }),
    Function(
      "strings.quote", "The string in double quotes, with escapes for invisible characters",
      cost: .steps(perByte: 1), [.function([.string], .string)],
      .one { (value, activation) throws(EvaluationError) in
        guard case .string(let text) = value else { throw .noOverload("strings.quote", value) }
        try activation.limitBytes(text.utf8.count + 2)
        var result: [UInt8] = [UInt8(ascii: "\"")]
        result.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
          if let letter = escaped(byte) {
            result.append(UInt8(ascii: "\\"))
            result.append(letter)
          } else {
            result.append(byte)
          }
        }
        result.append(UInt8(ascii: "\""))
        try activation.checkBytes(result.count)
        return .string(String(decoding: result, as: UTF8.self))
      }),
  ]

  /// Returns the letter after the backslash in the escape of this byte; nil for a byte that needs no escape.
  private static func escaped(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x07: UInt8(ascii: "a")
    case 0x08: UInt8(ascii: "b")
    case 0x09: UInt8(ascii: "t")
    case 0x0A: UInt8(ascii: "n")
    case 0x0B: UInt8(ascii: "v")
    case 0x0C: UInt8(ascii: "f")
    case 0x0D: UInt8(ascii: "r")
    case UInt8(ascii: "\\"), UInt8(ascii: "\""): byte
    default: nil
    }
  }
}

/// Inserts values into a format string.
private struct Formatter {
  let values: [Value]
  let activation: Activation
  private var next = 0
  private var result: [UInt8] = []

  /// Number of digits after the decimal point if the format string has no precision.
  private static let defaultPrecision = 6
  private static let maximumPrecision = 1000
  private static let maximumWidth = 1000

  init(values: [Value], activation: Activation) {
    self.values = values
    self.activation = activation
  }

  mutating func format(_ text: String) throws(EvaluationError) -> String {
    let bytes = Array(text.utf8)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte != UInt8(ascii: "%") {
        result.append(byte)
      } else if position < bytes.count, bytes[position] == UInt8(ascii: "%") {
        result.append(byte)
        position += 1
      } else {
        let padding = try self.padding(bytes, &position)
        let precision = try self.precision(bytes, &position)
        guard position < bytes.count else { throw invalid("the format string ends after '%'") }
        let letter = bytes[position]
        position += 1
        guard next < values.count else {
          throw EvaluationError(.indexOutOfBounds, "the format string needs more than \(values.count) values")
        }
        let value = values[next]
        next += 1
        let text = try padded(try converted(value, letter, precision), padding, value, letter)
        try activation.limitBytes(result.count + text.utf8.count)
        try activation.charge(16 + text.utf8.count / 2)
        result += text.utf8
      }
    }
    try activation.checkBytes(result.count)
    return String(decoding: result, as: UTF8.self)
  }

  private func invalid(_ message: String) -> EvaluationError { EvaluationError(.expressionFailed, message) }

  /// The padding of a value: its least number of characters, at which end spaces are added, or whether zeros are.
  private struct Padding {
    var width = 0
    var isLeft = false
    var hasZeros = false
  }

  /// Parses the padding after a percent sign: `5`, `-5` or `05`.
  private func padding(_ bytes: [UInt8], _ position: inout Int) throws(EvaluationError) -> Padding {
    var padding = Padding()
    while position < bytes.count, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "0") {
      if bytes[position] == UInt8(ascii: "-") { padding.isLeft = true } else { padding.hasZeros = true }
      position += 1
    }
    let start = position
    while position < bytes.count, bytes[position].isDigit { position += 1 }
    if position == start {
      guard !padding.isLeft, !padding.hasZeros else {
        throw invalid("'-' or '0' in a format string must be followed by a width")
      }
      return padding
    }
    guard let width = Int(String(decoding: bytes[start..<position], as: UTF8.self)), width <= Self.maximumWidth else {
      throw invalid("a format string allows a width of at most \(Self.maximumWidth)")
    }
    padding.width = width
    return padding
  }

  /// Returns the text with spaces at its start or end, or with zeros after its sign.
  private func padded(
    _ text: String, _ padding: Padding, _ value: Value, _ letter: UInt8
  ) throws(EvaluationError) -> String {
    if padding.width == 0 { return text }
    if padding.hasZeros {
      if padding.isLeft { throw invalid("a format string has either '-' or '0' before a width") }
      if letter == UInt8(ascii: "s") || value.asDouble == nil {
        throw invalid("'0' before a width pads numbers only; write %\(padding.width)s")
      }
    }
    try activation.charge(text.utf8.count / 4)
    let missing = padding.width - text.unicodeScalars.count
    if missing <= 0 { return text }
    if padding.isLeft { return text + String(repeating: " ", count: missing) }
    guard padding.hasZeros, value.asDouble?.isFinite == true else {
      return String(repeating: " ", count: missing) + text
    }
    let sign = text.hasPrefix("-") ? "-" : ""
    return sign + String(repeating: "0", count: missing) + text.dropFirst(sign.count)
  }

  /// Parses the precision after a point; nil if no point follows.
  private func precision(_ bytes: [UInt8], _ position: inout Int) throws(EvaluationError) -> Int? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: ".") else { return nil }
    position += 1
    let start = position
    while position < bytes.count, bytes[position].isDigit { position += 1 }
    guard let precision = Int(String(decoding: bytes[start..<position], as: UTF8.self)) else {
      throw invalid("'.' in a format string must be followed by digits")
    }
    guard precision <= Self.maximumPrecision else {
      throw invalid("a format string allows at most \(Self.maximumPrecision) digits after the decimal point")
    }
    return precision
  }

  private func converted(_ value: Value, _ letter: UInt8, _ precision: Int?) throws(EvaluationError) -> String {
    switch letter {
    case UInt8(ascii: "s"): return try text(value)
    case UInt8(ascii: "d"):
      switch value {
      case .int, .uint, .double: return try text(value)
      default: throw unfit(value, "d", "a number")
      }
    case UInt8(ascii: "f"), UInt8(ascii: "e"):
      guard let number = value.asDouble else { throw unfit(value, letter == UInt8(ascii: "f") ? "f" : "e", "a number") }
      guard number.isFinite else { return Conversion.text(number) }
      // Every digit is computed from all bits of the number: about three bits make one.
      try activation.charge(100 + (number.isZero ? 0 : Int(number.exponent.magnitude)))
      return DecimalText.text(number, isScientific: letter == UInt8(ascii: "e"), precision ?? Self.defaultPrecision)
    case UInt8(ascii: "b"): return try integer(value, "b", radix: 2)
    case UInt8(ascii: "o"): return try integer(value, "o", radix: 8)
    case UInt8(ascii: "x"): return try hexadecimal(value, isUppercase: false)
    case UInt8(ascii: "X"): return try hexadecimal(value, isUppercase: true)
    default:
      throw invalid(
        "a format string has no '%\(String(decoding: [letter], as: UTF8.self))'; it has %s, %d, %f, %e, %x, %X, %o and %b, "
          + "with a width (%5d, %-5s, %05d) and a precision (%.2f)")
    }
  }

  private func unfit(_ value: Value, _ letter: String, _ wanted: String) -> EvaluationError {
    EvaluationError(.noSuchOverload, "'%\(letter)' needs \(wanted), not a \(value.typeName)")
  }

  private func integer(_ value: Value, _ letter: String, radix: Int) throws(EvaluationError) -> String {
    switch value {
    case .int(let number): return String(number, radix: radix)
    case .uint(let number): return String(number, radix: radix)
    case .bool(let flag) where radix == 2: return flag ? "1" : "0"
    default: throw unfit(value, letter, "an integer")
    }
  }

  private func hexadecimal(_ value: Value, isUppercase: Bool) throws(EvaluationError) -> String {
    switch value {
    case .int(let number): return String(number, radix: 16, uppercase: isUppercase)
    case .uint(let number): return String(number, radix: 16, uppercase: isUppercase)
    case .string(let text): return try digits(Array(text.utf8), isUppercase)
    case .bytes(let bytes): return try digits(bytes, isUppercase)
    default: throw unfit(value, isUppercase ? "X" : "x", "an integer, a string or bytes")
    }
  }

  private func digits(_ bytes: [UInt8], _ isUppercase: Bool) throws(EvaluationError) -> String {
    try activation.checkBytes(bytes.count * 2)
    try activation.charge(bytes.count)
    let alphabet = Array((isUppercase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      result.append(alphabet[Int(byte >> 4)])
      result.append(alphabet[Int(byte & 15)])
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the `%s` format of a value. The recursion is as deep as the nesting of the value.
  private func text(_ value: Value, depth: Int = 0) throws(EvaluationError) -> String {
    try activation.charge(16)
    guard depth < 100 else { throw invalid("the value is nested too deeply to be formatted") }
    switch value {
    case .null: return "null"
    case .bytes(let bytes):
      try activation.charge(bytes.count * 2)
      return repaired(bytes)
    case .list(let elements):
      var parts: [String] = []
      for element in elements { parts.append(try text(element, depth: depth + 1)) }
      try activation.checkBytes(parts.reduce(2) { $0 + $1.utf8.count + 2 })
      return "[\(parts.joined(separator: ", "))]"
    case .map(let map):
      var entries: [(key: String, text: String)] = []
      for (key, element) in map.pairs {
        let name = try text(key, depth: depth + 1)
        entries.append((name, "\(name): \(try text(element, depth: depth + 1))"))
      }
      let rounds = Int.bitWidth - entries.count.leadingZeroBitCount
      try activation.charge(entries.count * rounds * 8)
      try activation.charge(bytes: entries.reduce(0) { $0 + $1.key.utf8.count } * rounds)
      entries.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      try activation.checkBytes(entries.reduce(2) { $0 + $1.text.utf8.count + 2 })
      return "{\(entries.map(\.text).joined(separator: ", "))}"
    case .opaque(let opaque) where opaque is TypeValue: return opaque.description
    default: return try Conversion.string(value)
    }
  }

  /// Returns the string of UTF-8 bytes, with one replacement character for each run of invalid bytes.
  private func repaired(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var result = String.UnicodeScalarView()
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    var wasInvalid = false
    decoding: while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar):
        result.append(scalar)
        wasInvalid = false
      case .error:
        if !wasInvalid { result.append("\u{FFFD}") }
        wasInvalid = true
      case .emptyInput: break decoding
      }
    }
    return String(result)
  }
}

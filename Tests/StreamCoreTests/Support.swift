@_spi(Engine) import StreamCore
import StreamTesting

/// The reader's result for a text: the value, or the error.
func read(_ text: String) -> Result<Value, JSONError> {
  read(bytes: Array(text.utf8))
}

func read(bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> Result<Value, JSONError> {
  var reader = JSONReader(limits: limits)
  return Result { () throws(JSONError) in try reader.read(bytes) }
}

/// The document's result for a text: the value, or the errors.
func document(_ bytes: [UInt8]) -> Result<JSONDocument, Diagnostics> {
  Result { () throws(Diagnostics) in try JSONDocument(reading: bytes, file: "test.json") }
}

func document(_ text: String) throws -> JSONDocument {
  try JSONDocument(reading: text, file: "test.json")
}

/// The diagnostics of a text that cannot be read.
func problems(_ text: String) -> [Diagnostic] {
  switch document(Array(text.utf8)) {
  case .success: []
  case .failure(let errors): errors.all
  }
}

extension Result {
  /// The error, if any.
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

extension SeededGenerator {
  /// Any finite double: all bit patterns are equally likely.
  mutating func double() -> Double {
    while true {
      let number = Double(bitPattern: next())
      if number.isFinite { return number }
    }
  }

  /// A text with characters of all kinds.
  mutating func text() -> String {
    let letters: [Unicode.Scalar] = [
      "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\u{0}", "\u{1F}", "\u{7F}", "é", "ß", "漢", "😀", "\u{2028}",
      "\u{301}", "$", "~", "\u{FFFF}", "\u{10FFFF}",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...12, using: &self) {
      if let letter = letters.randomElement(using: &self) { text.unicodeScalars.append(letter) }
    }
    return text
  }

  /// A value that JSON can hold, at most this deep.
  mutating func json(depth: Int) -> Value {
    switch Int.random(in: 0...(depth > 0 ? 8 : 5), using: &self) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &self))
    case 2: return .int(Int64(bitPattern: next()))
    case 3: return .int(Int64.random(in: -100...100, using: &self))
    case 4: return .double(double())
    case 5: return .string(text())
    case 6: return .list((0..<Int.random(in: 0...4, using: &self)).map { _ in json(depth: depth - 1) })
    default:
      return .map(
        ValueMap((0..<Int.random(in: 0...4, using: &self)).map { _ in (.string(text()), json(depth: depth - 1)) }))
    }
  }

  /// Any value but an opaque one, at most this deep.
  mutating func value(depth: Int) -> Value {
    switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &self) {
    case 0: return .uint(next())
    case 1:
      return .bytes((0..<Int.random(in: 0...9, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) })
    case 2:
      return .timestamp(
        Timestamp(
          seconds: Int64.random(in: Timestamp.secondsRange, using: &self),
          nanoseconds: Int64.random(in: 0..<1_000_000_000, using: &self)))
    case 3:
      return .duration(
        Duration(
          secondsComponent: Int64.random(in: -1000...1000, using: &self),
          attosecondsComponent: Int64.random(in: -999_999_999_999_999_999...999_999_999_999_999_999, using: &self)))
    case 4: return .double([Double.nan, .infinity, -.infinity, -0.0].randomElement(using: &self) ?? 0)
    case 5: return json(depth: depth)
    case 6: return .list((0..<Int.random(in: 0...4, using: &self)).map { _ in value(depth: depth - 1) })
    default:
      return .map(
        ValueMap(
          (0..<Int.random(in: 0...3, using: &self)).map { _ in
            (Bool.random(using: &self) ? .string("$" + text()) : .int(Int64(next() % 9)), value(depth: depth - 1))
          }))
    }
  }
}

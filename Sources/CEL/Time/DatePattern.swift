import StreamCore

/// A date pattern in Unicode's notation (UTS #35), such as `dd/MMM/yyyy:HH:mm:ss Z`, with English names.
struct DatePattern: Sendable {
  enum Piece: Sendable {
    case text([UInt8])
    case field(Field, count: Int)
  }

  /// The fields by their letters.
  enum Field: UInt8, Sendable {
    case year = 0x79  // y
    case month = 0x4D  // M
    case day = 0x64  // d
    case dayOfYear = 0x44  // D
    case weekday = 0x45  // E
    case hour = 0x48  // H
    case hourOfHalf = 0x68  // h
    case half = 0x61  // a
    case minute = 0x6D  // m
    case second = 0x73  // s
    case fraction = 0x53  // S
    case offset = 0x5A  // Z
    case offsetOrZ = 0x58  // X
    case offsetISO = 0x78  // x

    /// The numbers of letters that the field may have.
    var counts: [Int] {
      switch self {
      case .year: [1, 2, 4]
      case .month: [1, 2, 3, 4]
      case .day, .hour, .hourOfHalf, .minute, .second: [1, 2]
      case .dayOfYear: [1, 3]
      case .weekday: [1, 2, 3, 4]
      case .half: [1]
      case .fraction: Array(1...9)
      case .offset: [1, 2, 3, 5]
      case .offsetOrZ, .offsetISO: [1, 2, 3]
      }
    }
  }

  private(set) var pieces: [Piece] = []
  /// The pattern as written.
  let text: String

  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

  /// A mistake in a pattern.
  struct Mistake: Error {
    let message: String
    /// Index of the character, in Unicode scalars.
    let place: Int
  }

  /// Parses a pattern that is known before the evaluation; a mistake in it is a mistake in the expression.
  ///
  /// - Parameter parses: Whether the pattern is to read texts.
  init(literal text: String, parses: Bool = false) throws(PatternProblem) {
    do throws(Mistake) {
      try self.init(text)
      if parses { try checkParsing() }
    } catch {
      throw PatternProblem(Self.failure(error), argument: 1, place: error.place)
    }
  }

  /// Parses a pattern that is not known before the evaluation.
  init(_ text: String, _ activation: Activation, parses: Bool = false) throws(EvaluationError) {
    try activation.charge(text.utf8.count * 4)
    do throws(Mistake) {
      try self.init(text)
      if parses { try checkParsing() }
    } catch {
      throw Self.failure(error)
    }
  }

  private static func failure(_ mistake: Mistake) -> EvaluationError {
    EvaluationError(.expressionFailed, mistake.message)
  }

  private init(_ text: String) throws(Mistake) {
    self.text = text
    if text.contains("%"), let place = Self.placeOfPercent(in: text) {
      let help = Self.translated(strptime: text).map { "write \"\($0)\"" } ?? "write the letters without '%'"
      throw Mistake(
        message: "'%' before a letter is a form of strptime, which a date pattern does not have; \(help)", place: place)
    }
    let scalars = Array(text.unicodeScalars)
    var plain = String.UnicodeScalarView()
    var position = 0
    func closePlain(_ pieces: inout [Piece]) {
      if !plain.isEmpty { pieces.append(.text(Array(String(plain).utf8))) }
      plain = String.UnicodeScalarView()
    }
    while position < scalars.count {
      let scalar = scalars[position]
      if scalar == "'" {
        plain.append(contentsOf: try Self.quoted(scalars, &position))
      } else if Self.isLetter(scalar) {
        closePlain(&pieces)
        let start = position
        while position < scalars.count, scalars[position] == scalar { position += 1 }
        pieces.append(try Self.field(scalar, count: position - start, at: start))
      } else {
        plain.append(scalar)
        position += 1
      }
    }
    closePlain(&pieces)
  }

  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z": true
    default: false
    }
  }

  /// Returns the literal characters between single quotes; two quotes are one.
  private static func quoted(
    _ scalars: [Unicode.Scalar], _ position: inout Int
  ) throws(Mistake) -> [Unicode.Scalar] {
    let start = position
    position += 1
    if position < scalars.count, scalars[position] == "'" {
      position += 1
      return ["'"]
    }
    var result: [Unicode.Scalar] = []
    while position < scalars.count {
      let scalar = scalars[position]
      position += 1
      if scalar != "'" {
        result.append(scalar)
      } else if position < scalars.count, scalars[position] == "'" {
        result.append("'")
        position += 1
      } else {
        return result
      }
    }
    throw Mistake(message: "a quote in the date pattern is not closed; write '' for a quote", place: start)
  }

  private static func field(_ letter: Unicode.Scalar, count: Int, at place: Int) throws(Mistake) -> Piece {
    let written = String(repeating: Character(letter), count: min(count, 12))
    guard let field = Field(rawValue: UInt8(truncatingIfNeeded: letter.value)) else {
      let help = advice[letter] ?? "write literal letters in single quotes: '\(written)'"
      throw Mistake(message: "a date pattern has no field '\(written)'; \(help)", place: place)
    }
    guard field.counts.contains(count) else {
      let help = written == "DD" ? "; write 'dd' for the day of the month" : ""
      let forms = field.counts.map { "'\(String(repeating: Character(letter), count: $0))'" }
      throw Mistake(
        message: "a date pattern has no field '\(written)', only \(forms.joined(separator: ", "))\(help)", place: place)
    }
    return .field(field, count: count)
  }

  /// Advice for letters that other notations have, or whose meaning is often mistaken.
  private static let advice: [Unicode.Scalar: String] = [
    "Y": "write 'yyyy' for the year; 'YYYY' is the year of the week",
    "u": "write 'y' for the year, 'E' for the weekday",
    "k": "write 'H' for hours from 0 to 23", "K": "write 'h' for hours from 1 to 12",
    "z": "write 'Z' or 'XXX' for the offset from UTC", "V": "write 'Z' or 'XXX' for the offset from UTC",
    "O": "write 'Z' or 'XXX' for the offset from UTC", "L": "write 'M' for the month",
    "n": "write 'SSSSSSSSS' for nanoseconds",
    "e": "write 'E' for the weekday", "c": "write 'E' for the weekday",
    "w": "getDayOfYear() / 7 + 1 counts weeks from January 1", "W": "(getDate() + 6) / 7 counts weeks of a month",
    "Q": "getMonth() / 3 + 1 is the quarter", "q": "getMonth() / 3 + 1 is the quarter",
    "N": "write 'SSSSSSSSS' for nanoseconds", "A": "millis() counts milliseconds",
  ]

  /// Rejects a pattern from which no time can be read.
  private func checkParsing() throws(Mistake) {
    var fields: Set<Field> = []
    for case .field(let field, _) in pieces { fields.insert(field) }
    if fields.contains(.hourOfHalf), !fields.contains(.half), !fields.contains(.hour) {
      throw Mistake(
        message: "the date pattern has 'h' without 'a' for AM or PM; write 'H' for hours from 0 to 23", place: 0)
    }
  }
}

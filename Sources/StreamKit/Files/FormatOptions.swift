package import StreamCore

/// The settings of a reader for files that differ within a format.
package struct FormatOptions: Hashable, Sendable {
  /// The place of the values in each JSON text; nil for the text itself.
  package var items: JSONPointer?
  package var table = TableDialect()
  /// Whether each line is one value, whatever the file looks like: the format was named, and not assumed.
  package var keepsLines = false

  package init() {}

  package static let standard = FormatOptions()

  /// Reads a JSON Pointer, such as `/results`.
  ///
  /// - Parameter name: The name of the field or option in the error.
  package static func pointer(
    _ text: String, named name: String, at place: JSONPointer = JSONPointer()
  ) throws(Diagnostic) -> JSONPointer {
    guard text.isEmpty || text.utf8.first == UInt8(ascii: "/") else {
      throw Diagnostic(
        .outOfRange, "\(name) is \(JSONWriter.compact(.string(text))); expected a JSON Pointer", at: place,
        help: "write \"/\(text.split(separator: ".").joined(separator: "/"))\"")
    }
    do throws(Diagnostic) {
      return try JSONPointer(parsing: text)
    } catch {
      throw error.prefixed(by: place)
    }
  }
}

/// The format of files, as arguments give it.
package struct InputFormat: Hashable, Sendable {
  /// The format; nil for the format of each file's extension.
  package var format: FileFormat?
  /// The formats of the files that feed single inputs, by the input's name.
  package var named: [String: FileFormat] = [:]
  package var options = FormatOptions()

  package init(_ format: FileFormat? = nil) { self.format = format }

  /// Returns the format of the files that feed an input.
  package func ofInput(_ name: String) -> InputFormat {
    var format = self
    format.format = named[name] ?? self.format
    return format
  }

  /// Returns a format with the settings. Lines of the format that the arguments or the name of the file give are values;
  /// of one that is assumed, the first line decides.
  package func settled(_ format: FileFormat, of path: String) -> FileFormat {
    var options = options
    options.keepsLines = self.format == .ndjson || FileFormat(ofFile: path) == .ndjson
    return format.with(options)
  }
}

extension FileFormat {
  /// Returns the format with these settings.
  package func with(_ options: FormatOptions) -> FileFormat {
    var format = self
    format.options = options
    return format
  }
}

/// The punctuation of a table.
package struct TableDialect: Hashable, Sendable {
  /// The byte between two fields; nil if the first row shows it.
  package var separator: UInt8?
  /// The byte around a field that contains separators or line breaks; nil for none.
  package var quote: UInt8? = UInt8(ascii: "\"")
  /// The character before the decimals of a number; nil for a point or, if commas do not separate fields, a comma.
  package var decimal: DecimalMark?
  /// The types of columns, for inputs without a declared type.
  package var types = ColumnTypes.strings

  package init() {}

  /// - Throws: An error with the field's name if one of them is not a character that a table can have there.
  package init(
    delimiter: String?, quote: String?, decimal: String?, named name: (String) -> String
  ) throws(Diagnostic) {
    if let delimiter {
      guard let byte = Self.byte(delimiter), byte != UInt8(ascii: "\"") else {
        throw Diagnostic(
          .outOfRange, "\(name("delimiter")) is \(Self.shown(delimiter)); expected one ASCII character, or 'tab'",
          help: "separate fields with a character such as ';'")
      }
      separator = byte
    }
    if let quote {
      self.quote = quote == "none" ? nil : Self.byte(quote)
      guard quote == "none" || self.quote != nil, self.quote == nil || self.quote != separator else {
        throw Diagnostic(
          .outOfRange,
          "\(name("quote")) is \(Self.shown(quote)); expected one ASCII character that is not the delimiter, or 'none'")
      }
    }
    if let decimal {
      guard let mark = DecimalMark(decimal) else {
        throw Diagnostic(.outOfRange, "\(name("decimal")) is \(Self.shown(decimal)); expected '.' or ','")
      }
      self.decimal = mark
      if mark == .comma, separator == UInt8(ascii: ",") {
        throw Diagnostic(
          .outOfRange, "\(name("decimal")) and \(name("delimiter")) are both a comma",
          help: "separate the fields with another character")
      }
    }
  }

  private static func shown(_ text: String) -> String { JSONWriter.compact(.string(text)) }

  private static func byte(_ text: String) -> UInt8? {
    if text == "tab" || text == "\\t" { return UInt8(ascii: "\t") }
    guard text.utf8.count == 1, let byte = text.utf8.first, byte >= 0x20 || byte == 0x09, byte < 0x7F else {
      return nil
    }
    let isPlain =
      byte == 0x2E || byte == 0x2D || byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
      || (0x61...0x7A).contains(byte)
    return isPlain ? nil : byte
  }
}

/// The character before the decimals of a number.
package enum DecimalMark: Hashable, Sendable {
  case point, comma

  init?(_ text: String) {
    switch text {
    case ".", "point": self = .point
    case ",", "comma": self = .comma
    default: return nil
    }
  }

  /// Returns the number of a text with a decimal comma; nil for other texts.
  ///
  /// - Parameter hasGroups: Whether points may separate the thousands, as in `1.234,5`.
  static func commaNumber(_ text: String, hasGroups: Bool) -> Double? {
    var plain = ""
    var digitCount = 0
    var groups: [Int] = []
    var hasComma = false
    for (place, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digitCount += 1
      case UInt8(ascii: "-"), UInt8(ascii: "+"):
        guard place == 0 else { return nil }
      case UInt8(ascii: "."):
        guard hasGroups, !hasComma else { return nil }
        groups.append(digitCount)
        digitCount = 0
        continue
      case UInt8(ascii: ","):
        guard !hasComma, digitCount > 0 else { return nil }
        if !groups.isEmpty { groups.append(digitCount) }
        (hasComma, digitCount) = (true, 0)
        plain.append(".")
        continue
      default: return nil
      }
      plain.unicodeScalars.append(Unicode.Scalar(byte))
    }
    guard digitCount > 0 else { return nil }
    if !hasComma, !groups.isEmpty { groups.append(digitCount) }
    if let first = groups.first {
      guard (1...3).contains(first), groups.dropFirst().allSatisfy({ $0 == 3 }) else { return nil }
      // No group of thousands begins with zero: the point of 0.123 is a decimal mark.
      let digit = plain.utf8.first { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }
      if digit == UInt8(ascii: "0") { return nil }
    }
    return Double(decimalText: plain)
  }
}

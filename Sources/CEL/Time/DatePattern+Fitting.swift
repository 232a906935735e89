import StreamCore

extension DatePattern {
  /// Returns a common pattern in which a text is a time, for help; nil if it is in none of them.
  static func fitting(_ text: String) -> String? {
    let activation = Activation(slotCount: 0)
    return common.first { pattern in
      guard let parsed = try? DatePattern(literal: pattern, parses: true) else { return false }
      return (try? parsed.parse(text, zone: "UTC", activation)) != nil
    }
  }

  /// Patterns of databases, logs and spreadsheets. A date with slashes is not among them: it may be read in two ways.
  private static let common = [
    "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm:ss.SSS", "yyyy-MM-dd HH:mm:ss.SSSSSS", "yyyy-MM-dd'T'HH:mm:ss",
    "yyyy-MM-dd'T'HH:mm:ss.SSS", "yyyy-MM-dd HH:mm", "yyyy-MM-dd", "yyyy-MM-dd HH:mm:ssXXX", "yyyy-MM-dd HH:mm:ssZ",
    "yyyy/MM/dd HH:mm:ss", "yyyy/MM/dd", "dd.MM.yyyy HH:mm:ss", "dd.MM.yyyy HH:mm", "dd.MM.yyyy",
    "dd/MMM/yyyy:HH:mm:ss Z", "EEE, dd MMM yyyy HH:mm:ss Z", "yyyyMMdd'T'HHmmss", "yyyyMMdd",
  ]

  /// Returns the pattern that a format of `strptime` describes, such as `yyyy-MM-dd` for `%Y-%m-%d`; nil for others.
  static func translated(strptime text: String) -> String? {
    var result = ""
    var isField = false
    for character in text {
      if isField {
        guard let field = fieldsOfStrptime[character] else { return nil }
        result += field
        isField = false
      } else if character == "%" {
        isField = true
      } else {
        guard !character.isLetter || character == "T" || character == "Z" else { return nil }
        result += character.isLetter ? "'\(character)'" : String(character)
      }
    }
    return isField ? nil : result
  }

  /// Returns the index of the first percent sign before a letter, in Unicode scalars; nil if there is none.
  static func placeOfPercent(in text: String) -> Int? {
    let scalars = Array(text.unicodeScalars)
    return scalars.indices.dropLast().first { scalars[$0] == "%" && isLetter(scalars[$0 + 1]) }
  }

  private static let fieldsOfStrptime: [Character: String] = [
    "Y": "yyyy", "y": "yy", "m": "MM", "d": "dd", "e": "d", "H": "HH", "I": "hh", "M": "mm", "S": "ss", "p": "a",
    "f": "SSSSSS", "L": "SSS", "z": "Z", "b": "MMM", "h": "MMM", "B": "MMMM", "a": "EEE", "A": "EEEE",
    "F": "yyyy-MM-dd", "T": "HH:mm:ss", "R": "HH:mm", "%": "%",
  ]
}

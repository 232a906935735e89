public import StreamCore

extension FieldSpec {
  /// The kind of JSON value that a field accepts.
  public enum Kind: Sendable {
    /// A length of time in seconds. Fractions are allowed.
    case seconds(ClosedRange<Double>)
    /// A number. Fractions are allowed.
    case number(ClosedRange<Double>)
    /// An integer.
    case count(ClosedRange<Int>)
    /// A CEL expression over these variables.
    case expression([String])
    /// Any JSON value.
    case value
    case string
    case bool
    /// One of these words.
    case choice([String])
    /// An array of streams: names or inline models.
    case streams
    /// A stream: a name or an inline model.
    case stream
    /// `true`, `false`, or a stream that triggers the effect.
    case boolOrStream
    /// An array of operators.
    case operators
    /// An array of names.
    case names
    /// A CEL type's name, an object of fields, or an array of one type.
    case type
    /// An array of events with their times.
    case events
    /// An array, or an object, that the operator reads itself.
    case list, object

    /// Whether its values are times or lengths of time.
    var isTimed: Bool {
      switch self {
      case .seconds, .events: true
      default: false
      }
    }

    /// The accepted values in words, for messages and the reference.
    public var expectation: String {
      switch self {
      case .seconds(let range):
        "a number of seconds from \(range.lowerBound.shortText) to \(range.upperBound.shortText)"
      case .number(let range): "a number from \(range.lowerBound.shortText) to \(range.upperBound.shortText)"
      case .count(let range):
        switch (range.lowerBound, range.upperBound) {
        case (.min, .max): "an integer"
        case (let low, .max): "an integer, \(low) or more"
        default: "an integer from \(range.lowerBound) to \(range.upperBound)"
        }
      case .expression: "an expression in a string"
      case .value: "any JSON value"
      case .string: "a string"
      case .bool: "true or false"
      case .choice(let words): Self.alternatives(words.map { "\"\($0)\"" })
      case .streams: "an array of streams: names or inline models"
      case .stream: "a stream: a name or an inline model"
      case .boolOrStream: "true, false, or a stream: a name or an inline model"
      case .operators: "an array of operators"
      case .names: "an array of names"
      case .type: "a type's name, an object of fields, or an array of one type"
      case .events: "an array of events"
      case .list: "an array"
      case .object: "an object"
      }
    }

    /// Whether fractions are allowed, so that an integer is read as a `Double`.
    var isFractional: Bool {
      switch self {
      case .seconds, .number: true
      default: false
      }
    }

    /// The diagnostic for an invalid value of this field; nil for a valid one.
    func problem(with value: Value, field: String) -> Diagnostic? {
      func wrongType() -> Diagnostic {
        let found =
          if case .double(let number) = value { JSONWriter.compact(.double(number)) } else { value.describedType }
        return Diagnostic(
          .wrongType, "'\(field)' is \(found); expected \(expectation)",
          help: advisedValue(for: value).map { "write \(JSONWriter.compact($0))" })
      }
      switch (self, value) {
      case (.seconds(let range), .int(let number)), (.number(let range), .int(let number)):
        return range.contains(Double(number)) ? nil : outOfRange(field, String(number))
      case (.seconds(let range), .double(let number)), (.number(let range), .double(let number)):
        return range.contains(number) ? nil : outOfRange(field, number.shortText)
      case (.count(let range), .int(let number)):
        return Int(exactly: number).map(range.contains) == true ? nil : outOfRange(field, String(number))
      // NB: Only an integer that does not fit in an int is read as a uint.
      case (.count, .uint(let number)): return outOfRange(field, String(number))
      case (.seconds(let range), .uint(let number)), (.number(let range), .uint(let number)):
        return range.contains(Double(number)) ? nil : outOfRange(field, String(number))
      case (.choice(let words), .string(let word)):
        guard !words.contains(word) else { return nil }
        let near = FieldAdvice.choice(for: word, among: words)
        return Diagnostic(
          .outOfRange, "'\(field)' is \"\(word)\"; expected \(expectation)",
          help: near.map { "did you mean \"\($0)\"?" })
      case (.expression, .string), (.string, .string), (.bool, .bool), (.value, _),
        (.type, .string), (.type, .map), (.type, .list),
        (.streams, .list),
        (.stream, .string), (.stream, .map), (.list, .list), (.events, .list), (.object, .map), (.operators, .list),
        (.boolOrStream, .bool),
        (.boolOrStream, .string),
        (.boolOrStream, .map):
        return nil
      case (.names, .list(let elements)):
        for (index, element) in elements.enumerated() {
          guard case .string = element else {
            return Diagnostic(
              .wrongType, "a name is a string; found \(element.describedType)",
              at: JSONPointer([String(index)]))
          }
        }
        return nil
      default:
        return wrongType()
      }
    }

    private func outOfRange(_ field: String, _ found: String) -> Diagnostic {
      Diagnostic(.outOfRange, "'\(field)' is \(found); expected \(expectation)")
    }

    private static func alternatives(_ words: [String]) -> String {
      guard words.count > 1, let last = words.last else { return words.first ?? "" }
      return words.dropLast().joined(separator: ", ") + " or " + last
    }
  }
}

extension Value {
  /// The JSON type with its article, for messages: "a string", "an object".
  public var describedType: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .int: "an integer"
    case .double: "a number"
    case .string: "a string"
    case .list: "an array"
    case .map: "an object"
    default: "a \(typeName)"
    }
  }
}

extension Double {
  /// The number as files write it, without a fraction if it is whole.
  package var shortText: String { JSONWriter.compact(.seconds(self)) }
}

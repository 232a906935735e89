public import StreamCore

/// What may stand in a field.
public enum FieldKind: Sendable {
  /// A length of time in seconds, fractions allowed.
  case seconds(ClosedRange<Double>)
  /// A number, fractions allowed.
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
  /// A list of stream names and models in place.
  case streams
  /// A stream's name or a model in place.
  case stream
  /// `true`, `false`, or a stream that says when.
  case boolOrStream
  /// A list of operators.
  case operators
  /// A list of names.
  case names
  /// A CEL type's name, an object of fields, or an array of one type.
  case type
  /// A list of events with their times.
  case events
  /// A list of objects, or an object of names, that the operator reads itself.
  case list, object

  /// What is expected, for messages and the reference.
  public var expectation: String {
    switch self {
    case .seconds(let range): "a number of seconds from \(range.lowerBound.shortText) to \(range.upperBound.shortText)"
    case .number(let range): "a number from \(range.lowerBound.shortText) to \(range.upperBound.shortText)"
    case .count(let range):
      switch (range.lowerBound, range.upperBound) {
      case (.min, .max): "an integer"
      case (let low, .max): "an integer, \(low) or more"
      default: "an integer from \(range.lowerBound) to \(range.upperBound)"
      }
    case .expression: "an expression, as text"
    case .value: "any JSON value"
    case .string: "a string"
    case .bool: "true or false"
    case .choice(let words): Self.alternatives(words.map { "\"\($0)\"" })
    case .streams: "an array of streams: names, or models in place"
    case .stream: "a stream: a name, or a model in place"
    case .boolOrStream: "true, false, or a stream: a name, or a model in place"
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

  /// What is wrong with a value in this field, if anything: a code and whether it is of the wrong type altogether.
  func problem(with value: Value, field: String) -> Diagnostic? {
    func wrongType() -> Diagnostic {
      Diagnostic(.wrongType, "'\(field)' is \(value.describedType); expected \(expectation)")
    }
    switch (self, value) {
    case (.seconds(let range), .int(let number)), (.number(let range), .int(let number)):
      return range.contains(Double(number)) ? nil : outOfRange(field, String(number))
    case (.seconds(let range), .double(let number)), (.number(let range), .double(let number)):
      return range.contains(number) ? nil : outOfRange(field, number.shortText)
    case (.count(let range), .int(let number)):
      return Int(exactly: number).map(range.contains) == true ? nil : outOfRange(field, String(number))
    case (.choice(let words), .string(let word)):
      guard !words.contains(word) else { return nil }
      let near = nearestName(to: word, among: words)
      return Diagnostic(
        .outOfRange, "'\(field)' is \"\(word)\"; expected \(expectation)", help: near.map { "did you mean \"\($0)\"?" })
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
  /// The number without a fraction where there is none, as files write it.
  var shortText: String { JSONWriter.compact(.seconds(self)) }
}

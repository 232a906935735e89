package import CEL
internal import StreamCore

extension FieldSpec.Kind {
  /// Whether a value of the type may be the value of such a field.
  package func mayBe(_ type: CELType) -> Bool {
    switch self {
    case .seconds: CELType.double.mayBe(type, numbers: .mixed) || CELType.duration.mayBe(type, numbers: .strict)
    case .number: CELType.double.mayBe(type, numbers: .mixed)
    case .count: CELType.int.mayBe(type, numbers: .strict) || CELType.uint.mayBe(type, numbers: .strict)
    case .string, .choice: CELType.string.mayBe(type, numbers: .strict)
    case .bool: CELType.bool.mayBe(type, numbers: .strict)
    case .stream: CELType.string.mayBe(type, numbers: .strict) || type.isMapOfNames
    case .boolOrStream: CELType.bool.mayBe(type, numbers: .strict) || CELType.string.mayBe(type, numbers: .strict)
    case .streams, .operators, .names, .events, .list: CELType.list(.dyn).mayBe(type, numbers: .strict)
    case .object: type.isMapOfNames
    case .expression: false
    case .value, .type: true
    }
  }

  /// Whether the JSON of a value of the type may be the value of such a field. Doubles may be integers, and timestamps
  /// are strings.
  func mayBe(jsonOf type: CELType) -> Bool {
    if mayBe(type) || type == .null { return true }
    let type = type.withoutNull
    switch self {
    case .count: return type == .double
    case .string, .choice: return [.timestamp, .duration, .bytes].contains(type)
    case .boolOrStream: return type.isMapOfNames
    case .type: return true
    // Some are written in several forms.
    case .streams, .operators, .names, .events, .list, .object, .stream: return true
    default: return false
    }
  }

  /// The type of a parameter for such a field; nil if there are several.
  var typeOfParameter: String? {
    switch self {
    case .seconds, .number: "double"
    case .count: "int"
    case .string, .choice: "string"
    case .bool: "bool"
    default: nil
    }
  }

  var isExpression: Bool { if case .expression = self { true } else { false } }

  /// Whether the values have streams or operators in them.
  var holdsStreams: Bool {
    switch self {
    case .stream, .streams, .boolOrStream, .operators: true
    default: false
    }
  }

  /// Whether the values are data, in which nothing is replaced.
  var isLiteral: Bool {
    switch self {
    case .value, .list, .object, .events: true
    default: false
    }
  }
}

extension CELType {
  fileprivate var isMapOfNames: Bool { CELType.map(.string, .dyn).mayBe(self, numbers: .strict) }
}

extension Duration {
  /// The length in seconds.
  var inSeconds: Double {
    let (seconds, attoseconds) = components
    guard abs(seconds) < 1 << 22 else { return Double(seconds) + Double(attoseconds) / 1e18 }
    return Double(seconds * 1_000_000_000 + attoseconds / 1_000_000_000) / 1e9
  }
}

extension Value {
  /// Whether the value is a name, or a list of names, or true or false.
  var isNamesAlone: Bool {
    switch self {
    case .string, .bool, .null: true
    case .list(let elements): elements.allSatisfy { $0.text != nil }
    default: false
    }
  }
}

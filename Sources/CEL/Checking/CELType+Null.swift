package import StreamCore

extension CELType {
  /// The type of its values and null.
  package var orNull: CELType {
    switch self {
    case .dyn, .undetermined, .parameter, .null, .nullable: self
    default: .nullable(self)
    }
  }

  /// The type of its values other than null.
  package var withoutNull: CELType { if case .nullable(let type) = self { type } else { self } }

  /// The type of its values that may have members, for an optional access: there are none in null, or in an optional's
  /// null.
  var withoutAbsence: CELType {
    switch self {
    case .null: .dyn
    case .nullable(let type): type
    case .optional(.null): .optional(.dyn)
    case .optional(.nullable(let type)): .optional(type)
    default: self
    }
  }

  /// Whether null is a value of the type, or a value of unknown type is.
  package var allowsNull: Bool {
    switch self {
    case .dyn, .undetermined, .parameter, .null, .nullable: true
    default: false
    }
  }

  /// The type whose operators and functions its values have: `string` for a choice of strings.
  package var base: CELType {
    switch self {
    case .choice(let values): if case .int? = values.first { .int } else { .string }
    case .nullable(let type): .nullable(type.base)
    default: self
    }
  }

  /// The strings or ints that a value of the type may be; nil for other types.
  package var choices: [Value]? {
    switch self {
    case .choice(let values): values
    case .nullable(let type): type.choices
    default: nil
    }
  }

  /// Returns the type after a test has shown that a member is present and not null.
  ///
  /// - Parameter names: The names from the value to the member; empty for the value itself.
  func narrowed(at names: ArraySlice<String>, _ fact: NullFact) -> CELType {
    guard let name = names.first else { return fact == .isNotNull ? withoutNull : self }
    guard case .record(let fields) = self else { return self }
    return .record(
      fields.map { field in
        guard field.name == name else { return field }
        let type = field.type.narrowed(at: names.dropFirst(), fact)
        // A member that is read exists.
        return RecordField(name, type)
      })
  }
}

/// The result of a test of a member.
enum NullFact {
  case isPresent, isNotNull
}

extension CELType {
  /// Whether a value of the type may be, or hold, a record that lacks a field.
  package var hasOptionalFields: Bool {
    switch self {
    case .record(let fields): fields.contains { $0.isOptional || $0.type.hasOptionalFields }
    case .list(let type), .optional(let type), .nullable(let type), .map(_, let type): type.hasOptionalFields
    default: false
    }
  }
}

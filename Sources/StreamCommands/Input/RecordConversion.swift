internal import CEL
internal import StreamCore
internal import StreamKit
internal import StreamRuntime

/// Makes values of an input's declared type, and sees at once where a record is of it already.
struct RecordConversion {
  private let conversion: InputConversion
  /// What most values are.
  private var look: RepeatedLook

  init(_ type: CELType) {
    conversion = InputConversion(type)
    look = RepeatedLook(type)
  }

  /// The fields that are declared; nil where any field is.
  var declaredFields: Set<String>? {
    if case .record(let fields) = conversion.type { Set(fields.map(\.name)) } else { nil }
  }

  /// The fields of rows that look at these: the declared ones have to be of their types; nil where a row cannot tell
  /// whether they are.
  func rowFields(_ fields: [String]) -> RowFields? {
    guard case .record(let declared) = conversion.type else { return nil }
    var rows = RowFields(fields.map { RowFields.Field($0) })
    for field in declared {
      let kind: FieldCell.Kind
      switch field.type {
      case .int: kind = .int
      case .double: kind = .double
      case .string: kind = .text
      case .bool: kind = .bool
      default: return nil
      }
      if let number = fields.firstIndex(of: field.name) {
        rows.fields[number].kind = kind
      } else {
        rows.fields.append(RowFields.Field(field.name, kind))
      }
    }
    return rows
  }

  /// The value, of the declared type.
  func convert(_ value: Value) throws(InputConversion.Problem) -> Value { try conversion.convert(value) }

  /// Whether a value certainly is as converting would make it.
  mutating func isConverted(_ value: Value) -> Bool { look.takes(value) }
}

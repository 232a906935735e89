internal import CEL
internal import StreamCore

/// What an input takes: the declared type, and a first look that decides for most values.
struct InputType: Sendable {
  private let kind: Kind
  private let conversion: InputConversion

  private enum Kind { case any, bool, int, double, string, other }

  init(_ type: CELType) {
    conversion = InputConversion(type)
    kind =
      switch type {
      case .dyn: .any
      case .bool: .bool
      case .int: .int
      case .double: .double
      case .string: .string
      default: .other
      }
  }

  /// The value, of the declared type.
  func convert(_ value: Value) throws(InputConversion.Problem) -> Value {
    switch (kind, value) {
    case (.any, _), (.bool, .bool), (.int, .int), (.double, .double), (.string, .string): value
    default: try conversion.convert(value)
    }
  }
}

/// How the app's own types are encoded as values, and decoded from them.
///
/// Encoding is exact in what a value can hold: signed integers become ints, unsigned integers uints, floating-point
/// numbers doubles, and a `URL` its text. A coding chooses among the forms of what a value has no single form for.
///
/// ```swift
/// let coding = ValueCoding(dates: .millisecondsSince1970, keys: .snakeCase)
/// let value = try Value(encoding: order, coding: coding)
/// let again = try value.decoded(as: Order.self, coding: coding)
/// ```
public struct ValueCoding: Hashable, Sendable {
  /// The form of a `Date`. Every form is decoded from a timestamp and from text in RFC 3339.
  public enum DateForm: Hashable, Sendable {
    /// A timestamp, with which expressions can compute. A number is decoded as seconds since 1970.
    case timestamp
    /// Text in RFC 3339, the form of ISO 8601 in JSON: `2024-01-31T12:00:00Z`. A number is decoded as seconds since 1970.
    case iso8601
    /// A double: the seconds since 1970.
    case secondsSince1970
    /// A double: the milliseconds since 1970.
    case millisecondsSince1970
  }

  /// The form of a `Decimal`. Both forms are decoded by either.
  public enum DecimalForm: Hashable, Sendable {
    /// An int if it is whole and fits, otherwise the nearest double, which keeps 15 digits.
    case number
    /// Text with all digits.
    case text
  }

  /// The form of `Data`. Both forms are decoded by either.
  public enum DataForm: Hashable, Sendable {
    /// Bytes.
    case bytes
    /// Text in Base64.
    case base64
  }

  /// The names of the members.
  public enum KeyForm: Hashable, Sendable {
    /// The names of the coding keys.
    case unchanged
    /// The names in snake case: the key `unitPrice` is the member `unit_price`.
    case snakeCase
  }

  public var dates: DateForm
  public var decimals: DecimalForm
  public var data: DataForm
  public var keys: KeyForm

  /// Creates a coding. By default dates are timestamps, decimals are numbers, data is bytes, and keys keep their names.
  public init(
    dates: DateForm = .timestamp, decimals: DecimalForm = .number, data: DataForm = .bytes, keys: KeyForm = .unchanged
  ) {
    self.dates = dates
    self.decimals = decimals
    self.data = data
    self.keys = keys
  }

  /// The coding with all defaults.
  public static let standard = ValueCoding()
}

extension ValueCoding {
  /// Whether the keys of a type are the names of members. The keys of a dictionary are data, which keep their form.
  func keepsNames(of type: Any.Type) -> Bool { keys == .unchanged || type is any KeyedByText.Type }
}

/// The dictionaries whose keys are texts.
private protocol KeyedByText {}

extension Dictionary: KeyedByText where Key == String {}

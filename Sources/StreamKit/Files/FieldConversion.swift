internal import CEL
@_spi(Engine) internal import StreamCore

/// Converts the strings of a CSV file to values of declared types.
struct FieldConversion {
  /// The conversion of a column.
  enum Kind {
    case text, int, uint, double, bool, null
    /// The value that a field is written as: a number or a Boolean as in JSON, null if it is empty, or else the text.
    case written
    /// The same with a decimal comma, and with a decimal point or comma.
    case commaWritten, anyWritten
    /// A double with a decimal comma, and one with a decimal point or comma.
    case commaDouble, anyDouble
    /// A value that may be null, which an empty field stands for.
    indirect case orNull(Kind)

    /// The kind for numbers with this decimal mark.
    fileprivate func with(_ decimal: DecimalMark, allowsBoth: Bool) -> Kind {
      switch self {
      case .double: decimal == .comma ? .commaDouble : allowsBoth ? .anyDouble : .double
      case .written: decimal == .comma ? .commaWritten : allowsBoth ? .anyWritten : .written
      case .orNull(let kind): .orNull(kind.with(decimal, allowsBoth: allowsBoth))
      default: self
      }
    }

    /// The kind of a column of a type; strings if no type is declared.
    init(_ type: CELType?) {
      switch type {
      case .int?: self = .int
      case .uint?: self = .uint
      case .double?: self = .double
      case .bool?: self = .bool
      case .null?: self = .null
      case .nullable(let inner)?: self = .orNull(Kind(inner))
      case .choice(let values)?: if case .int? = values.first { self = .int } else { self = .text }
      default: self = .text
      }
    }
  }

  private let type: CELType
  /// The shape of the row before.
  private var shape: Shape?
  /// The kinds of the columns.
  private(set) var kinds: [Kind] = []

  /// Whether the fields have the types that they are written as.
  private let infers: Bool

  /// - Parameter infers: Whether the fields have the types that they are written as. Default false.
  init(_ type: CELType, infers: Bool = false) { (self.type, self.infers) = (type, infers) }

  /// Returns the row with each string converted to its column's type if possible.
  ///
  /// A string that cannot be converted stays a string, so that `InputConversion` reports the error.
  mutating func convert(_ row: Value) -> Value {
    guard case .map(let map) = row else { return row }
    prepare(for: map.shape)
    return .map(
      ValueMap(shape: map.shape) { place in
        guard case .string(let text) = map.slots[place] else { return map.slots[place] }
        return Self.value(of: text, as: kinds[place])
      })
  }

  /// Gets ready for rows of a shape.
  ///
  /// - Parameters:
  ///   - decimal: The decimal mark of doubles. Default a point.
  ///   - allowsBoth: Whether a double may have a decimal comma as well. Default false.
  mutating func prepare(for shape: Shape, decimal: DecimalMark = .point, allowsBoth: Bool = false) {
    if self.shape === shape { return }
    self.shape = shape
    kinds = shape.keys.map { (infers ? .written : Kind(type(of: $0))).with(decimal, allowsBoth: allowsBoth) }
  }

  private func type(of column: Value) -> CELType? {
    switch type {
    case .record(let fields): fields.first { $0.name == column.text }?.type
    case .map(_, let element): element
    default: nil
    }
  }

  // MARK: Texts

  /// Returns the value of a string.
  static func value(of text: String, as kind: Kind) -> Value {
    let value: Value? =
      switch kind {
      case .text: nil
      case .int: Int64(text).map(Value.int)
      case .uint: UInt64(text).map(Value.uint)
      case .double: number(text).map(Value.double)
      case .bool: truth(text)
      case .null: text.isEmpty ? .null : nil
      case .commaDouble: DecimalMark.commaNumber(text, hasGroups: true).map(Value.double)
      case .anyDouble: (number(text) ?? DecimalMark.commaNumber(text, hasGroups: false)).map(Value.double)
      case .written: written(text)
      case .commaWritten: Self.written(text, orWith: true)
      case .anyWritten: Self.written(text, orWith: false)
      case .orNull(let kind): text.isEmpty ? .null : Self.value(of: text, as: kind)
      }
    return value ?? .string(text)
  }

  /// Returns the value that a text is written as; nil for a string. A number with a leading zero or a plus sign may be
  /// the name of something, and an integer of more than 64 bits has no type.
  private static func written(_ text: String) -> Value? {
    switch text {
    case "": return .null
    case "true": return true
    case "false": return false
    default:
      guard text.utf8.count < 400, let form = DecimalText.form(of: text.utf8[...]) else { return nil }
      if form == .decimal { return number(text).map(Value.double) }
      return Int64(text).map(Value.int) ?? UInt64(text).map(Value.uint)
    }
  }

  /// Returns the value that a text is written as, perhaps with a decimal comma; nil for a string.
  ///
  /// - Parameter hasGroups: Whether points may separate the thousands, so that only a comma is a decimal mark. Without a
  ///   comma, a text with points may be an address or a version.
  private static func written(_ text: String, orWith hasGroups: Bool) -> Value? {
    guard let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")) else {
      return hasGroups && text.utf8.contains(UInt8(ascii: ".")) ? nil : written(text)
    }
    // The digits before the comma must be those of an integer, as in JSON.
    let whole = String(decoding: text.utf8[..<comma].filter { $0 != UInt8(ascii: ".") }, as: UTF8.self)
    guard DecimalText.form(of: whole.utf8[...]) == .integer else { return nil }
    return DecimalMark.commaNumber(text, hasGroups: hasGroups).map(Value.double)
  }

  /// Returns the value of an ASCII string.
  static func value(of text: UnsafeBufferPointer<UInt8>, as kind: Kind) -> Value {
    switch kind {
    case .int: if let number = DecimalText.plainInt(text) { return .int(number) }
    case .double, .anyDouble: if let number = DecimalText.plainNumber(text) { return .double(number) }
    case .orNull(let kind): return text.isEmpty ? .null : value(of: text, as: kind)
    default: break
    }
    return value(of: String(decoding: text, as: UTF8.self), as: kind)
  }

  /// Returns the Boolean of a text, in lowercase, in capitals as spreadsheets write it, or capitalized; else nil.
  private static func truth(_ text: String) -> Value? {
    switch text {
    case "true", "True", "TRUE": true
    case "false", "False", "FALSE": false
    default: nil
    }
  }

  /// Returns the double of a text with a decimal point; nil for other texts.
  static func number(_ text: String) -> Double? {
    let plain = text.utf8.withContiguousStorageIfAvailable { DecimalText.plainNumber($0) }
    return plain.flatMap { $0 } ?? Double(decimalText: text)
  }
}

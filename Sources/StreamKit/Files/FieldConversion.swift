internal import CEL
internal import StreamCore

/// Makes values of declared types out of the texts of a CSV file.
enum FieldConversion {
  /// The row with each text as a value of its column's type, as far as texts are written so.
  ///
  /// What is not remains a text, so that `InputConversion` says what is wrong with it.
  static func convert(_ row: Value, to type: CELType) -> Value {
    guard case .map(let map) = row else { return row }
    switch type {
    case .record(let fields):
      let types = Dictionary(fields.map { ($0.name, $0.type) }) { first, _ in first }
      return .map(
        ValueMap(
          shape: map.shape,
          slots: map.pairs.map { key, value in
            key.text.flatMap { types[$0] }.map { convert(text: value, to: $0) } ?? value
          }))
    case .map(_, let element):
      return .map(ValueMap(shape: map.shape, slots: map.slots.map { convert(text: $0, to: element) }))
    default: return row
    }
  }

  private static func convert(text: Value, to type: CELType) -> Value {
    guard case .string(let text) = text else { return text }
    let value: Value? =
      switch type {
      case .int: Int64(text).map(Value.int)
      case .uint: UInt64(text).map(Value.uint)
      case .double: Double(text).map(Value.double)
      case .bool: text == "true" ? true : text == "false" ? false : nil
      case .null: text.isEmpty ? .null : nil
      default: nil
      }
    return value ?? .string(text)
  }
}

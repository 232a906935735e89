internal import CEL
internal import StreamCore

/// Makes values of declared types out of the texts of a CSV file.
struct FieldConversion {
  private let type: CELType
  /// The shape of the row before, and the type of each of its columns; nil for those of which nothing is declared.
  private var shape: Shape?
  private var columns: [CELType?] = []

  init(_ type: CELType) { self.type = type }

  /// The row with each text as a value of its column's type, as far as texts are written so.
  ///
  /// What is not remains a text, so that `InputConversion` says what is wrong with it.
  mutating func convert(_ row: Value) -> Value {
    guard case .map(let map) = row else { return row }
    if map.shape !== shape {
      shape = map.shape
      columns = map.shape.keys.map(type(of:))
    }
    return .map(
      ValueMap(shape: map.shape) { place in
        let text = map.slots[place]
        return columns[place].map { Self.convert(text: text, to: $0) } ?? text
      })
  }

  private func type(of column: Value) -> CELType? {
    switch type {
    case .record(let fields): fields.first { $0.name == column.text }?.type
    case .map(_, let element): element
    default: nil
    }
  }

  private static func convert(text: Value, to type: CELType) -> Value {
    guard case .string(let text) = text else { return text }
    let value: Value? =
      switch type {
      case .int: Int64(text).map(Value.int)
      case .uint: UInt64(text).map(Value.uint)
      case .double: (DecimalText.plainNumber(text) ?? Double(text)).map(Value.double)
      case .bool: text == "true" ? true : text == "false" ? false : nil
      case .null: text.isEmpty ? .null : nil
      default: nil
      }
    return value ?? .string(text)
  }
}

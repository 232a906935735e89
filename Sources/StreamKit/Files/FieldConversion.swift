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
    prepare(for: map.shape)
    return .map(
      ValueMap(shape: map.shape) { place in
        guard case .string(let text) = map.slots[place] else { return map.slots[place] }
        return value(of: text, in: place)
      })
  }

  /// Gets ready for rows of a shape.
  mutating func prepare(for shape: Shape) {
    if self.shape === shape { return }
    self.shape = shape
    columns = shape.keys.map(type(of:))
  }

  /// What a text in a column is.
  func value(of text: String, in column: Int) -> Value {
    columns[column].flatMap { Self.value(of: text, as: $0) } ?? .string(text)
  }

  /// The same of a text of ASCII.
  func value(of text: UnsafeBufferPointer<UInt8>, in column: Int) -> Value {
    switch columns[column] {
    case .int?: if let number = DecimalText.plainInt(text) { return .int(number) }
    case .double?: if let number = DecimalText.plainNumber(text) { return .double(number) }
    default: break
    }
    return value(of: String(decoding: text, as: UTF8.self), in: column)
  }

  private func type(of column: Value) -> CELType? {
    switch type {
    case .record(let fields): fields.first { $0.name == column.text }?.type
    case .map(_, let element): element
    default: nil
    }
  }

  private static func value(of text: String, as type: CELType) -> Value? {
    switch type {
    case .int: return Int64(text).map(Value.int)
    case .uint: return UInt64(text).map(Value.uint)
    case .double:
      let plain = text.utf8.withContiguousStorageIfAvailable { DecimalText.plainNumber($0) }
      return (plain.flatMap { $0 } ?? Double(text)).map(Value.double)
    case .bool: return text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
    case .null: return text.isEmpty ? .null : nil
    default: return nil
    }
  }
}

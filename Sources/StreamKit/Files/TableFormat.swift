@_spi(Engine) internal import StreamCore

/// The format of lines with plain fields.
final class TableFormat: LineFormat {
  let rowLayouts: [any RowLayout]
  let longest: Int
  var lineCount = 0
  let layoutNumber: Int
  var learntNumber: Int { layoutNumber }
  var columns: Shape? { shape }
  private let shape: Shape
  private let kinds: [FieldConversion.Kind]
  private let separator: UInt8
  private let value: UnsafeMutablePointer<Value>
  /// The rows for lines whose fields are all required.
  private var whole: WholeRows?

  /// - Parameter number: Distinguishes the formats of a file.
  /// - Returns: Nil if a required field does not exist in lines.
  init?(
    _ number: Int, _ shape: Shape, _ kinds: [FieldConversion.Kind], _ fields: RowFields, separator: UInt8, longest: Int
  ) {
    var columns: [TableLayout.Column] = []
    var missing = Set(fields.fields.indices)
    for (name, kind) in zip(shape.keys, kinds) {
      let number = fields.fields.firstIndex { .string($0.name) == name }
      let field = number.map { fields.fields[$0] }
      guard let cellKind = kind.cell, field?.kind ?? cellKind == cellKind,
        let column = TableLayout.Column(cellKind, cell: field?.isRead == true ? number : nil)
      else { return nil }
      columns.append(column)
      if let number { missing.remove(number) }
    }
    guard (1...Int(UInt16.max)).contains(columns.count), missing.allSatisfy({ fields.fields[$0].kind == nil }) else {
      return nil
    }
    rowLayouts = [TableLayout(columns, missing: missing.sorted(), separator: separator)]
    layoutNumber = number
    (self.shape, self.kinds, self.separator, self.longest) = (shape, kinds, separator, longest)
    value = .allocate(capacity: 1)
    value.initialize(to: .null)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  func record(of line: PaddedBytes) -> UnsafePointer<Value> {
    guard let record = outputRecord(of: line) else { preconditionFailure("a line that is a row has plain fields") }
    value.pointee = record.value
    return UnsafePointer(value)
  }

  func outputRecord(of line: PaddedBytes) -> OutputRecord? {
    if whole == nil { whole = WholeRows(shape, kinds, separator: separator, longest: longest) }
    return whole?.record(of: line)
  }
}

/// Rows for lines whose fields are all required, one at a time.
private final class WholeRows {
  private let rows: LineRows
  private let shape: Shape
  private let places: UnsafeMutablePointer<OutputFields.Place>

  init?(_ shape: Shape, _ kinds: [FieldConversion.Kind], separator: UInt8, longest: Int) {
    let fields = RowFields(shape.keys.compactMap(\.text).map { RowFields.Field($0) })
    guard let format = TableFormat(0, shape, kinds, fields, separator: separator, longest: longest) else { return nil }
    rows = LineRows(fields, format)
    self.shape = shape
    places = .allocate(capacity: fields.fields.count)
    for place in fields.fields.indices { (places + place).initialize(to: OutputFields.Place(.cell, place)) }
  }

  // They are trivial: nothing to deinitialize.
  deinit { places.deallocate() }

  func record(of line: PaddedBytes) -> OutputRecord? {
    guard rows.read(line, atMost: 1) == 1 else { return nil }
    let fields = OutputFields(shape: .passUnretained(shape), places: UnsafePointer(places))
    return OutputRecord(fields, rows: .passUnretained(rows))
  }
}

extension FieldConversion.Kind {
  /// The cell of such a field in a row; nil if rows do not support it.
  fileprivate var cell: FieldCell.Kind? {
    switch self {
    case .text: .text
    case .int: .int
    case .double, .anyDouble: .double
    case .bool: .bool
    case .uint, .null, .commaDouble, .orNull, .written, .commaWritten, .anyWritten: nil
    }
  }
}

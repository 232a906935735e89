/// The places of the values of a record that is not created.
///
/// NB: Trivial. The creator keeps the memory that it refers to.
package struct OutputFields {
  /// The storage of a value.
  package enum Source: UInt8, Sendable {
    /// A boxed value.
    case value
    /// A field of the current row.
    case cell
    /// A slot that holds a scalar of this type.
    case int, uint, double, bool
  }

  package struct Place: Sendable {
    package var source: Source
    package var number: UInt16

    package init(_ source: Source, _ number: Int) {
      self.source = source
      self.number = UInt16(number)
    }
  }

  /// The keys.
  let shape: Unmanaged<Shape>
  /// The places of the values, in the order of the keys.
  let places: UnsafePointer<Place>

  package init(shape: Unmanaged<Shape>, places: UnsafePointer<Place>) {
    self.shape = shape
    self.places = places
  }

  /// Creates the record.
  ///
  /// - Parameter rows: The rows with the current row; nil if none of the values is a field of a row.
  package func record(
    _ values: UnsafePointer<Value>, _ slots: UnsafePointer<Int64>, _ rows: Unmanaged<LineRows>? = nil
  ) -> Value {
    let body = RecordBody.make(shape.takeUnretainedValue())
    for place in 0..<body.head.pointee.shape.count {
      let number = Int(places[place].number)
      let value: Value =
        switch places[place].source {
        case .value: values[number]
        case .int: .int(slots[number])
        case .uint: .uint(UInt64(bitPattern: slots[number]))
        case .double: .double(Double(bitPattern: UInt64(bitPattern: slots[number])))
        case .bool: .bool(slots[number] != 0)
        case .cell: rows?._withUnsafeGuaranteedRef { $0.value(of: number) } ?? .null
        }
      body.add(value)
    }
    return .map(ValueMap(body))
  }
}

/// The values of a record that is not created.
///
/// NB: Trivial. Valid until the next value is processed.
package struct OutputRecord {
  let fields: OutputFields
  let values: UnsafePointer<Value>
  let slots: UnsafePointer<Int64>
  let rows: Unmanaged<LineRows>

  package init(
    _ fields: OutputFields, values: UnsafePointer<Value>, slots: UnsafePointer<Int64>, rows: Unmanaged<LineRows>
  ) {
    self.fields = fields
    self.values = values
    self.slots = slots
    self.rows = rows
  }

  /// Creates a record whose values are fields of the current row.
  package init(_ fields: OutputFields, rows: Unmanaged<LineRows>) {
    // NB: Never accessed, because all values are cells.
    self.init(
      fields, values: UnsafePointer(bitPattern: MemoryLayout<Value>.alignment).unsafelyUnwrapped,
      slots: UnsafePointer(bitPattern: MemoryLayout<Int64>.alignment).unsafelyUnwrapped, rows: rows)
  }

  /// The record.
  package var value: Value { fields.record(values, slots, rows) }
}

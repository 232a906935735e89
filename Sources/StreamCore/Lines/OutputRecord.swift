/// Where the values of a record are that has not been made.
///
/// NB: trivial; whoever makes one keeps what it leads to.
package struct OutputFields {
  /// What a value is in.
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
  /// For each key the place of its value.
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

/// A record that has not been made.
///
/// NB: trivial, and of use until whoever gives it goes on.
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

  /// A record all of whose values are fields of the row at work.
  package init(_ fields: OutputFields, rows: Unmanaged<LineRows>) {
    // NB: nobody looks there.
    self.init(
      fields, values: UnsafePointer(bitPattern: MemoryLayout<Value>.alignment).unsafelyUnwrapped,
      slots: UnsafePointer(bitPattern: MemoryLayout<Int64>.alignment).unsafelyUnwrapped, rows: rows)
  }

  /// The record.
  package var value: Value { fields.record(values, slots, rows) }
}

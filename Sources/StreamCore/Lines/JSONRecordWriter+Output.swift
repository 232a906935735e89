extension JSONRecordWriter {
  /// Appends a record and a line break, or nothing if two keys have the same name in JSON.
  package func appendLine(_ record: OutputRecord, to bytes: inout [UInt8]) -> Bool {
    let start = bytes.count
    record.fields.shape._withUnsafeGuaranteedRef { shape in
      append(shape, to: &bytes) { place, bytes in put(record, record.fields.places[place], to: &bytes) }
    }
    putByte(0x0A, to: &bytes)
    flush(&bytes)
    if takeRepeatedName() == nil { return true }
    bytes.removeLast(bytes.count - start)
    return false
  }

  @inline(__always)
  private func put(_ record: OutputRecord, _ place: OutputFields.Place, to bytes: inout [UInt8]) {
    let number = Int(place.number)
    switch place.source {
    case .value: put(record.values + number, to: &bytes)
    case .cell: record.rows._withUnsafeGuaranteedRef { put($0.row[number], $0, to: &bytes) }
    case .double: put(Double(bitPattern: UInt64(bitPattern: record.slots[number])), to: &bytes)
    case .int: put(record.slots[number], to: &bytes)
    case .uint, .bool: putOther(record.slots[number], isBool: place.source == .bool, to: &bytes)
    }
  }

  @inline(__always)
  private func put(_ cell: FieldCell, _ rows: LineRows, to bytes: inout [UInt8]) {
    switch cell.kind {
    case .text:
      // Plain strings need no escapes.
      let text = rows.line(of: rows.current).base + cell.textStart
      if rows.columns == nil { return putPadded(text - 1, cell.textCount + 2, to: &bytes) }
      putByte(UInt8(ascii: "\""), to: &bytes)
      putPadded(text, cell.textCount, to: &bytes)
      putByte(UInt8(ascii: "\""), to: &bytes)
    case .double: put(Double(bitPattern: UInt64(bitPattern: cell.bits)), to: &bytes)
    case .int: put(cell.bits, to: &bytes)
    case .bool: putOther(cell.bits, isBool: true, to: &bytes)
    case .null, .missing: putNull(to: &bytes)
    }
  }

  @inline(never)
  private func putOther(_ bits: Int64, isBool: Bool, to bytes: inout [UInt8]) {
    flush(&bytes)
    JSONWriter.append(isBool ? .bool(bits != 0) : .uint(UInt64(bitPattern: bits)), to: &bytes)
  }

  @inline(never)
  private func putNull(to bytes: inout [UInt8]) {
    flush(&bytes)
    JSONWriter.append(.null, to: &bytes)
  }
}

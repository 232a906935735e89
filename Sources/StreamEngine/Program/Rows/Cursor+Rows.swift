import StreamCore

// Operations on fields of rows, the counterparts of those on fields of records.

extension Cursor {
  /// The field of the current row that the operation names.
  @inline(__always)
  private var cell: UnsafePointer<FieldCell>? {
    frame._withUnsafeGuaranteedRef { $0.coldState?.pointee.rowCells }.map { $0 + Int(immediate) }
  }

  @inline(__always)
  func rowField(_ read: (UnsafePointer<FieldCell>) -> Int64?) -> Int {
    guard let cell else { return leave() }
    return write(ifAny: read(cell))
  }

  @inline(__always)
  func rowValue() -> Int {
    guard let cell, cell.pointee.isThere else { return leave() }
    return perform { $0.putRowField(Int($1.immediate), in: $1.a) }
  }

  @inline(__always)
  func needRowField() -> Int {
    guard let cell, cell.pointee.isThere else { return leave() }
    return proceed()
  }

  // MARK: Ends

  @inline(__always)
  func emitRow() -> Int {
    frame._withUnsafeGuaranteedRef { $0.outputKind = ProgramInstance.inputOutput }
    return c
  }

  @inline(__always)
  func emitRowRecord() -> Int {
    frame._withUnsafeGuaranteedRef { frame in
      frame.outputKind = ProgramInstance.rowRecordOutput
      frame.outputBits = immediate
    }
    return c
  }
}

/// Scalars as the bits of a slot; nil if the field has another type.
extension UnsafePointer<FieldCell> {
  @inline(__always)
  var int: Int64? {
    if case .int = pointee.kind { return pointee.bits }
    return nil
  }

  @inline(__always)
  var double: Int64? {
    if case .double = pointee.kind { return pointee.bits }
    return nil
  }

  @inline(__always)
  var bool: Int64? {
    if case .bool = pointee.kind { return pointee.bits }
    return nil
  }
}

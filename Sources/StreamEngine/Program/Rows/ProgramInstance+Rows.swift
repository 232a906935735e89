@_spi(Engine) package import StreamCore

/// A record that a run on a row has emitted, and that is not created.
package enum RowOutput {
  /// The record that the row represents.
  case input
  /// A record of other fields.
  case record(OutputRecord)
}

extension ProgramInstance {
  /// Returns a frame of the same program with the same cell contents that also takes rows; nil if the program does more
  /// with its input than read fields and emit it unchanged.
  package func readingRows() -> ProgramInstance? {
    guard let body = program.readingRows() else { return nil }
    return continued(in: Program(body: body))
  }

  /// The names of the fields in the order of a row's cells; nil if the frame takes no rows.
  package var rowFields: [String]? { program.rows?.fields }

  /// Whether the next input may be a row, provided that the program takes rows.
  @inline(__always)
  package var takesRows: Bool { !isGeneric && !hasMisfit }

  /// Runs the program for each row from the current one on, until a run does more than drop its row, or the frame takes
  /// no rows for the time being. A row with another outcome remains the current row. If parts run as their plans, which
  /// may take long, returns after a number of rows, so that the host can stop between them.
  package func run(_ rows: LineRows) throws(ProgramFailure) -> ProgramOutcome {
    precondition(program.rows != nil, "a program takes rows that was made for them")
    needValues()
    // The bits lent for an earlier run may be invalid.
    returnInput()
    let coldState = ensureColdState()
    coldState.pointee.rows = Unmanaged.passUnretained(rows)
    coldState.pointee.outputs = program.rows.map { UnsafePointer($0.outputs.fields) }
    let (start, progress, width) = (code + program.count, rows.progress, rows.width)
    var row = UnsafePointer(progress.pointee.cells + progress.pointee.current * width)
    let end = min(progress.pointee.count, progress.pointee.current + mostInputs)
    while progress.pointee.current < end, takesRows {
      coldState.pointee.rowCells = row
      let last = execute(start)
      if last.code != ProgramOutcome.dropped.rawValue {
        let outcome = last.isPlain ? last.outcome : try finishRow(last)
        if outcome != .dropped { return outcome }
      }
      progress.pointee.current += 1
      row += width
    }
    return .dropped
  }

  /// Maximum number of inputs before control returns to the host: fewer if parts run as plans, since each plan may take
  /// millions of steps.
  package var mostInputs: Int { isGeneric || program.runsPlans ? 64 : 65_536 }

  @inline(never)
  private func finishRow(_ end: End) throws(ProgramFailure) -> ProgramOutcome {
    // NB: The reader owns the lent record.
    guard let outcome = finish(end, values[program.inputRegister]) else { throw takeFailure() }
    return outcome
  }

  /// The record that the last run has emitted for a row; nil for other outputs.
  package var rowOutput: RowOutput? {
    outputKind == Self.inputOutput ? .input : outputRecord.map(RowOutput.record)
  }

  private var rows: Unmanaged<LineRows>? { coldState?.pointee.rows }

  /// The record that the last run emitted for a row without creating it; nil for other outputs.
  private var outputRecord: OutputRecord? {
    guard outputKind == Self.rowRecordOutput, let coldState, let rows = coldState.pointee.rows,
      let outputs = coldState.pointee.outputs
    else { return nil }
    return OutputRecord(outputs[Int(outputBits)], values: values, slots: slots, rows: rows)
  }

  /// Creates an output that is not in a register.
  @inline(never)
  func makeOutput() -> Value {
    switch outputKind {
    case Self.rowRecordOutput: return outputRecord?.value ?? .null
    case Self.inputOutput:
      lendRow()
      return values[program.inputRegister]
    default: return hasValues ? values[program.tables.valueCount] : .null
    }
  }

  /// Lends the current row's record to the register of the input.
  @inline(never)
  func lendRow() {
    if let record = rows?._withUnsafeGuaranteedRef({ $0.record() }) { copyBits(record) }
  }

  @inline(never)
  func putRowField(_ cell: Int, in register: Int) {
    rows?._withUnsafeGuaranteedRef { $0.put(cell, into: values + register) }
  }
}

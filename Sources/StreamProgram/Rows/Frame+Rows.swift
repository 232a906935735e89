package import StreamCore

/// What a run on a row has given.
package enum RowOutput {
  /// The record that the row is of.
  case input
  /// A record that has not been made.
  case record(OutputRecord)
  case value(Value)
}

extension Frame {
  /// A frame of the same program, with what the cells hold, that takes rows too; nil where the program does more with its
  /// input than to look at fields.
  package func readingRows() -> Frame? {
    guard let body = program.readingRows() else { return nil }
    return continued(in: Program(body: body))
  }

  /// The fields of rows, by their numbers in a row; nil where the frame takes none.
  package var rowFields: [String]? { program.rows?.fields }

  /// Whether the next input may be a row, where the program takes rows.
  @inline(__always)
  package var takesRows: Bool { !isGeneric && !hasMisfit }

  /// Runs the program for one row after the other, from the one at work on, until something comes of one, or there are
  /// no more, or the frame takes none for the time being: what comes of a row is told while it is at work. Where parts run
  /// as their plans, which may take long, a run ends after some rows, so that its host can stop between them.
  package func run(_ rows: LineRows) throws(ProgramFailure) -> ProgramOutcome {
    precondition(program.rows != nil, "a program takes rows that was made for them")
    needValues()
    // What was lent for a run before may be gone.
    giveBack()
    let aside = madeAside
    aside.pointee.rows = Unmanaged.passUnretained(rows)
    aside.pointee.outputs = program.rows.map { UnsafePointer($0.outputs.fields) }
    let (start, progress, width) = (code + program.count, rows.progress, rows.width)
    var row = UnsafePointer(progress.pointee.cells + progress.pointee.current * width)
    let end = min(progress.pointee.count, progress.pointee.current + mostInputs)
    while progress.pointee.current < end, takesRows {
      aside.pointee.rowCells = row
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

  /// How many inputs a run takes before its host is asked again: fewer where parts run as their plans, each of which may
  /// take millions of steps.
  package var mostInputs: Int { isGeneric || program.runsPlans ? 64 : 65_536 }

  @inline(never)
  private func finishRow(_ end: End) throws(ProgramFailure) -> ProgramOutcome {
    // What was lent is the reader's.
    guard let outcome = finish(end, values[program.inputHome]) else { throw takeFailure() }
    return outcome
  }

  /// What the last run, which was on a row, ended with.
  package var rowOutput: RowOutput {
    switch outputKind {
    case Self.inputOutput: .input
    case Self.rowRecordOutput: outputRecord.map(RowOutput.record) ?? .value(.null)
    default: .value(output)
    }
  }

  private var rows: Unmanaged<LineRows>? { aside?.pointee.rows }

  /// The record that the last run, which was on a row, ended with, if it has not been made.
  package var outputRecord: OutputRecord? {
    guard outputKind == Self.rowRecordOutput, let aside, let rows = aside.pointee.rows,
      let outputs = aside.pointee.outputs
    else { return nil }
    return OutputRecord(outputs[Int(outputBits)], values: values, slots: slots, rows: rows)
  }

  /// What there is of an output that is not in a register.
  @inline(never)
  func makeOutput() -> Value {
    switch outputKind {
    case Self.rowRecordOutput: return outputRecord?.value ?? .null
    case Self.inputOutput:
      lendRow()
      return values[program.inputHome]
    default: return hasValues ? values[program.tables.valueCount] : .null
    }
  }

  /// Lends the record that the row is of to the register of the input.
  @inline(never)
  func lendRow() {
    if let record = rows?._withUnsafeGuaranteedRef({ $0.record() }) { copyBits(record) }
  }

  @inline(never)
  func putRowField(_ cell: Int, in register: Int) {
    rows?._withUnsafeGuaranteedRef { $0.put(cell, into: values + register) }
  }
}

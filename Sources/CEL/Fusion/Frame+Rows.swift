package import StreamCore

/// What a run on a row has given.
package enum RowOutput {
  /// The record that the row is of.
  case input
  /// A record that has not been made.
  case fields(OutputFields, of: UnsafePointer<Value>)
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

  /// Runs the program for the row that was read last, where `takesRows`.
  package func run(row: JSONLineReader) throws(ProgramFailure) -> ProgramOutcome {
    needValues()
    precondition(program.rows != nil, "a program takes rows that was made for them")
    let aside = madeAside
    aside.pointee.rowSource = Unmanaged.passUnretained(row)
    aside.pointee.rowCells = UnsafePointer(row.cells)
    var delivery = SingleRun()
    let end = execute(code + program.count, &delivery)
    return end.isPlain ? end.outcome : try finishRow(end)
  }

  @inline(never)
  private func finishRow(_ end: End) throws(ProgramFailure) -> ProgramOutcome {
    // What was lent is the reader's.
    try finish(end, values[program.inputHome])
  }

  /// What the last run, which was on a row, ended with.
  package var rowOutput: RowOutput {
    switch outputKind {
    case Self.inputOutput: .input
    case Self.recordOutput: outputFields.map { .fields($0, of: values) } ?? .value(.null)
    default: .value(output)
    }
  }

  private var rowSource: Unmanaged<JSONLineReader>? { aside?.pointee.rowSource }

  private var outputFields: OutputFields? { program.rows?.outputs[Int(outputBits)] }

  /// What there is of an output that is not in a register.
  @inline(never)
  func makeOutput() -> Value {
    switch outputKind {
    case Self.recordOutput: return outputFields?.record(of: values) ?? .null
    case Self.inputOutput:
      lendRow()
      return values[program.inputHome]
    default: return hasValues ? values[program.tables.valueCount] : .null
    }
  }

  /// Lends the record that the row is of to the register of the input.
  @inline(never)
  func lendRow() {
    if let record = rowSource?._withUnsafeGuaranteedRef({ $0.recordOfRow() }) { copyBits(record) }
  }

  @inline(never)
  func putRowField(_ cell: Int, in register: Int) {
    rowSource?._withUnsafeGuaranteedRef { $0.put(cell, into: values + register) }
  }
}

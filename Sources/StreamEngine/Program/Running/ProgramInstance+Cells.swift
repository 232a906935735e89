import CEL
public import StreamCore

/// A cell that the host sets between runs: one of the inputs of a program with several inputs.
@_spi(Engine) public struct CellInput: Sendable {
  @usableFromInline let scalar: Scalar?
  @usableFromInline let slot: Int
  let boxedRegister: Int

  fileprivate var part: Part { scalar.map { Part.scalar($0, slot) } ?? Part(.value(boxedRegister)) }
}

/// A cell that a program resets, with its initial value.
enum InitialCell: Sendable {
  /// A cell with a slot in the typed half; `bits` is nil if the initial value does not fit the slot.
  case scalar(slot: Int, bits: Int64?, number: Int)
  case boxed(boxedRegister: Int, initial: Value)

  init(_ cell: Cell, number: Int) {
    guard let scalar = ScalarCell(cell) else {
      self = .boxed(boxedRegister: cell.boxedRegister, initial: cell.initial)
      return
    }
    self = .scalar(slot: scalar.slot, bits: scalar.fits ? scalar.bits : nil, number: number)
  }
}

extension Program {
  /// Returns a cell as an input.
  public func input(_ cell: Operand) -> CellInput {
    let record = body.tables.record(of: cell)
    precondition(record.isCell, "only a cell can be set")
    if case .scalar(let scalar, let slot) = record.part.location {
      return CellInput(scalar: scalar, slot: slot, boxedRegister: record.boxedRegister)
    }
    return CellInput(scalar: nil, slot: 0, boxedRegister: record.boxedRegister)
  }
}

@_spi(Engine) extension ProgramInstance {
  /// Puts a value into an input.
  @inlinable @inline(__always)
  public func put(_ value: Value, in cell: CellInput) {
    if !isGeneric {
      if case .int(let number) = value, case .int? = cell.scalar { return slots[cell.slot] = number }
      if case .double(let number) = value, case .double? = cell.scalar {
        return slots[cell.slot] = Int64(bitPattern: number.bitPattern)
      }
    }
    putOther(value, in: cell)
  }

  @usableFromInline @inline(never)
  func putOther(_ value: Value, in cell: CellInput) {
    if cell.scalar == nil, !isGeneric {
      needValues()
      values[cell.boxedRegister] = value
    } else {
      put(value, into: cell.part, cell.boxedRegister)
    }
  }

  /// Resets cells within a run. Returns false if an initial value does not fit the typed half.
  @inline(never)
  func resetCells() -> Bool {
    for cell in program.initialCells {
      switch cell {
      case .scalar(let slot, let bits, _) where !isGeneric:
        guard let bits else { return false }
        slots[slot] = bits
      case .scalar(_, _, let number):
        values[program.tables.cells[number].boxedRegister] = program.tables.cells[number].initial
      case .boxed(let boxedRegister, let initial): values[boxedRegister] = initial
      }
    }
    return true
  }

  /// Resets the cells of the inner stream, between two runs.
  public func resetCellsOfStream() {
    for cell in program.tables.cells[program.tables.firstReset...] {
      put(cell.initial, into: cell.part, cell.boxedRegister)
    }
  }

  /// Returns the content of an input.
  public func content(of cell: CellInput) -> Value {
    content(of: cell.part, cell.boxedRegister) { cell.scalar?.value(0) ?? .null }
  }

  /// Puts a value into an input, runs a program whose only inputs are cells, and replaces the value with the output. If
  /// the run fails, the input keeps its previous value.
  public func run(replacing value: inout Value, in cell: CellInput) throws(ProgramFailure) {
    if !isGeneric, cell.scalar == .int, case .int(let number) = value {
      try run(replacing: number, in: cell.slot, &value)
    } else if !isGeneric, cell.scalar == .double, case .double(let number) = value {
      try run(replacing: number.bits, in: cell.slot, &value)
    } else {
      let before = content(of: cell)
      putOther(value, in: cell)
      do throws(ProgramFailure) {
        try runCells(&value)
      } catch {
        put(before, in: cell)
        throw error
      }
    }
  }

  @inline(__always)
  private func run(replacing bits: Int64, in slot: Int, _ value: inout Value) throws(ProgramFailure) {
    let before = slots[slot]
    slots[slot] = bits
    do throws(ProgramFailure) {
      try runCells(&value)
    } catch {
      // The run has not changed the cells, so `finish` has returned to the typed half.
      slots[slot] = before
      throw error
    }
  }

  @inline(never)
  private func runCells(_ value: inout Value) throws(ProgramFailure) {
    needValues()
    if isGeneric { countLeaving() }
    let end = execute(isGeneric ? program.genericCode : code)
    if !end.isPlain, finish(end, .null) == nil { throw takeFailure() }
    if outputKind == Scalar.int.rawValue { value = .int(outputBits) } else { value = output }
  }

  /// Whether the next run begins in the generic half: the typed half does not support the type of an input.
  @inlinable public var isOutOfType: Bool { isGeneric }
}

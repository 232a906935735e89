public import StreamCore

/// A cell that is filled from outside between one run and the next: an input of a program that has many.
public struct CellInput: Sendable {
  let scalar: Scalar?
  let slot: Int
  let home: Int

  fileprivate var part: Part { scalar.map { Part.scalar($0, slot) } ?? Part(.value(home)) }
}

extension Program {
  /// A cell as an input.
  public func input(_ cell: Operand) -> CellInput {
    let record = body.tables.record(of: cell)
    precondition(record.isCell, "only a cell can be set")
    if case .scalar(let scalar, let slot) = record.part.location {
      return CellInput(scalar: scalar, slot: slot, home: record.home)
    }
    return CellInput(scalar: nil, slot: 0, home: record.home)
  }
}

extension Frame {
  /// Puts a value into an input.
  public func put(_ value: Value, in cell: CellInput) {
    if !isGeneric {
      if cell.scalar == .int, case .int(let number) = value {
        slots[cell.slot] = number
        return
      }
      if cell.scalar == .double, case .double(let number) = value {
        slots[cell.slot] = number.bits
        return
      }
    }
    putOther(value, in: cell)
  }

  @inline(never)
  private func putOther(_ value: Value, in cell: CellInput) {
    if cell.scalar == nil, !isGeneric {
      needValues()
      values[cell.home] = value
    } else {
      put(value, into: cell.part, cell.home)
    }
  }

  /// What an input holds.
  public func content(of cell: CellInput) -> Value {
    content(of: cell.part, cell.home) { cell.scalar?.value(0) ?? .null }
  }

  /// Puts a value into an input, and runs a program that is given nothing but what its cells hold; nil where that fails.
  /// Where it fails with a site the input holds what it did before.
  public func attempt(putting value: Value, in cell: CellInput, unless site: Int) -> ProgramOutcome? {
    if !isGeneric {
      if cell.scalar == .int, case .int(let number) = value {
        return attempt(putting: number, in: cell.slot, unless: site)
      }
      if cell.scalar == .double, case .double(let number) = value {
        return attempt(putting: number.bits, in: cell.slot, unless: site)
      }
    }
    return attempt(puttingOther: value, in: cell, unless: site)
  }

  @inline(__always)
  private func attempt(putting bits: Int64, in slot: Int, unless site: Int) -> ProgramOutcome? {
    let before = slots[slot]
    slots[slot] = bits
    let end = execute(code)
    if end.isPlain { return end.outcome }
    if let outcome = finish(end, .null) { return outcome }
    // Where the failure is told the typed half goes on: the cells have not changed.
    if failure?.site == site { slots[slot] = before }
    return nil
  }

  @inline(never)
  private func attempt(puttingOther value: Value, in cell: CellInput, unless site: Int) -> ProgramOutcome? {
    let before = content(of: cell)
    putOther(value, in: cell)
    needValues()
    if isGeneric { countLeaving() }
    let end = execute(isGeneric ? program.genericCode : code)
    if end.isPlain { return end.outcome }
    if let outcome = finish(end, .null) { return outcome }
    if failure?.site == site { put(before, in: cell) }
    return nil
  }

  /// Puts a value into an input, runs a program that is given nothing but what its cells hold, and puts its output in the
  /// value's place. Where the run fails the input holds what it did before.
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
      // Where the failure is told the typed half goes on: the cells have not changed.
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

  /// Whether the next run begins in the generic half: an input is of another type than the typed one is made for.
  @inlinable public var isOutOfType: Bool { isGeneric }
}

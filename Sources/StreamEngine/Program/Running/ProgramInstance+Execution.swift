import StreamCore

extension ProgramInstance {
  /// Runs operations until an end. After a failure, `failure` has the reason.
  @inline(__always)
  func execute(_ start: UnsafePointer<Operation>) -> End {
    proceed(start.pointee.handler(start, slots, Unmanaged.passUnretained(self).toOpaque()))
  }

  /// Resumes a run at each pause, until an end.
  @inline(__always)
  func proceed(_ result: Int) -> End {
    var result = result
    while result > End.last { result = resume(result) }
    return End(code: UInt8(truncatingIfNeeded: result))
  }

  /// Resumes a run at the operation at an address.
  ///
  /// NB: A handler returned the address, which is that of an operation of the program.
  @inline(never)
  private func resume(_ address: Int) -> Int {
    guard let operation = UnsafePointer<Operation>(bitPattern: address) else { return Int(End.failed.code) }
    let place = operation - code
    // Not with the operation's own handler, which may be the handler that paused.
    return Operation(program.instructions[place], at: place).handler(
      operation, slots, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Returns the bool in a boxed register; nil for another value, with `failure` set.
  @inline(never)
  func truth(_ register: Int, _ site: Int64) -> Bool? {
    if case .bool(let flag) = values[register] { return flag }
    failure = ProgramFailure(.noBool(values[register]), site: Int(site))
    return nil
  }

  @inline(never)
  func count(_ register: Int) {
    if case .int(let number) = values[register] { values[register] = .int(number &+ 1) }
  }

  @inline(never)
  func emitValue(_ register: Int) {
    outputKind = Self.boxedOutput
    move(register, to: program.tables.valueCount)
  }

  /// Creates the record in the run: the register of the input holds lent bits, which are invalid after the run.
  @inline(never)
  func emitRecord(_ index: Int64) {
    outputKind = Self.boxedOutput
    makeRecord(index, in: program.tables.valueCount)
  }
}

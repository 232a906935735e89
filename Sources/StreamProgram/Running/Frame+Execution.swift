import StreamCore

extension Frame {
  /// Carries out operations until an end; where that is a failure, `failure` tells which.
  @inline(__always)
  func execute(_ start: UnsafePointer<Operation>) -> End {
    goOn(start.pointee.handler(start, slots, Unmanaged.passUnretained(self).toOpaque()))
  }

  /// Goes on where a handler paused, until an end.
  @inline(__always)
  func goOn(_ result: Int) -> End {
    var result = result
    while result > End.last { result = resume(result) }
    return End(code: UInt8(truncatingIfNeeded: result))
  }

  /// Goes on with the operation at an address, after a pause.
  ///
  /// NB: the address came from a handler, and is that of an operation of the program.
  @inline(never)
  private func resume(_ address: Int) -> Int {
    guard let operation = UnsafePointer<Operation>(bitPattern: address) else { return Int(End.failed.code) }
    let place = operation - code
    // Not by its own handler, which may be the one that paused.
    return Operation(program.instructions[place], at: place).handler(
      operation, slots, Unmanaged.passUnretained(self).toOpaque())
  }

  /// The truth in a boxed register, or nil, with the failure noted.
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
}

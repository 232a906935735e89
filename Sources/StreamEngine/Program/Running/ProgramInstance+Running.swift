import CEL
public import StreamCore

@_spi(Engine) extension ProgramInstance {
  /// Runs the program from its beginning.
  public func run(_ input: Value = .null) throws(ProgramFailure) -> ProgramOutcome {
    guard let outcome = attempt(input) else { throw takeFailure() }
    return outcome
  }

  /// Runs another entry of the program. Returns nil if the run fails.
  ///
  /// - Parameter entry: The number of the entry, from 1.
  public func attempt(entry: Int) -> ProgramOutcome? {
    needValues()
    if isGeneric { countLeaving() }
    let place = program.tables.entries[entry - 1]
    runningEntry = Int32(entry)
    let end = execute(code + (isGeneric ? place.generic : place.typed))
    runningEntry = 0
    return end.isPlain ? end.outcome : finish(end, .null)
  }

  /// Returns the failure of the last run, which must have failed, and clears it.
  public func takeFailure() -> ProgramFailure {
    guard let failure else { preconditionFailure("a failure is taken after a run that failed") }
    self.failure = nil
    return failure
  }

  /// Sets the input of a failed run on a row, for the failure's message.
  public func setFailedInput(_ input: Value) { failedInput = input }

  @inline(never)
  func begin(_ input: Value) -> UnsafePointer<Operation> { withUnsafePointer(to: input) { begin(at: $0) } }

  /// Stores an input of one of the rarer kinds. Returns the operation where the run begins.
  @inline(never)
  func begin(at input: UnsafePointer<Value>) -> UnsafePointer<Operation> {
    if entry == .uint, case .uint(let number) = input.pointee {
      slots[0] = Int64(bitPattern: number)
    } else if entry == .bool, case .bool(let flag) = input.pointee {
      slots[0] = flag ? 1 : 0
    } else {
      return borrow(input)
    }
    return code
  }

  /// Lends the bits of a boxed input to its register for the duration of the run, without reference counting. Returns
  /// the operation where the run begins.
  ///
  /// NB: Only lending writes to this register, apart from a side exit of a typed half with scalar input, for which the
  /// register holds no reference. So lent bits are never released; they are not read after the run.
  @inline(never)
  func borrow(_ input: UnsafePointer<Value>) -> UnsafePointer<Operation> {
    needValues()
    // The typed half does not support the type of the input.
    if !isGeneric && program.entry != .boxed {
      boxCells()
      isGeneric = true
    }
    if isGeneric { countLeaving() }
    if program.inputRegister >= 0 { copyBits(input) }
    return isGeneric ? program.genericCode : code
  }

  @inline(__always)
  func copyBits(_ input: UnsafePointer<Value>) {
    UnsafeMutableRawPointer(values + program.inputRegister).copyMemory(from: input, byteCount: MemoryLayout<Value>.size)
  }

  /// Clears the input's register without releasing the lent bits.
  func returnInput() {
    if hasValues, program.inputRegister >= 0 { (values + program.inputRegister).initialize(to: .null) }
  }

  /// Finishes a run that failed, or ended in the generic half. Returns nil if it failed.
  @inline(never)
  func finish(_ end: End, _ input: Value) -> ProgramOutcome? {
    returnInput()
    if isGeneric { settle() }
    if failure == nil { return end.outcome }
    failedInput = input
    return nil
  }

  // MARK: Side exits

  /// Takes a side exit: undoes what the run has written, and copies the cells and the input to their boxed registers.
  /// Returns the operation where the run begins again.
  @inline(never)
  func leave(_ operation: UnsafePointer<Operation>) -> UnsafePointer<Operation> {
    countLeaving()
    needValues()
    var place = operation - code
    if place >= program.count {
      place -= program.count
      lendRow()
    }
    precondition(place < program.genericStart, "nothing leaves the generic half")
    for undo in program.tables.undos where undo.place < place { restore(undo.cell) }
    boxCells()
    if let scalar = program.entry.scalar { values[program.inputRegister] = scalar.value(slots[0]) }
    isGeneric = true
    return runningEntry == 0 ? program.genericCode : code + program.tables.entries[Int(runningEntry) - 1].generic
  }

  private func restore(_ cell: Undo.Cell) {
    switch cell {
    case .counter(let slot): slots[slot] &-= 1
    case .slot(let slot, let copy): slots[slot] = slots[copy]
    case .value(let boxedRegister, let copy): values[boxedRegister] = values[copy]
    }
  }

  // MARK: Expressions that run as their plans

  /// Evaluates a whole expression. Returns false if it fails.
  @inline(never)
  func evaluate(_ operation: Operation) -> Bool {
    let evaluation = program.tables.evaluations[Int(operation.immediate)]
    return activation._withUnsafeGuaranteedRef { activation in
      activation.prepare(for: evaluation.body)
      bind(evaluation, activation)
      defer { slots[Int(operation.c)] = Int64(activation.steps) }
      do throws(EvaluationError) {
        values[Int(operation.a)] = try evaluation.body.evaluate(activation)
        return true
      } catch {
        failure = ProgramFailure(.evaluation(error), site: evaluation.site)
        return false
      }
    }
  }

  /// Calls a function of two values. Returns false if it refuses them.
  @inline(never)
  func apply(_ operation: Operation) -> Bool {
    let function = program.tables.functions[Int(operation.immediate & 0xFFFF_FFFF)]
    let (left, right) = (values[Int(operation.b)], values[Int(operation.c)])
    guard let result = function.body(left, right) else {
      failure = ProgramFailure(.refused(left, right), site: Int(operation.immediate >> 32))
      return false
    }
    values[Int(operation.a)] = result
    return true
  }

  @inline(never)
  func prepare(_ index: Int64) {
    let evaluation = program.tables.evaluations[Int(index)]
    activation._withUnsafeGuaranteedRef { activation in
      activation.prepare(for: evaluation.body)
      bind(evaluation, activation)
    }
  }

  private func bind(_ evaluation: Evaluation, _ activation: Activation) {
    var elements: [Value] = []
    for binding in program.tables.bindings(of: evaluation) {
      let value = binding.scalar?.value(slots[binding.register]) ?? values[binding.register]
      switch binding.element {
      case .none: activation.set(value, at: binding.slot)
      case .inner: elements.append(value)
      case .last:
        activation.set(.list(elements + [value]), at: binding.slot)
        elements = []
      }
    }
  }

  @inline(never)
  func bind(_ register: Int, at slot: Int64) {
    activation._withUnsafeGuaranteedRef { $0.bind(values[register], at: Int(slot)) }
  }

  @inline(never)
  func bind(_ bits: Int64, _ scalar: Int, at slot: Int64) {
    let value = (Scalar(rawValue: UInt8(truncatingIfNeeded: scalar)) ?? .int).value(bits)
    activation._withUnsafeGuaranteedRef { $0.bind(value, at: Int(slot)) }
  }

  /// Evaluates a part of an expression. Returns false if it fails.
  @inline(never)
  func call(_ operation: Operation) -> Bool {
    let node = program.tables.nodes[Int(operation.immediate)]
    return activation._withUnsafeGuaranteedRef { activation in
      let budget = activation.stepsLeft
      defer { slots[Int(operation.c)] = Int64(budget - activation.stepsLeft) }
      do throws(EvaluationError) {
        switch operation.opcode {
        case .callInt: slots[Int(operation.a)] = try node.evaluateInt(activation)
        case .callDouble: slots[Int(operation.a)] = try node.evaluateDouble(activation).bits
        case .callBool: slots[Int(operation.a)] = try node.evaluateBool(activation) ? 1 : 0
        default: values[Int(operation.a)] = try node.evaluate(activation)
        }
        return true
      } catch {
        return false
      }
    }
  }

  /// Charges the cost of a common subexpression. Returns false if too few steps are left.
  @inline(never)
  func charge(_ cost: Int64) -> Bool {
    activation._withUnsafeGuaranteedRef { activation in
      activation.stepsLeft &-= Int(cost)
      return activation.stepsLeft >= 0
    }
  }

  // MARK: Boxed values

  @inline(never)
  func move(_ source: Int, to target: Int) { values[target] = values[source] }

  @inline(never)
  func box(_ bits: Int64, _ scalar: Int64, to target: Int) {
    values[target] = (Scalar(rawValue: UInt8(truncatingIfNeeded: scalar)) ?? .int).value(bits)
  }

  @inline(never)
  func equal(_ left: Int, _ right: Int) -> Bool {
    if case .string = values[left], hasSameBits(left, right) { return true }
    return values[left].isEqual(to: values[right])
  }

  /// Whether two registers hold the same bits. Such values are equal, except for NaN.
  @inline(__always)
  private func hasSameBits(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (UnsafeRawPointer(values + left), UnsafeRawPointer(values + right))
    for offset in stride(from: 0, to: MemoryLayout<Value>.size & ~7, by: 8)
    where a.load(fromByteOffset: offset, as: UInt64.self) != b.load(fromByteOffset: offset, as: UInt64.self) {
      return false
    }
    for offset in MemoryLayout<Value>.size & ~7..<MemoryLayout<Value>.size
    where a.load(fromByteOffset: offset, as: UInt8.self) != b.load(fromByteOffset: offset, as: UInt8.self) {
      return false
    }
    return true
  }

  /// Returns whether two values are equal; nil for values that may have many parts or bytes, which the plan charges
  /// for.
  @inline(never)
  func plainlyEqual(_ left: Int, _ right: Int) -> Bool? {
    if case .string = values[left], hasSameBits(left, right) { return true }
    return switch (values[left], values[right]) {
    case (.list, .list), (.map, .map), (.opaque, .opaque): nil
    case (.string(let a), .string(let b)):
      if a.utf8.count != b.utf8.count { false } else { a.utf8.count > Value.freeBytes ? nil : a.isSameText(as: b) }
    case (.bytes(let a), .bytes(let b)):
      if a.count != b.count { false } else { a.count > Value.freeBytes ? nil : a == b }
    case (let a, let b): a.isEqual(to: b)
    }
  }

  @inline(never)
  func isTooDeep(_ operation: Operation) -> Bool {
    let levels = Int(operation.immediate >> 32)
    guard values[Int(operation.a)].isDeeper(than: levels) else { return false }
    failure = ProgramFailure(.tooDeep(levels), site: Int(operation.immediate & 0x7FFF_FFFF))
    return true
  }
}

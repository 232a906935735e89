import CEL
public import StreamCore

extension Frame {
  /// Runs the program from its beginning.
  public func run(_ input: Value = .null) throws(ProgramFailure) -> ProgramOutcome {
    guard let outcome = attempt(input) else { throw takeFailure() }
    return outcome
  }

  /// Runs another entry of the program; nil if that fails.
  ///
  /// - Parameter entry: The number of the entry, from 1.
  public func attempt(entry: Int) -> ProgramOutcome? {
    needValues()
    if isGeneric { countLeaving() }
    let place = program.tables.entries[entry - 1]
    let end = execute(code + (isGeneric ? place.generic : place.typed))
    return end.isPlain ? end.outcome : finish(end, .null)
  }

  /// Why the last run failed, which did; told once.
  public func takeFailure() -> ProgramFailure {
    guard let failure else { preconditionFailure("a failure is taken after a run that failed") }
    self.failure = nil
    return failure
  }

  /// Sets the input of a failed run on a row, for the failure's message.
  public func tellInput(_ input: Value) { failedInput = input }

  @inline(never)
  func begin(_ input: Value) -> UnsafePointer<Operation> { withUnsafePointer(to: input) { begin(at: $0) } }

  /// Takes an input of one of the rarer kinds, and tells where its run begins.
  @inline(never)
  func begin(at input: UnsafePointer<Value>) -> UnsafePointer<Operation> {
    if entry == .uint, case .uint(let number) = input.pointee {
      slots[0] = Int64(bitPattern: number)
    } else if entry == .bool, case .bool(let flag) = input.pointee {
      slots[0] = flag ? 1 : 0
    } else {
      return lend(input)
    }
    return code
  }

  /// Lends a boxed input's bits to its register for as long as the run takes, without counting a reference, and tells
  /// where the run begins.
  ///
  /// NB: nothing but this writes there, apart from an exit of a typed half that takes scalars, for which the register is
  /// null. So bits that were lent are never released; after a run nobody looks at them.
  @inline(never)
  func lend(_ input: UnsafePointer<Value>) -> UnsafePointer<Operation> {
    needValues()
    // An input that the typed half is not made for.
    if !isGeneric && program.entry != .boxed {
      cellsToHomes()
      isGeneric = true
    }
    if isGeneric { countLeaving() }
    if program.inputHome >= 0 { copyBits(input) }
    return isGeneric ? program.genericCode : code
  }

  @inline(__always)
  func copyBits(_ input: UnsafePointer<Value>) {
    UnsafeMutableRawPointer(values + program.inputHome).copyMemory(from: input, byteCount: MemoryLayout<Value>.size)
  }

  /// Ends what was lent.
  func giveBack() {
    if hasValues, program.inputHome >= 0 { (values + program.inputHome).initialize(to: .null) }
  }

  /// Ends a run that failed, or ended in the generic half; nil where it failed.
  @inline(never)
  func finish(_ end: End, _ input: Value) -> ProgramOutcome? {
    giveBack()
    if isGeneric { settle() }
    if failure == nil { return end.outcome }
    failedInput = input
    return nil
  }

  // MARK: Leaving

  /// Puts what the generic half needs where it looks for it, and tells where it goes on.
  @inline(never)
  func leave(_ operation: UnsafePointer<Operation>) -> UnsafePointer<Operation> {
    countLeaving()
    needValues()
    settleColumns()
    var place = operation - code
    if place >= program.count {
      place -= program.count
      lendRow()
    }
    precondition(place < program.genericStart, "nothing leaves the generic half")
    let exit = program.tables.exits[Int(program.exitPlaces[place])]
    cellsToHomes()
    for move in program.tables.moves(of: exit) {
      values[move.home] = move.scalar?.value(slots[move.register]) ?? values[move.register]
    }
    isGeneric = true
    return code + exit.target
  }

  // MARK: Parts that run as their plan

  /// A whole expression; false when it fails.
  @inline(never)
  func evaluate(_ operation: Operation) -> Bool {
    let evaluation = program.tables.evaluations[Int(operation.immediate)]
    activation.prepare(for: evaluation.body)
    bind(evaluation)
    defer { slots[Int(operation.c)] = Int64(activation.steps) }
    do throws(EvaluationError) {
      values[Int(operation.a)] = try evaluation.body.evaluate(activation)
      return true
    } catch {
      failure = ProgramFailure(.evaluation(error), site: evaluation.site)
      return false
    }
  }

  /// A function of two values; false when it refuses them.
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
    activation.prepare(for: evaluation.body)
    bind(evaluation)
  }

  private func bind(_ evaluation: Evaluation) {
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
  func bind(_ register: Int, at slot: Int64) { activation.bind(values[register], at: Int(slot)) }

  @inline(never)
  func bind(_ bits: Int64, _ scalar: Int, at slot: Int64) {
    activation.bind((Scalar(rawValue: UInt8(truncatingIfNeeded: scalar)) ?? .int).value(bits), at: Int(slot))
  }

  /// A part of an expression; false when it fails.
  @inline(never)
  func call(_ operation: Operation) -> Bool {
    let node = program.tables.nodes[Int(operation.immediate)]
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

  /// Pays for a part that is shared; false when that is too much.
  @inline(never)
  func charge(_ cost: Int64) -> Bool {
    activation.stepsLeft &-= Int(cost)
    return activation.stepsLeft >= 0
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

  /// Whether two registers hold the same, bit for bit: then they are equal, NaN apart.
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

  /// The same, or nil for what may have many parts or bytes, which the plan pays for.
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

public import StreamCore

extension Frame {
  /// Runs the program from its beginning.
  @inline(__always)
  public func run(_ input: Value = .null) throws(ProgramFailure) -> ProgramOutcome {
    if !isGeneric, let expected = program.scalarInput {
      switch (expected.scalar, input) {
      case (.int, .int(let number)): slots[expected.slot] = number
      case (.double, .double(let number)): slots[expected.slot] = number.bits
      case (.uint, .uint(let number)): slots[expected.slot] = Int64(bitPattern: number)
      case (.bool, .bool(let flag)): slots[expected.slot] = flag ? 1 : 0
      default: return try runBoxed(input, isLeaving: true)
      }
      return try finish(execute(program.code), input)
    }
    return try runBoxed(input, isLeaving: false)
  }

  /// Lends the input's bits to its register for as long as the run takes, without a reference counted.
  private func runBoxed(_ input: Value, isLeaving: Bool) throws(ProgramFailure) -> ProgramOutcome {
    guard let home = program.tables.input?.home else {
      return try finish(execute(isGeneric ? program.genericCode : program.code), input)
    }
    // What the register holds before and after is trivial: nothing is to be released.
    let outcome = withUnsafePointer(to: input) { input in
      UnsafeMutableRawPointer(values + home).copyMemory(from: input, byteCount: MemoryLayout<Value>.size)
      defer { (values + home).initialize(to: .null) }
      if isLeaving { return execute(enterGeneric()) }
      return execute(isGeneric ? program.genericCode : program.code)
    }
    return try finish(outcome, input)
  }

  /// The generic half from its beginning, for an input that the typed half is not made for.
  private func enterGeneric() -> UnsafePointer<Instruction> {
    for cell in program.tables.cells {
      if case .scalar(let scalar, let slot) = cell.part.location { values[cell.home] = scalar.value(slots[slot]) }
    }
    isGeneric = true
    return program.genericCode
  }

  @inline(__always)
  private func finish(_ outcome: ProgramOutcome?, _ input: Value) throws(ProgramFailure) -> ProgramOutcome {
    if isGeneric { settle() }
    if let outcome { return outcome }
    throw failed(with: input)
  }

  @inline(never)
  private func failed(with input: Value) -> ProgramFailure {
    failedInput = input
    defer { failure = nil }
    return failure ?? ProgramFailure(.evaluation(EvaluationError(.expressionFailed, "the program failed")), site: 0)
  }

  // MARK: Leaving

  /// Puts what the generic half needs where it looks for it, and tells where it goes on.
  @inline(never)
  func leave(_ instruction: UnsafePointer<Instruction>) -> UnsafePointer<Instruction> {
    let place = instruction - program.code
    precondition(place < program.genericStart, "nothing leaves the generic half")
    let exit = program.tables.exits[Int(program.exitPlaces[place])]
    for move in exit.moves {
      values[move.home] = move.scalar?.value(slots[move.register]) ?? values[move.register]
    }
    isGeneric = true
    return program.code + exit.target
  }

  // MARK: Parts that run as their plan

  /// A whole expression; false when it fails.
  @inline(never)
  func evaluate(_ instruction: Instruction) -> Bool {
    let evaluation = program.tables.evaluations[Int(instruction.immediate)]
    bind(evaluation)
    do throws(EvaluationError) {
      values[Int(instruction.a)] = try evaluation.plan.evaluate(activation)
      return true
    } catch {
      failure = ProgramFailure(.evaluation(error), site: evaluation.site)
      return false
    }
  }

  @inline(never)
  func prepare(_ index: Int64) {
    let evaluation = program.tables.evaluations[Int(index)]
    activation.prepare(for: evaluation.plan.body)
    bind(evaluation)
  }

  private func bind(_ evaluation: Evaluation) {
    for binding in evaluation.bindings {
      activation.set(
        binding.scalar?.value(slots[binding.register]) ?? values[binding.register], at: binding.slot)
    }
  }

  @inline(never)
  func bind(_ value: Value, at slot: Int64) { activation.slots[Int(slot)] = value }

  /// A part of an expression; false when it fails.
  @inline(never)
  func call(_ instruction: Instruction) -> Bool {
    let node = program.tables.nodes[Int(instruction.immediate)]
    do throws(EvaluationError) {
      switch instruction.opcode {
      case .callInt: slots[Int(instruction.a)] = try node.evaluateInt(activation)
      case .callDouble: slots[Int(instruction.a)] = try node.evaluateDouble(activation).bits
      case .callBool: slots[Int(instruction.a)] = try node.evaluateBool(activation) ? 1 : 0
      default: values[Int(instruction.a)] = try node.evaluate(activation)
      }
      return true
    } catch {
      return false
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
  func equal(_ left: Int, _ right: Int) -> Bool { values[left].isEqual(to: values[right]) }

  /// The same, or nil for what may have many parts.
  @inline(never)
  func plainlyEqual(_ left: Int, _ right: Int) -> Bool? {
    switch (values[left], values[right]) {
    case (.list, .list), (.map, .map), (.opaque, .opaque): nil
    case (let a, let b): a.isEqual(to: b)
    }
  }

  @inline(never)
  func isTooDeep(_ instruction: Instruction) -> Bool {
    let levels = Int(instruction.immediate >> 32)
    guard values[Int(instruction.a)].isDeeper(than: levels) else { return false }
    failure = ProgramFailure(.tooDeep(levels), site: Int(instruction.immediate & 0x7FFF_FFFF))
    return true
  }

  // MARK: Fields

  /// Finds the place of a field, and remembers it for the records to come; nil for what is no map.
  @inline(never)
  func find(_ register: Int, _ cache: Int) -> Int? {
    guard case .map(let map) = values[register] else { return nil }
    let place = map.shape.index(of: program.tables.fields[cache]) ?? -1
    caches[cache] = ShapeCache(shape: map.shape, place: place)
    return place
  }
}

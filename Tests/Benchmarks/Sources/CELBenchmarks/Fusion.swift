import CEL
@_spi(Engine) import StreamCore
@_spi(Engine) import StreamEngine

// W1 and W4 of the project's measurements: the fused program beside plans run one after the other, and by hand.

func fused(_ write: (inout ProgramBuilder) throws -> Void) -> Program {
  do {
    var builder = ProgramBuilder()
    try write(&builder)
    return builder.build()
  } catch {
    preconditionFailure("\(error)")
  }
}

func run(_ frame: ProgramInstance, _ value: Value) -> ProgramOutcome {
  do {
    return try frame.run(value)
  } catch {
    preconditionFailure("\(error)")
  }
}

/// Ints → `× 3` → even → running total → the last.
func measureSums(count: Int) {
  let expected = (0..<Int64(count)).reduce(Int64(0)) { $1 * 3 % 2 == 0 ? $0 + $1 * 3 : $0 }

  let triple: (Int64) -> Int64 = opaque { $0 * 3 }
  let isEven: (Int64) -> Bool = opaque { $0 % 2 == 0 }
  let add: (Int64, Int64) -> Int64 = opaque { $0 + $1 }
  let byHand = nanoseconds(rounds: count, repetitions: fusedRepetitions) { rounds in
    var sum: Int64 = 0
    for value in 0..<Int64(rounds) {
      let tripled = triple(value)
      if isEven(tripled) { sum = add(sum, tripled) }
    }
    precondition(opaque(sum) == expected)
  }
  report("W1, a loop with opaque closures", byHand)

  let tripling = plan("value * 3", [Variable("value", .int)])
  let evenness = plan("value % 2 == 0", [Variable("value", .int)])
  let adding = plan("acc + value", [Variable("value", .int), Variable("acc", .int)])
  let activation = Activation(slotCount: 2)
  let unfused = nanoseconds(rounds: count, repetitions: fusedRepetitions) { rounds in
    var sum = Value.int(0)
    for value in 0..<Int64(rounds) {
      activation.set(.int(value), at: 0)
      let tripled = evaluate(tripling, activation)
      activation.set(tripled, at: 0)
      guard case .bool(true) = evaluate(evenness, activation) else { continue }
      activation.set(tripled, at: 0)
      activation.set(sum, at: 1)
      sum = evaluate(adding, activation)
    }
    precondition(sum == .int(expected))
  }
  report("W1, plans one after the other", unfused, closure: byHand)

  for (name, type) in [("declared", CELType.int), ("likely", .dyn)] {
    let program = fused { builder throws in
      let value = builder.input(type, likely: .int)
      let sum = builder.cell(0, .int)
      let dropped = builder.label()
      let tripled = try builder.add("value * 3", binding: ["value": value])
      builder.branch(unless: try builder.add("value % 2 == 0", binding: ["value": tripled]), to: dropped)
      let next = try builder.add("acc + value", binding: ["value": tripled, "acc": sum])
      builder.store(next, in: sum)
      builder.emit(next)
      builder.place(dropped)
      builder.end()
    }
    if name == "declared" { program.listing.prefix(program.typedCount).forEach { print("    \($0)") } }
    let time = nanoseconds(rounds: count, repetitions: fusedRepetitions) { rounds in
      let frame = ProgramInstance(program, activation: activation)
      var last = Value.null
      for value in 0..<Int64(rounds) where run(frame, .int(value)) == .emitted { last = frame.output }
      precondition(last == .int(expected))
    }
    report("W1, fused, input \(name) to be ints", time, closure: byHand)
  }
}

/// The same where the program keeps the last total itself and emits nothing.
func measureLastSum(count: Int) {
  var total: Operand?
  let program = fused { builder throws in
    let value = builder.input(.int)
    let sum = builder.cell(0, .int)
    total = sum
    let dropped = builder.label()
    let tripled = try builder.add("value * 3", binding: ["value": value])
    builder.branch(unless: try builder.add("value % 2 == 0", binding: ["value": tripled]), to: dropped)
    builder.store(try builder.add("acc + value", binding: ["value": tripled, "acc": sum]), in: sum)
    builder.place(dropped)
    builder.end()
  }
  let expected = (0..<Int64(count)).reduce(Int64(0)) { $1 * 3 % 2 == 0 ? $0 + $1 * 3 : $0 }
  let inputs = (0..<Int64(count)).map(Value.int)
  let time = nanoseconds(rounds: count, repetitions: fusedRepetitions) { _ in
    let frame = ProgramInstance(program, activation: Activation(slotCount: 2))
    let progress = inputs.withUnsafeBufferPointer { frame.run($0) }
    precondition(progress.consumed == count && progress.outcome == .dropped)
    precondition(total.map(frame.value(of:)) == .int(expected))
  }
  report("W1, fused with the last, in one batch", time)
}

/// Records `{t, x, y, z}` → tilt → without repetitions → how many.
func measureTilts(count: Int) {
  let type = CELType.record(["t", "x", "y", "z"].map { RecordField($0, $0 == "t" ? .int : .double) })
  let shape = Shape(names: ["t", "x", "y", "z"])
  let records = (0..<1000).map { index -> Value in
    let z = index % 7 < 3 ? 0.5 : -0.5
    return .map(ValueMap(shape: shape, slots: [.int(Int64(index)), .double(0.5), .double(0.25), .double(z)]))
  }
  let text = "value.z > 0.25 ? 'tiltedDown' : 'notTilted'"
  var expected: Int64 = 0
  var isDown: Bool?
  for index in 0..<count {
    if isDown != (index % 1000 % 7 < 3) { expected += 1 }
    isDown = index % 1000 % 7 < 3
  }

  let tilt: (Value) -> String = opaque { value in
    guard case .map(let map) = value, case .double(let z)? = map["z"] else { return "" }
    return z > 0.25 ? "tiltedDown" : "notTilted"
  }
  let isSame: (String, String) -> Bool = opaque { $0 == $1 }
  let byHand = nanoseconds(rounds: count, repetitions: fusedRepetitions) { rounds in
    var (previous, result) = ("", Int64(0))
    for index in 0..<rounds {
      let current = tilt(records[index % 1000])
      if !isSame(current, previous) { result += 1 }
      previous = current
    }
    precondition(opaque(result) == expected)
  }
  report("W4, a loop with opaque closures", byHand)

  let tilts = plan(text, [Variable("value", type)])
  let activation = Activation(slotCount: 1)
  let unfused = nanoseconds(rounds: count, repetitions: fusedRepetitions) { rounds in
    var (previous, result) = (Value.null, Int64(0))
    for index in 0..<rounds {
      activation.set(records[index % 1000], at: 0)
      let current = evaluate(tilts, activation)
      if !current.isEqual(to: previous) { result += 1 }
      previous = current
    }
    precondition(result == expected)
  }
  report("W4, plan", unfused, closure: byHand)

  let program = fused { builder throws in
    let value = builder.input(type)
    let previous = builder.cell(.null)
    let total = builder.cell(0, .int)
    let (dropped, kept) = (builder.label(), builder.label())
    let tilt = try builder.add(CELExpression(text), binding: ["value": value])
    builder.branch(unless: builder.equal(tilt, previous), to: kept)
    builder.jump(to: dropped)
    builder.place(kept)
    builder.store(tilt, in: previous)
    builder.count(total)
    builder.emit(total)
    builder.place(dropped)
    builder.end()
  }
  program.listing.prefix(program.typedCount).forEach { print("    \($0)") }
  let time = nanoseconds(rounds: count, repetitions: fusedRepetitions) { rounds in
    let frame = ProgramInstance(program, activation: activation)
    var last = Value.null
    for index in 0..<rounds where run(frame, records[index % 1000]) == .emitted { last = frame.output }
    precondition(last == .int(expected))
  }
  report("W4, fused", time, closure: byHand)
}

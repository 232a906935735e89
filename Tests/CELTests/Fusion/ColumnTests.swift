import StreamCore
import Testing

@testable import CEL

/// Many runs at once, column by column, are single runs.
@Suite struct ColumnTests {
  @Test func `what is done by columns is what single runs do`() {
    var random = SeededGenerator(seed: 11)
    var (whole, partial, over) = (0, 0, 0)
    for number in 0..<4_000 {
      let isDouble = number % 4 == 3
      let program = Self.program(&random, isDouble: isDouble)
      if let code = program.body.columnCode { if code.rest == nil { whole += 1 } else { partial += 1 } }
      let values = Self.values(&random, isDouble: isDouble)
      let (single, many) = (Frame(program), Frame(program))
      var rest = values[...]
      while !rest.isEmpty {
        let expected = Self.runSingly(single, rest)
        let actual = rest.withUnsafeBufferPointer { many.run($0) }
        #expect(actual.consumed == expected.consumed && actual.outcome == expected.outcome, "\(program.listing)")
        #expect(Self.cells(of: many) == Self.cells(of: single), "\(program.listing)")
        #expect(many.isGeneric == single.isGeneric, "\(program.listing)")
        if expected.outcome != .dropped, program.body.columnCode != nil { over += 1 }
        rest = rest.dropFirst(max(expected.consumed, 1))
      }
    }
    #expect(whole > 500 && partial > 200 && over > 500, "\(whole) \(partial) \(over)")
  }

  @Test func `whole numbers in a row are the same numbers one by one`() {
    var random = SeededGenerator(seed: 12)
    var used = 0
    for _ in 0..<1_000 {
      let program = Self.program(&random, isDouble: false)
      if program.body.columnCode != nil { used += 1 }
      let first: Int64 = random.pick([0, 1, -300, .max - 900, .min, 1 << 61])
      let step: Int64 = random.pick([1, 1, 2, -3, 1 << 50])
      let values = (0..<random.pick([31, 32, 500, 1_024])).map { Value.int(first &+ Int64($0) &* step) }
      let (single, many) = (Frame(program), Frame(program))
      let expected = Self.runSingly(single, values[...])
      let actual = many.run(from: first, by: step, count: values.count)
      #expect(actual.consumed == expected.consumed && actual.outcome == expected.outcome, "\(program.listing)")
      #expect(Self.cells(of: many) == Self.cells(of: single), "\(program.listing)")
    }
    #expect(used > 200)
  }

  @Test func `a column that may overflow is looked at`() {
    for (first, added, isTooLarge) in [(Int64.max - 600, 100 as Int64, true), (.max - 1_000, 100, false)] {
      let body = Self.body(
        [
          Instruction(.addIntK, a: 1, b: 0, added), Instruction(.branchIfMultiple, a: 1, c: 3, 1),
          Instruction(.move, a: 3, b: 1), Instruction(.end),
        ], isDouble: false)
      let frame = Frame(Program(body: body))
      let progress = frame.run(from: first, by: 1, count: 512)
      #expect(body.columnCode?.rest == nil && body.columnCode != nil)
      #expect(progress.outcome == (isTooLarge ? .finished : .dropped))
      #expect(progress.consumed == (isTooLarge ? 502 : 512))
      #expect(Self.cells(of: frame)[0] == "\(Value.int(isTooLarge ? .max : .max - 390))")
    }
  }

  // MARK: Programs

  /// The input, two numbers on the way, three cells of which the last is a double, and two constants.
  private static let slotCount = 8
  private static let constants: [Int64] = [
    0, 1, -1, 2, 3, 5, 7, 12, -8, 64, 1_000, .max, .min, 1.5.bits, (-0.25).bits, Double.nan.bits,
  ]

  private static let computations: [Opcode] = [
    .addIntK, .addIntK, .multiplyIntK, .addInt, .subtractInt, .multiplyInt, .negateInt, .absoluteInt, .divideIntK,
    .remainderIntK, .move, .not, .lessInt, .equalInt, .lessIntK, .unequalIntK, .greaterOrEqualIntK, .addDouble,
    .subtractDouble, .multiplyDouble, .divideDouble, .addDoubleK, .multiplyDoubleK, .divideDoubleK, .negateDouble,
    .absoluteDouble, .squareRoot, .floor, .ceiling, .round, .truncate, .intToDouble, .lessDouble, .equalDouble,
    .greaterDoubleK, .unequalDoubleK, .lessOrEqualDoubleK, .remainderInt, .divideInt,
  ]

  private static let tests: [Opcode] = [
    .branchIf, .branchUnless, .branchUnlessLessInt, .branchUnlessLessOrEqualInt, .branchUnlessEqualInt,
    .branchUnlessUnequalInt, .branchUnlessLessIntK, .branchUnlessGreaterIntK, .branchUnlessEqualIntK,
    .branchUnlessUnequalIntK, .branchUnlessLessDouble, .branchUnlessLessOrEqualDouble, .branchUnlessLessDoubleK,
    .branchUnlessGreaterDoubleK, .branchUnlessLessOrEqualDoubleK, .branchUnlessGreaterOrEqualDoubleK,
    .branchUnlessMultiple, .branchIfMultiple, .branchUnlessDivisible, .branchIfDivisible, .branchUnlessRemainderEqualK,
    .branchUnlessRemainderUnequalK,
  ]

  /// A program as operators make them: what is looked at has been written before, or is a cell or a constant.
  private static func program(_ random: inout SeededGenerator, isDouble: Bool) -> Program {
    var written: Set = [0, 3, 4, 5, 6, 7]
    var instructions: [Instruction] = []
    let count = 3 + random.below(9)
    while instructions.count < count {
      let place = instructions.count
      func known() -> Int { random.pick(written.sorted()) }
      switch random.below(8) {
      case 0: instructions.append(Instruction(.count, a: 3 + random.below(2)))
      case 1:
        let cell = 3 + random.below(3)
        let opcode = random.pick([.move, cell == 5 ? .addDouble : .addInt] as [Opcode])
        instructions.append(Instruction(opcode, a: cell, b: opcode == .move ? known() : cell, c: known()))
      case 2, 3:
        let opcode = random.pick(tests)
        // To the drop at the end mostly.
        let target = random.below(6) > 0 ? count + 1 : place + 1 + random.below(count - place)
        let test = Instruction(opcode, a: known(), b: known(), c: target, constant(of: opcode, &random))
        instructions.append(test)
      case 4 where random.below(4) == 0:
        instructions.append(Instruction(.jump, c: place + 1 + random.below(count - place)))
      default:
        let opcode = random.pick(computations)
        let (b, c) = (known(), known())
        let target = random.below(3)
        written.insert(target)
        instructions.append(Instruction(opcode, a: target, b: b, c: c, constant(of: opcode, &random)))
      }
    }
    let end = random.pick([.dropped, .dropped, .dropped, .finished] as [ProgramOutcome])
    return Program(
      body: body(
        instructions + [Instruction(.end, c: Int(end.rawValue)), Instruction(.end)], isDouble: isDouble))
  }

  private static func constant(of opcode: Opcode, _ random: inout SeededGenerator) -> Int64 {
    switch opcode {
    case .branchUnlessDivisible, .branchIfDivisible: random.pick([3, 6, 7, 12, -5])
    case .branchUnlessMultiple, .branchIfMultiple: random.pick([0, 1, 3, 7])
    case .branchUnlessRemainderEqualK, .branchUnlessRemainderUnequalK:
      random.pick([3 << 32 | 1, 7 << 32, 10 << 32 | 9])
    case .divideIntK, .remainderIntK: random.pick([2, 3, -7, 10, 1, 64])
    default: random.pick(constants)
    }
  }

  /// A program over eight slots. Where it leaves, the generic half ends it.
  private static func body(_ typed: [Instruction], isDouble: Bool) -> ProgramBody {
    var tables = ProgramTables()
    tables.slotCount = slotCount
    tables.valueCount = 4
    tables.slotConstants = [(6, 7), (7, 2.5.bits)]
    tables.input = Input(part: .scalar(isDouble ? .double : .int, 0), home: 0)
    tables.cells = [
      Cell(part: .scalar(.int, 3), home: 1, initial: 5), Cell(part: .scalar(.int, 4), home: 2, initial: -1),
      Cell(part: .scalar(.double, 5), home: 3, initial: 0.5),
    ]
    tables.exits = [Exit(target: typed.count, step: 0), Exit(target: typed.count + 1, step: 0)]
    let generic = [
      Instruction(.end, c: Int(End.generic + ProgramOutcome.finished.rawValue)),
      Instruction(.end, c: Int(End.generic + ProgramOutcome.dropped.rawValue)),
    ]
    let exits = typed.indices.map { Int32($0 % 3 == 2 ? 1 : 0) }
    return ProgramBody(typed + generic, genericStart: typed.count, exitPlaces: exits, tables)
  }

  /// Numbers of the kind that the program takes, and seldom others.
  private static func values(_ random: inout SeededGenerator, isDouble: Bool) -> [Value] {
    let count = random.pick([31, 32, 33, 200, 700])
    let (isLarge, isMixed) = (random.below(6) == 0, random.below(6) == 0)
    return (0..<count).map { _ in
      if isMixed, random.below(150) == 0 { return isDouble ? 1 : 1.5 }
      if isDouble { return .double(Double(random.below(2_000) - 1_000) / 8) }
      return .int(isLarge && random.below(100) == 0 ? random.pick(constants) : Int64(random.below(200) - 100))
    }
  }

  // MARK: Runs

  private static func runSingly(_ frame: Frame, _ values: ArraySlice<Value>) -> (
    consumed: Int, outcome: ProgramOutcome?
  ) {
    var consumed = 0
    for value in values {
      consumed += 1
      let outcome = frame.attempt(value)
      if outcome != .dropped { return (consumed, outcome) }
    }
    return (consumed, .dropped)
  }

  /// Bit for bit, for NaN is not equal to itself.
  private static func cells(of frame: Frame) -> [String] {
    frame.program.tables.cells.map { cell in "\(frame.content(of: cell.part, cell.home) { cell.initial })" }
  }
}

extension Frame {
  fileprivate convenience init(_ program: Program) { self.init(program, activation: Activation(slotCount: 0)) }
}

extension SeededGenerator {
  fileprivate mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

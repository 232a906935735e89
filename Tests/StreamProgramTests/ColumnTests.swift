import CEL
import StreamCore
import StreamTesting
import Testing

@testable import StreamProgram

/// Many runs at once, column by column, are single runs.
@Suite struct ColumnTests {
  @Test("Columns have the results of single runs")
  func columnsResultsSingle() {
    var random = SeededGenerator(seed: 11)
    var (whole, partial, over, choosing, distinct) = (0, 0, 0, 0, 0)
    for number in 0..<4_000 {
      let isDouble = number % 4 == 3
      let program = Self.program(&random, isDouble: isDouble)
      if let code = program.body.columnCode {
        if code.rest == nil { whole += 1 } else { partial += 1 }
        if code.steps.contains(where: { $0.action == .choose }) { choosing += 1 }
        if code.steps.contains(where: { $0.action == .distinct }) { distinct += 1 }
      }
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
    let counts = [whole, partial, over, choosing, distinct]
    #expect(counts.allSatisfy { $0 > 100 }, "\(counts)")
  }

  @Test("Sequences of integers equal single integers")
  func sequencesIntegersEqual() {
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

  @Test("A column that may overflow is checked")
  func columnMayOverflow() {
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

  /// The input, two numbers on the way, cells for two ints, a double and a bool, and three constants.
  private static let slotCount = 10
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

  /// A program as operators make them: every operand was written before, or is a cell or a constant.
  private static func program(_ random: inout SeededGenerator, isDouble: Bool) -> Program {
    var written: Set = [0, 3, 4, 5, 7, 8, 9]
    var code: [Instruction] = []
    func known() -> Int { random.pick(written.sorted()) }
    func computation(_ target: Int) -> Instruction {
      let opcode = random.pick(computations)
      return Instruction(opcode, a: target, b: known(), c: known(), constant(of: opcode, &random))
    }
    func test(to target: Int) -> Instruction {
      let opcode = random.pick(tests)
      return Instruction(opcode, a: known(), b: known(), c: target, constant(of: opcode, &random))
    }
    let drop = 10_000
    for _ in 0..<(2 + random.below(6)) {
      let place = code.count
      switch random.below(11) {
      case 0: code.append(Instruction(.count, a: 3 + random.below(2)))
      case 1:
        let cell = 3 + random.below(3)
        let opcode = random.pick([.move, cell == 5 ? .addDouble : .addInt] as [Opcode])
        code.append(Instruction(opcode, a: cell, b: opcode == .move ? known() : cell, c: known()))
      case 2, 3: code.append(test(to: drop))
      case 4:
        // Two branches that meet. The first may branch again.
        let target = random.below(3)
        let isNested = random.below(3) == 0
        let inner = [test(to: place + 4), computation(1), Instruction(.jump, c: place + 5), computation(1)]
        let last = random.below(3) == 0 ? Instruction(.move, a: target, b: known()) : computation(target)
        let first = isNested ? inner + [last] : [last]
        let other = place + first.count + 2
        // Arms that move the same number leave the slot in the same column.
        let second = random.below(3) == 0 && target != 1 ? last : computation(target)
        code += [test(to: other)] + first + [Instruction(.jump, c: other + 1), second]
        written.insert(target)
      case 5:
        // One way, or straight on.
        code += [test(to: place + 2), computation(random.pick(written.sorted().filter { $0 < 3 }))]
      case 6:
        // The instructions of `removeDuplicates`.
        let number = random.pick(written.subtracting([2]).sorted())
        code += distinct(4 + random.below(2), number, at: place)
        written.remove(2)
      case 7 where random.below(3) > 0: code.append(computation(3 + random.below(3)))
      case 7: code.append(test(to: place + 1 + random.below(2)))
      default:
        let target = random.below(3)
        code.append(computation(target))
        written.insert(target)
      }
    }
    let end = random.pick([.dropped, .dropped, .dropped, .finished] as [ProgramOutcome])
    code.append(Instruction(.end, c: Int(end.rawValue)))
    for place in code.indices where code[place].opcode.access.contains(.jumps) {
      code[place].c = min(code[place].c, UInt16(code.count))
    }
    return Program(body: body(code + [Instruction(.end)], isDouble: isDouble))
  }

  private static func distinct(_ cell: Int, _ number: Int, at place: Int) -> [Instruction] {
    let isDouble = cell == 5
    let new = place + (isDouble ? 5 : 4)
    let tests =
      isDouble
      ? [Instruction(.equalDouble, a: 2, b: cell, c: number), Instruction(.branchUnless, a: 2, c: new)]
      : [Instruction(.branchUnlessEqualInt, a: number, b: cell, c: new)]
    return [Instruction(.branchUnless, a: 6, c: new)] + tests + [
      Instruction(.move, a: cell, b: number), Instruction(.end), Instruction(.move, a: 6, b: 9),
      Instruction(.move, a: cell, b: number),
    ]
  }

  private static func constant(of opcode: Opcode, _ random: inout SeededGenerator) -> Int64 {
    switch opcode {
    case .branchUnlessDivisible, .branchIfDivisible: random.pick([3, 6, 7, 12, -5])
    case .branchUnlessMultiple, .branchIfMultiple: random.pick([0, 1, 3, 7])
    case .branchUnlessRemainderEqualK, .branchUnlessRemainderUnequalK:
      random.pick([3 << 32 | 1, 7 << 32, 10 << 32 | 9])
    case .divideIntK, .remainderIntK: random.pick([2, 3, -7, 10, -64, 64])
    default: random.pick(constants)
    }
  }

  /// A program over these slots. After a side exit, the generic half copies the contents of the cells and ends the run.
  private static func body(_ typed: [Instruction], isDouble: Bool) -> ProgramBody {
    var tables = ProgramTables()
    tables.slotCount = slotCount
    tables.valueCount = 9
    tables.slotConstants = [(7, 7), (8, 2.5.bits), (9, 1)]
    tables.input = Input(part: .scalar(isDouble ? .double : .int, 0), boxedRegister: 0)
    tables.cells = [
      Cell(part: .scalar(.int, 3), boxedRegister: 1, initial: 5),
      Cell(part: .scalar(.int, 4), boxedRegister: 2, initial: -1),
      Cell(part: .scalar(.double, 5), boxedRegister: 3, initial: 0.5),
      Cell(part: .scalar(.bool, 6), boxedRegister: 4, initial: false),
    ]
    tables.cells += (5..<9).map { Cell(part: Part(.value($0)), boxedRegister: $0, initial: .null) }
    var saving = SavePoints(typed, entries: [], slotCount: tables.slotCount, valueCount: tables.valueCount)
    saving.insert(tables.cells, firstReset: tables.cells.count, firstOfRow: tables.cells.count)
    (tables.slotCount, tables.valueCount, tables.undos) = (saving.slotCount, saving.valueCount, saving.undos)
    let generic =
      (1..<5).map { Instruction(.moveValue, a: $0 + 4, b: $0) }
      + [Instruction(.end, c: Int(End.generic + ProgramOutcome.finished.rawValue))]
    return ProgramBody(saving.code + generic, genericStart: saving.code.count, tables, OutputTable([], []))
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
    frame.program.tables.cells.map { cell in "\(frame.content(of: cell.part, cell.boxedRegister) { cell.initial })" }
  }
}

extension Frame {
  fileprivate convenience init(_ program: Program) { self.init(program, activation: Activation(slotCount: 0)) }
}

extension SeededGenerator {
  fileprivate mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

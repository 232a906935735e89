import CEL
import Foundation
import StreamCore
import StreamTesting
import Testing

@testable @_spi(Engine) import StreamEngine

/// Random chains of expressions with steps between them: a program gives what the plans give one after the other.
///
/// `CEL_FUZZ` is their number (500), `CEL_FUZZ_SEED` the first seed.
@Suite struct FusionFuzzing {
  @Test("A program gives what its plans give")
  func programGivesWhat() {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["CEL_FUZZ"].flatMap { Int($0) } ?? 500
    let seed = environment["CEL_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    var fuzzer = FusionFuzzer(seed: seed)
    let time = ContinuousClock().measure { for round in 0..<count { fuzzer.attempt(round) } }
    print("Fusion fuzzer: \(count) chains from seed \(seed) in \(time): \(fuzzer.summary)")
    for difference in fuzzer.differences.prefix(10) { print("  DIFFERENT \(difference)") }
    #expect(fuzzer.differences.isEmpty)
  }
}

/// A step of a chain after one of its expressions.
private enum Step {
  case evaluate(Plan, binding: [String: Int])
  /// Drops the value unless the result is true.
  case filter(Int)
  /// Drops the value when the result is null.
  case compact(Int)
  case store(Int, variable: String)
  /// Whether the result equals what the variable holds: a result too.
  case equal(Int, variable: String)
  /// Evaluates and stores only where a result is true.
  case storeWhere(Plan, condition: Int, variable: String)
}

struct FusionFuzzer {
  private var source: Fuzzer
  private var numbers: NumberGenerator
  private(set) var differences: [String] = []
  private var values = 0
  private var drops = 0
  private var failures = 0
  private var left = 0
  private var instructions = 0
  private var evaluations = 0

  init(seed: UInt64) {
    source = Fuzzer(seed: seed)
    numbers = NumberGenerator(seed: seed)
  }

  var summary: String {
    "\(values) values, \(drops) dropped, \(failures) failures, \(left) runs left the typed half, "
      + "\(instructions) instructions for \(evaluations) expressions, "
      + "\(differences.count) differences"
  }

  private mutating func below(_ bound: Int) -> Int { source.generator.random.below(bound) }

  /// One chain: any, or one over numbers that gives nothing, for many inputs.
  mutating func attempt(_ round: Int) {
    if round % 2 == 0 { attemptAny(round / 2) } else { attemptMany(round / 2) }
  }

  /// One chain, run for several inputs, so that cells change.
  private mutating func attemptAny(_ round: Int) {
    let steps = chain(round)
    let input = source.generator.pick(["i", "d", "v", "r", "b", "u"])
    let program = build(steps, input)
    let frame = ProgramInstance(
      program.program, activation: Activation(slotCount: Fuzzer.variables.count, limits: Fuzzer.limits))
    let start = source.bindings()
    var state = start
    for (name, cell) in program.cells { frame.set(start[name] ?? .null, of: cell) }
    var inputs: [Value] = []
    var outcomes: [Outcome] = []
    for _ in 0..<4 {
      let given = source.bindings()[input] ?? .null
      inputs.append(given)
      state[input] = given
      let expected = reference(steps, input, &state)
      let actual = run(frame, given)
      guard expected == actual else {
        differences.append(
          "\(describe(steps)) input \(input) = \(given)\n    plans: \(expected)\n    program: \(actual)")
        return
      }
      outcomes.append(actual)
      switch actual {
      case .value: values += 1
      case .dropped: drops += 1
      case .failure: failures += 1
      }
      for (name, cell) in program.cells where frame.value(of: cell) != state[name] {
        differences.append(
          "\(describe(steps)) cell \(name): \(frame.value(of: cell)), expected \(state[name] ?? .null)")
        return
      }
    }
    let going = ProgramInstance(
      program.program, activation: Activation(slotCount: Fuzzer.variables.count, limits: Fuzzer.limits))
    for (name, cell) in program.cells { going.set(start[name] ?? .null, of: cell) }
    let gone = runOn(going, inputs)
    if gone != outcomes.filter({ $0 != .dropped }) {
      differences.append("\(describe(steps))\n    single: \(outcomes)\n    going on: \(gone)")
    }
    left += frame.leaveCount
    evaluations += steps.count { if case .evaluate = $0 { true } else { false } }
    instructions += program.program.typedCount
  }

  /// One chain over numbers whose only results are its cells, run for many inputs.
  private mutating func attemptMany(_ round: Int) {
    let input = source.generator.pick(["i", "i", "d", "v"])
    let isInt = input == "i" || input == "v" && below(2) == 0
    numbers.names = [.int: ["i"], .double: ["d"], .bool: ["b"]]
    if input == "v" { numbers.names[isInt ? .int : .double]?.append("v") }
    let steps = numberChain(round)
    let program = build(steps, input, likely: isInt ? .int : .double, emits: false)
    let variables = Fuzzer.variables.count
    let single = ProgramInstance(program.program, activation: Activation(slotCount: variables, limits: Fuzzer.limits))
    let many = ProgramInstance(program.program, activation: Activation(slotCount: variables, limits: Fuzzer.limits))
    var start = source.bindings()
    (start["i"], start["d"], start["b"]) = (.int(Int64(below(9)) - 4), 0.5, .bool(below(2) == 0))
    var state = start
    for (name, cell) in program.cells {
      single.set(start[name] ?? .null, of: cell)
      many.set(start[name] ?? .null, of: cell)
    }
    let inputs = numberInputs(isInt: isInt, isStrict: input != "v")
    var expected: [Outcome] = []
    var alone: [Outcome] = []
    for given in inputs {
      state[input] = given
      let outcome = reference(steps, input, &state)
      if case .failure = outcome { expected.append(outcome) }
      let own = run(single, given)
      if case .failure = own { alone.append(own) }
    }
    let together = runOn(many, inputs)
    let text = "\(describe(steps)) input \(input), \(inputs.count) values"
    if alone != expected { differences.append("\(text)\n    plans: \(expected)\n    single runs: \(alone)") }
    if together != expected { differences.append("\(text)\n    plans: \(expected)\n    together: \(together)") }
    for (name, cell) in program.cells {
      let (wanted, found) = (state[name] ?? .null, [single.value(of: cell), many.value(of: cell)])
      if found.contains(where: { !$0.isSame(as: wanted) }) {
        differences.append("\(text)\n    cell \(name): expected \(wanted), got singly and together \(found)")
      }
    }
  }

  /// Small numbers mostly, at times large ones, and where that is possible a value of another type.
  private mutating func numberInputs(isInt: Bool, isStrict: Bool) -> [Value] {
    let count = source.generator.pick([31, 32, 33, 60, 100, 200, 511, 513, 700])
    let isLarge = below(6) == 0
    var inputs: [Value] = (0..<count).map { _ in
      if isLarge, below(60) == 0 { return isInt ? .int(source.generator.pick([.max, .min, 1 << 53])) : 1e300 }
      return isInt ? .int(Int64(below(200)) - 100) : .double(Double(below(800) - 400) / 8)
    }
    if !isStrict, below(4) == 0 { inputs[below(count)] = source.generator.pick([1.5, 7, "text", .null]) }
    return inputs
  }

  // MARK: Chains

  /// Expressions over numbers. The results of most of them are stored in a cell.
  private mutating func numberChain(_ round: Int) -> [Step] {
    let environment = ExpressionEnvironment(
      variables: Fuzzer.variables, numbers: round & 1 == 0 ? .mixed : .strict, limits: Fuzzer.limits)
    var steps: [Step] = []
    var results: [CELType] = []
    while results.count < 1 + below(4) {
      guard let plan = try? CELExpression(numbers.next()).plan(in: environment) else { continue }
      var binding: [String: Int] = [:]
      for (index, type) in results.enumerated() where below(3) > 0 { binding[variable(for: type)] = index }
      steps.append(.evaluate(plan, binding: binding))
      results.append(plan.resultType)
      let last = results.count - 1
      if results[last] == .bool, below(2) == 0 {
        steps.append(.filter(last))
      } else {
        steps.append(.store(last, variable: variable(for: results[last])))
      }
    }
    return steps
  }

  private mutating func chain(_ round: Int) -> [Step] {
    var environment = ExpressionEnvironment(
      variables: Fuzzer.variables, numbers: round & 1 == 0 ? .mixed : .strict, limits: Fuzzer.limits)
    environment.checksEnabled = round & 6 != 0
    var steps: [Step] = []
    var results: [CELType] = []
    for _ in 0...below(4) {
      let earlier = steps.compactMap { if case .evaluate(let plan, _) = $0 { plan.expression.text } else { nil } }
      guard let plan = plan(environment, earlier) else { continue }
      var binding: [String: Int] = [:]
      for (index, type) in results.enumerated() where below(3) > 0 { binding[variable(for: type)] = index }
      steps.append(.evaluate(plan, binding: binding))
      results.append(plan.resultType)
      addStep(&steps, &results)
      if below(3) == 0, let condition = results.indices.reversed().first(where: { results[$0] == .bool }),
        let plan = self.plan(environment, earlier + [plan.expression.text])
      {
        steps.append(.storeWhere(plan, condition: condition, variable: variable(for: plan.resultType)))
      }
    }
    return steps
  }

  /// An expression, now and then with one in it that came before.
  private mutating func plan(_ environment: ExpressionEnvironment, _ earlier: [String]) -> Plan? {
    for _ in 0..<20 {
      var text = below(4) == 0 ? source.generator.next() : source.generator.next([.int, .double, .bool, .uint, .int])
      if !earlier.isEmpty, below(3) == 0 {
        let known = source.generator.pick(earlier)
        text = source.generator.pick([
          known, "(\(known)) == (\(text))", "(\(text)) + (\(known))", "[\(text), \(known)]",
        ])
      }
      if let plan = try? CELExpression(text).plan(in: environment) { return plan }
    }
    return nil
  }

  private func variable(for type: CELType) -> String {
    Fuzzer.variables.first { $0.type == type }?.name ?? "v"
  }

  private mutating func addStep(_ steps: inout [Step], _ results: inout [CELType]) {
    let last = results.count - 1
    switch below(7) {
    case 0 where results[last] == .bool || below(4) == 0: steps.append(.filter(last))
    case 1: steps.append(.compact(last))
    case 2, 3: steps.append(.store(last, variable: variable(for: results[last])))
    case 4:
      steps.append(.equal(last, variable: variable(for: results[last])))
      results.append(.bool)
    default: break
    }
  }

  private func describe(_ steps: [Step]) -> String {
    steps.map { step in
      switch step {
      case .evaluate(let plan, let binding): "\(plan.expression.text) \(binding)"
      case .storeWhere(let plan, let condition, let variable):
        "where \(condition): \(plan.expression.text) to \(variable)"
      default: "\(step)"
      }
    }.joined(separator: "\n    ")
  }

  // MARK: The program

  private mutating func build(
    _ steps: [Step], _ input: String, likely: CELType? = nil, emits: Bool = true
  ) -> (program: Program, cells: [String: Operand]) {
    var builder = ProgramBuilder()
    var variables: [String: Operand] = [:]
    var cells: [String: Operand] = [:]
    let type = Fuzzer.variables.first { $0.name == input }?.type ?? .dyn
    variables[input] = builder.input(type, likely: likely ?? (below(2) == 0 ? .int : .double))
    let initial = source.bindings()
    for variable in Fuzzer.variables where variable.name != input {
      let cell = builder.cell(initial[variable.name] ?? .null, variable.type)
      cells[variable.name] = cell
      variables[variable.name] = cell
    }
    let dropped = builder.label()
    var operands: [Operand] = []
    for step in steps {
      switch step {
      case .evaluate(let plan, let binding):
        operands.append(builder.add(plan, binding: variables.merging(binding.mapValues { operands[$0] }) { $1 }))
      case .filter(let result): builder.branch(unless: operands[result], to: dropped)
      case .compact(let result): builder.branch(ifNull: operands[result], to: dropped)
      case .store(let result, let variable):
        if let cell = cells[variable] { builder.store(operands[result], in: cell) }
      case .equal(let result, let variable):
        operands.append(builder.equal(operands[result], variables[variable] ?? operands[result]))
      case .storeWhere(let plan, let condition, let variable):
        let skipped = builder.label()
        builder.branch(unless: operands[condition], to: skipped)
        let result = builder.add(plan, binding: variables)
        if let cell = cells[variable] { builder.store(result, in: cell) }
        builder.place(skipped)
      }
    }
    if emits, let last = operands.last { builder.emit(last) } else { builder.end() }
    builder.place(dropped)
    if steps.contains(where: \.drops) { builder.end() }
    return (builder.build(), cells)
  }

  private enum Outcome: Equatable, CustomStringConvertible {
    case value(Value)
    case dropped
    case failure(ProgramFailure)

    var description: String {
      switch self {
      case .value(let value): "\(value)"
      case .dropped: "dropped"
      case .failure(let failure): "\(failure)"
      }
    }
  }

  private func run(_ frame: ProgramInstance, _ input: Value) -> Outcome {
    do throws(ProgramFailure) {
      switch try frame.run(input) {
      case .emitted, .emittedLast: return .value(frame.output)
      case .dropped, .finished, .waiting: return .dropped
      }
    } catch {
      return .failure(error)
    }
  }

  /// The same in runs that continue until one has a result.
  private func runOn(_ frame: ProgramInstance, _ inputs: [Value]) -> [Outcome] {
    var rest = inputs[...]
    var outcomes: [Outcome] = []
    while !rest.isEmpty {
      let progress = rest.withUnsafeBufferPointer { frame.run($0) }
      rest = rest.dropFirst(progress.consumed)
      if let failure = progress.failure {
        outcomes.append(.failure(failure))
      } else if progress.outcome == .emitted {
        outcomes.append(.value(frame.output))
      }
    }
    return outcomes
  }

  // MARK: The plans, one after the other

  private func reference(_ steps: [Step], _ input: String, _ state: inout [String: Value]) -> Outcome {
    let activation = Activation(slotCount: Fuzzer.variables.count, limits: Fuzzer.limits)
    var results: [Value] = []
    var site = -1
    for step in steps {
      switch step {
      case .evaluate(let plan, let binding):
        site += 1
        for (slot, variable) in Fuzzer.variables.enumerated() {
          activation.set(binding[variable.name].map { results[$0] } ?? state[variable.name] ?? .null, at: slot)
        }
        do throws(EvaluationError) {
          results.append(try plan.evaluate(activation))
        } catch {
          return .failure(ProgramFailure(.evaluation(error), site: site))
        }
      case .filter(let result):
        guard case .bool(let flag) = results[result] else {
          return .failure(ProgramFailure(.noBool(results[result]), site: site))
        }
        if !flag { return .dropped }
      case .compact(let result): if results[result] == .null { return .dropped }
      case .store(let result, let variable): if variable != input { state[variable] = results[result] }
      case .equal(let result, let variable):
        results.append(.bool(results[result].isEqual(to: state[variable] ?? .null)))
      case .storeWhere(let plan, let condition, let variable):
        guard case .bool(let flag) = results[condition] else {
          return .failure(ProgramFailure(.noBool(results[condition]), site: site))
        }
        site += 1
        if !flag { continue }
        for (slot, variable) in Fuzzer.variables.enumerated() {
          activation.set(state[variable.name] ?? .null, at: slot)
        }
        do throws(EvaluationError) {
          let result = try plan.evaluate(activation)
          if variable != input { state[variable] = result }
        } catch {
          return .failure(ProgramFailure(.evaluation(error), site: site))
        }
      }
    }
    return results.last.map(Outcome.value) ?? .dropped
  }
}

extension Value {
  /// Whether it is the same, NaN too.
  fileprivate func isSame(as other: Value) -> Bool {
    if case .double(let left) = self, case .double(let right) = other, left.isNaN { return right.isNaN }
    return self == other
  }
}

extension Step {
  fileprivate var drops: Bool {
    switch self {
    case .filter, .compact: true
    default: false
    }
  }
}

import Foundation
import StreamCore
import StreamTesting
import Testing

@testable import CEL

/// Random expressions: none crashes or hangs, and the plan gives what walking the tree gives.
///
/// `CEL_FUZZ` is their number (5,000), `CEL_FUZZ_SEED` the first seed.
@Suite struct Fuzzing {
  @Test("A plan gives what walking the tree gives")
  func planGivesWhat() {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["CEL_FUZZ"].flatMap { Int($0) } ?? 5_000
    let seed = environment["CEL_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    var fuzzer = Fuzzer(seed: seed)
    let time = ContinuousClock().measure { fuzzer.run(count) }
    print("CEL fuzzer: \(count) inputs from seed \(seed) in \(time): \(fuzzer.summary)")
    for difference in fuzzer.differences.prefix(20) { print("  DIFFERENT \(difference)") }
    #expect(fuzzer.differences.isEmpty)
  }
}

struct Fuzzer {
  var generator: ExpressionGenerator
  private(set) var differences: [String] = []
  private var refused = 0
  private var values = 0
  private var failures = 0
  private var unbounded = 0

  static let limits = ExpressionLimits(depth: 100, budget: 20_000, stringBytes: 20_000, listCount: 5_000)
  static let record: [RecordField] = [RecordField("x", .double), RecordField("y", .int), RecordField("name", .string)]
  static let variables: [Variable] = [
    Variable("i", .int), Variable("u", .uint), Variable("d", .double), Variable("b", .bool), Variable("s", .string),
    Variable("l", .list(.int)), Variable("m", .map(.string, .dyn)), Variable("r", .record(record)), Variable("v"),
    Variable("t", .timestamp),
  ]

  init(seed: UInt64) { generator = ExpressionGenerator(seed: seed) }

  var summary: String {
    "\(values) values, \(failures) errors, \(unbounded) out of budget, \(refused) refused, \(differences.count) differences"
  }

  mutating func run(_ count: Int) {
    for round in 0..<count { attempt(generator.next(), round) }
  }

  private mutating func attempt(_ text: String, _ round: Int) {
    var environment = ExpressionEnvironment(
      variables: Self.variables, numbers: round & 1 == 0 ? .mixed : .strict, limits: Self.limits)
    environment.checksEnabled = round & 6 != 0
    let syntax: Syntax
    let plan: Plan
    do {
      syntax = try CELExpression(text).parse(in: environment)
      plan = try CELExpression(text).plan(in: environment)
    } catch {
      refused += 1
      return
    }
    let bindings = bindings()
    let activation = Activation(slotCount: Self.variables.count, limits: Self.limits)
    for (slot, variable) in Self.variables.enumerated() { activation.set(bindings[variable.name] ?? .null, at: slot) }
    let planned = Result { () throws(EvaluationError) in try plan.evaluate(activation) }
    var reference = ReferenceEvaluator(
      syntax, environment.numbers, bindings, Activation(slotCount: 0, limits: Self.limits))
    let walked = Result { () throws(EvaluationError) in try reference.evaluate() }
    compare(planned, walked, plan, text, environment, bindings)
  }

  private mutating func compare(
    _ planned: Result<Value, EvaluationError>, _ walked: Result<Value, EvaluationError>, _ plan: Plan, _ text: String,
    _ environment: ExpressionEnvironment, _ bindings: [String: Value]
  ) {
    if planned.isOutOfBounds || walked.isOutOfBounds {
      unbounded += 1
      return
    }
    switch (planned, walked) {
    case (.success(let a), .success(let b)) where a == b:
      values += 1
      if environment.checksEnabled, !plan.resultType.admits(a) {
        differences.append("\(text)\n    has type \(plan.resultType), and gives \(a)")
      }
    case (.failure, .failure): failures += 1
    default:
      differences.append(
        "\(text)\n    \(environment.numbers) checks: \(environment.checksEnabled)\n    planned: \(planned)\n    walked: \(walked)\n    \(bindings)"
      )
    }
  }

  /// Values for the variables, at random.
  mutating func bindings() -> [String: Value] {
    let numbers: [Int64] = [0, 1, -1, 2, 7, 100, .max, .min]
    let doubles: [Double] = [0, -0.0, 1, 0.5, -3.25, 1e18, .infinity, .nan]
    func pick<Element>(_ choices: [Element], _ generator: inout ExpressionGenerator) -> Element {
      choices[generator.random.below(choices.count)]
    }
    let int = pick(numbers, &generator)
    let double = pick(doubles, &generator)
    let text = pick(["", "a", "hello", "Ω≈ç", "a b"], &generator)
    let any: Value = pick(
      [.int(int), .double(double), .string(text), [1, "a", 2.5], ["k": 1, "x": [1]], .null, true, .uint(3)], &generator)
    let fields: [(Value, Value)] = [("x", .double(double)), ("y", .int(int)), ("name", .string(text))]
    return [
      "i": .int(int), "u": .uint(UInt64(truncatingIfNeeded: int)), "d": .double(double), "b": .bool(int > 0),
      "s": .string(text), "l": .list(numbers.prefix(Int(int & 3) + 1).map(Value.int)),
      "m": ["k": any, "x": .double(double), "flag": .bool(int < 2)],
      "r": .map(ValueMap(int & 1 == 0 ? fields : fields.reversed())), "v": any,
      "t": .timestamp(Timestamp(seconds: 1_700_000_000)),
    ]
  }
}

extension CELType {
  /// Whether a value may come out where this type was inferred: null stands for missing values of some types.
  fileprivate func admits(_ value: Value) -> Bool {
    switch (self, value) {
    case (.timestamp, .null), (.duration, .null), (.optional, .null), (.opaque, .null): true
    case (.list(let element), .list(let list)): list.allSatisfy(element.admits)
    case (.map(let key, let element), .map(let map)):
      map.keys.allSatisfy(key.admits) && map.slots.allSatisfy(element.admits)
    case (.record(let fields), .map(let map)):
      fields.allSatisfy { field in map[field.name].map(field.type.admits) ?? false }
    default: accepts(value)
    }
  }
}

extension Result<Value, EvaluationError> {
  fileprivate var isOutOfBounds: Bool {
    if case .failure(let error) = self { return error.code == .budgetExceeded || error.code == .limitExceeded }
    return false
  }
}

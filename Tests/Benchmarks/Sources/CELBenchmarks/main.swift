import CEL
@_spi(Engine) import StreamCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

// `fusion` as an argument measures that alone; `few` with it takes few values, for a profiler that runs slowly.
// Every answer is checked, so that nothing is measured that does not work.

/// Hides what it returns from the optimizer.
@inline(never) func opaque<T>(_ value: T) -> T { value }

func plan(_ text: String, _ variables: [Variable]) -> Plan {
  do {
    return try CELExpression(text).plan(in: ExpressionEnvironment(variables: variables))
  } catch {
    preconditionFailure("\(text): \(error)")
  }
}

func evaluate(_ plan: Plan, _ activation: Activation) -> Value {
  do {
    return try plan.evaluate(activation)
  } catch {
    preconditionFailure("\(plan.expression.text): \(error)")
  }
}

let record = CELType.record([RecordField("x", .double), RecordField("y", .double), RecordField("z", .double)])
// NB: read, not a literal: the compiler would put its slots into static memory, whose references cost less to count.
var reader = JSONReader()
let tilt = try reader.read(#"{"x": 0.5, "y": 0.25, "z": 0.75}"#)

if CommandLine.arguments.dropFirst().first == "serve" {
  serve()
  exit(0)
}

// `costs` measures what functions take for the steps that they are charged, and fails where one takes too long.
if CommandLine.arguments.contains("costs") { exit(CostRun().run() ? 0 : 1) }

let fusedCount = CommandLine.arguments.contains("few") ? 10_000 : 100_000
let fusedRepetitions = CommandLine.arguments.contains("few") ? 2 : 100
if CommandLine.arguments.contains("fusion") {
  measureSums(count: fusedCount)
  measureLastSum(count: fusedCount)
  measureTilts(count: fusedCount)
  exit(0)
}

do {  // Parse, check and plan
  let text = "value.z > 0.25 ? 'tiltedDown' : 'notOk1'"
  precondition(text.utf8.count == 40)
  let environment = ExpressionEnvironment(variables: [Variable("value", record), Variable("acc")])
  let time = nanoseconds(rounds: 5000) { rounds in
    for _ in 0..<rounds { _ = opaque(try? CELExpression(text).plan(in: environment)) }
  }
  report("parse, check and plan 40 characters", time)
}

do {  // value * 2 + acc
  let sum = plan("value * 2 + acc", [Variable("value", .int), Variable("acc", .int)])
  let activation = Activation(slotCount: 2)
  activation.set(.int(20), at: 0)
  activation.set(.int(2), at: 1)
  precondition(evaluate(sum, activation) == .int(42))
  let closure: (Int64, Int64) -> Int64 = opaque { $0 * 2 + $1 }
  let byHand = nanoseconds(rounds: 2_000_000) { rounds in
    for round in 0..<rounds { _ = opaque(closure(Int64(round), 2)) }
  }
  let planned = nanoseconds(rounds: 2_000_000) { rounds in
    for _ in 0..<rounds { _ = opaque(evaluate(sum, activation)) }
  }
  report("closure of value * 2 + acc", byHand)
  report("value * 2 + acc", planned, closure: byHand)
}

do {  // A record's field
  let choice = plan("value.z > 0.25 ? 'tiltedDown' : 'notTilted'", [Variable("value", record), Variable("acc")])
  let other = plan("value.x + value.y", [Variable("value", record), Variable("acc")])
  let activation = Activation(slotCount: 2)
  activation.set(tilt, at: 0)
  precondition(evaluate(choice, activation) == "tiltedDown")
  precondition(evaluate(other, activation) == 0.75)
  let closure: (Double) -> String = opaque { $0 > 0.25 ? "tiltedDown" : "notTilted" }
  let byHand = nanoseconds(rounds: 2_000_000) { rounds in
    for round in 0..<rounds { _ = opaque(closure(Double(round))) }
  }
  report("closure of value.z > 0.25 ? …", byHand)
  report(
    "value.z > 0.25 ? …",
    nanoseconds(rounds: 1_000_000) { rounds in
      for _ in 0..<rounds { _ = opaque(evaluate(choice, activation)) }
    }, closure: byHand)
  report(
    "value.z > 0.25 ? …, alternating with value.x + value.y (each)",
    nanoseconds(rounds: 1_000_000) { rounds in
      for _ in 0..<rounds {
        _ = opaque(evaluate(choice, activation))
        _ = opaque(evaluate(other, activation))
      }
    } / 2, closure: byHand)
}

// Expressions of neighboring operators, fused.
measureSums(count: fusedCount)
measureLastSum(count: fusedCount)
measureTilts(count: fusedCount)

// The time of hostile expressions until they are refused or have a value.
for (name, text, values) in hostile {
  let (time, outcome) = timed(text, values)
  print("hostile: \(name): \(time) ms, \(outcome)")
}
print("most memory: \(peakMemory() / 1024) MB")

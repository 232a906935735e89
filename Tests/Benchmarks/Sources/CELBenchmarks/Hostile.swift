import CEL
import StreamCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Expressions that want to hang, to crash or to fill the memory, with the default limits.
let hostile: [(name: String, text: String, values: [String: Value])] = {
  let long = Value.string(String(repeating: "ab ", count: 3_333_333))
  let doubling = String(repeating: ".map(e, [e, e])", count: 60)
  let list = Value.list((0..<1000).map(Value.int))
  return [
    ("100,000 opening brackets", String(repeating: "(", count: 100_000), [:]),
    ("nesting at the limit", String(repeating: "[", count: 245) + "1" + String(repeating: "]", count: 245), [:]),
    ("2^60 elements compared", "cel.bind(v, ['x']\(doubling), v == ['x']\(doubling))", [:]),
    ("2^60 elements written", "toJSON(['x']\(doubling))", [:]),
    ("loops in loops in loops", "l.map(a, l.map(b, l.map(c, a + b + c)))", ["l": list]),
    (
      "a text doubled 40 times",
      String(repeating: "cel.bind(x, x + x, ", count: 40) + "x" + String(repeating: ")", count: 40), ["x": "abc"]
    ),
    (
      "a list doubled 40 times",
      String(repeating: "cel.bind(x, x + x, ", count: 40) + "x" + String(repeating: ")", count: 40), ["x": [1, 2]]
    ),
    ("(a*)*b on 10 MB", "x.matches('(a*)*b$')", ["x": .string(String(repeating: "a", count: 10_000_000))]),
    (
      "(x+x+)+y on 100 KB, replaced", "regex.replace(x, '(x+x+)+y', '')",
      ["x": .string(String(repeating: "x", count: 100_000))]
    ),
    ("((a{100}){100}){100}", "'a'.matches('((a{100}){100}){100}')", [:]),
    ("10 MB searched", "x.contains('abc')", ["x": long]),
    ("10 MB split", "x.split('')", ["x": long]),
    ("10 MB replaced", "x.replace('a', 'bb')", ["x": long]),
    ("10 MB turned round", "x.reverse()", ["x": long]),
  ]
}()

func timed(_ text: String, _ values: [String: Value]) -> (milliseconds: Double, outcome: String) {
  let names = values.keys.sorted()
  var outcome = ""
  let time = ContinuousClock().measure {
    do {
      let plan = try CELExpression(text).plan(in: ExpressionEnvironment(variables: names.map { Variable($0) }))
      let activation = Activation(slotCount: names.count)
      for (slot, name) in names.enumerated() { activation.set(values[name] ?? .null, at: slot) }
      let value = try plan.evaluate(activation)
      outcome = "a \(value.typeName)"
    } catch let error as Diagnostics {
      outcome = error.all.first.map { "\($0.code.rawValue): \($0.message.prefix(80))" } ?? ""
    } catch let error as EvaluationError {
      outcome = "\(error.code.rawValue): \(error.message.prefix(80))"
    } catch {
      outcome = "\(error)"
    }
  }
  let (seconds, attoseconds) = time.components
  return (((Double(seconds) * 1e3 + Double(attoseconds) / 1e15) * 10).rounded() / 10, outcome)
}

/// The most memory that the process has had, in KB.
func peakMemory() -> Int {
  var usage = rusage()
  #if canImport(Darwin)
  getrusage(RUSAGE_SELF, &usage)
  return usage.ru_maxrss / 1024
  #else
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss
  #endif
}

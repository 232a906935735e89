import CMemory
import StreamEngine
import StreamKit

// How what ours take grows: with the values, with the operators, with the pipelines. Linear or better, memory flat.

/// Prints `workload<TAB>size<TAB>ns_per_unit<TAB>bytes`, where the bytes are what is kept after it has run, or for what
/// waits of each.
func growth(_ arguments: Arguments) async {
  print("workload\tsize\tns\tbytes")
  for count in [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] where count <= max(arguments.count, 10_000_000) {
    for workload in workloads(count) where workload.count > 1_000 && arguments.isWanted(workload.name) {
      // In these workloads, all values wait for a timer or for another pipeline.
      guard count <= 10_000_000 || !["W7", "W8"].contains(workload.name.prefix(2)) else { continue }
      await workload.grow()
    }
  }
  if arguments.isWanted("operators") { for count in [1, 2, 5, 10, 20, 50, 100, 200] { growOperators(count) } }
  if arguments.isWanted("pipelines") { for count in [1, 10, 100, 1_000, 10_000, 100_000] { growPipelines(count) } }
}

private func time(_ unit: Int, _ body: () -> Void) -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  body()
  return start.duration(to: clock.now) / .nanoseconds(1) / Double(unit)
}

private func printLine(_ name: String, _ size: Int, _ nanoseconds: Double, _ bytes: Int) {
  print("\(name)\t\(size)\t\((nanoseconds * 100).rounded() / 100)\t\(bytes)")
}

extension Workload {
  /// Prints what ours takes a value, and what memory it keeps afterwards.
  fileprivate func grow() async {
    let clock = ContinuousClock()
    var best = Double.infinity
    let before = Int(allocated_bytes())
    for _ in 0..<3 {
      let start = clock.now
      _ = await contenders[0].run(count)
      best = min(best, start.duration(to: clock.now) / .nanoseconds(1) / Double(count))
    }
    printLine(name, count, best, Int(allocated_bytes()) - before)
  }
}

/// W2 with more and more operators: nanoseconds an operator and a value, and the bytes that the execution takes.
private func growOperators(_ operators: Int) {
  let texts = (0..<operators).map { place in
    place % 2 == 0
      ? #"{ "map": { "expression": "value + 1" } }"# : #"{ "filter": { "expression": "value % 7 != 7" } }"#
  }
  let text = """
    { "source": { "range": { "from": 1, "through": 100000 } }, "operators": [
    \(texts.joined(separator: ",\n")), { "last": {} }
    ] }
    """
  do {
    let pipeline = try StreamModel(parsing: text).compile()
    let before = Int(allocated_bytes())
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    let bytes = Int(allocated_bytes()) - before
    var last = 0
    let nanoseconds = time(100_000 * operators) { last = number(execution.drain()) }
    guard last == 100_000 + (operators + 1) / 2 else { fatalError("\(operators) operators give \(last)") }
    printLine("operators", operators, nanoseconds, bytes)
  } catch {
    fatalError("\(error)")
  }
}

/// Pipelines that wait, sent values in turn: nanoseconds per value, and bytes per pipeline.
private func growPipelines(_ count: Int) {
  let pipeline = StreamFile("w7").pipeline()
  var executions: [Execution] = []
  executions.reserveCapacity(count)
  let before = Int(allocated_bytes())
  for _ in 0..<count { executions.append(Execution.started(pipeline)) }
  let bytes = (Int(allocated_bytes()) - before) / count
  let turns = max(1, 1_000_000 / count)
  var total = 0
  let nanoseconds = time(turns * count) {
    for turn in 1...turns {
      for execution in executions {
        if case .value(let value)? = execution.next(sending: .int(Int64(2 * turn)), to: 0, at: .zero) {
          total += number(value)
        }
      }
    }
  }
  // Each turn adds 3 · 2 · turn to the total, and publishes the sum.
  let expected = (1...turns).reduce(0) { sum, turn in sum + 3 * turn * (turn + 1) }
  guard total == count * expected else { fatalError("\(count) pipelines give \(total)") }
  printLine("pipelines", count, nanoseconds, bytes)
}

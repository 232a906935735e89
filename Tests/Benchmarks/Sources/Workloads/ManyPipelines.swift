import CMemory
import OpenCombine
import StreamCore
import StreamEngine

// W7: pipelines that wait for values.

private func openCombine(
  _ subject: PassthroughSubject<Int, Never>, _ handle: @escaping (Int) -> Void
) -> AnyCancellable {
  subject.map { $0 * 3 }.filter { $0 % 2 == 0 }.scan(0) { $0 + $1 }.sink(receiveValue: handle)
}

func w7(_ count: Int) -> [Workload] {
  let pipeline = StreamFile("w7").pipeline()
  return [
    Workload(
      "W7, make, subscribe, cancel", count: count,
      [
        Contender(Contender.ours) { count in
          for _ in 0..<count { Execution.started(pipeline).cancel() }
          return 0
        },
        Contender("OpenCombine") { count in
          for _ in 0..<count { openCombine(PassthroughSubject()) { _ in }.cancel() }
          return 0
        },
      ]),
    Workload(
      "W7, send to each", count: count,
      [
        Contender(Contender.ours) { count in
          let executions = (0..<count).map { _ in Execution.started(pipeline) }
          var total = 0
          for (place, execution) in executions.enumerated() {
            if case .value(let value)? = execution.next(sending: .int(Int64(place)), to: 0, at: .zero) {
              total += number(value)
            }
          }
          return total
        },
        Contender("OpenCombine") { count in
          let subjects = (0..<count).map { _ in PassthroughSubject<Int, Never>() }
          var total = 0
          let tokens = subjects.map { openCombine($0) { total += $0 } }
          for (place, subject) in subjects.enumerated() { subject.send(place) }
          for token in tokens { token.cancel() }
          return total
        },
      ]),
  ]
}

/// The bytes that a pipeline takes which waits for values.
func printMemory(_ count: Int) {
  let pipeline = StreamFile("w7").pipeline()
  var executions: [Execution] = []
  executions.reserveCapacity(count)
  var before = Int(allocated_bytes())
  for _ in 0..<count {
    let execution = Execution.started(pipeline)
    _ = execution.next(sending: .int(2), to: 0, at: .zero)
    executions.append(execution)
  }
  let ours = (Int(allocated_bytes()) - before) / count
  executions = []
  var (subjects, tokens): ([PassthroughSubject<Int, Never>], [AnyCancellable]) = ([], [])
  subjects.reserveCapacity(count)
  tokens.reserveCapacity(count)
  before = Int(allocated_bytes())
  var heard = 0
  for _ in 0..<count {
    let subject = PassthroughSubject<Int, Never>()
    subjects.append(subject)
    tokens.append(openCombine(subject) { heard += $0 })
    subject.send(2)
  }
  let theirs = (Int(allocated_bytes()) - before) / count
  for (name, bytes) in [(Contender.ours, ours), ("OpenCombine", theirs)] {
    print("W7, bytes a pipeline\t\(name)\t\(bytes)\t\(Double(bytes * 100 / ours) / 100)")
  }
}

import AsyncAlgorithms
import OpenCombine
import StreamCore
import StreamEngine

// W5: two sources that take turns. A value is one of either.

private func ours(_ file: String) -> Contender {
  let pipeline = StreamFile(file).pipeline()
  return Contender(Contender.ours) { count in
    let execution = Execution.started(pipeline)
    for place in 0..<count {
      while execution.next(sending: .int(Int64(place)), to: place % 2, at: .zero) != nil {}
    }
    execution.finish(0, at: .zero)
    execution.finish(1, at: .zero)
    return number(execution.drain())
  }
}

/// The same numbers with AsyncAlgorithms. The last combination does not depend on the order of the two sequences.
private func newest() -> Contender {
  Contender("AsyncAlgorithms") { count in
    var last = 0
    for await (a, b) in combineLatest(EverySecond(first: 0, limit: count), EverySecond(first: 1, limit: count)) {
      last = a + b
    }
    return last
  }
}

/// Two subjects that are joined in some way, and what the numbers come to.
private func openCombine(
  _ join: @escaping (PassthroughSubject<Int, Never>, PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never>
) -> Contender {
  Contender("OpenCombine") { count in
    var total = 0
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let token = join(a, b).sink { total += $0 }
    for place in 0..<count { (place % 2 == 0 ? a : b).send(place) }
    token.cancel()
    return total
  }
}

/// Numbers of one parity, below a limit.
private struct EverySecond: AsyncSequence, Sendable {
  typealias Element = Int
  let first: Int
  let limit: Int

  struct Iterator: AsyncIteratorProtocol {
    var next: Int
    let limit: Int
    mutating func next() async -> Int? {
      guard next < limit else { return nil }
      defer { next += 2 }
      return next
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(next: first, limit: limit) }
}

func w5(_ count: Int) -> [Workload] {
  [
    Workload(
      "W5, zip", count: count,
      [
        ours("w5-zip"),
        Contender("loop") { count in
          var total = 0
          var waiting: [Int] = []
          for place in 0..<count {
            if place % 2 == 0 { waiting.append(place) } else { total += waiting.removeLast() + place }
          }
          return total
        },
        openCombine { a, b in a.zip(b) { $0 + $1 }.eraseToAnyPublisher() },
        Contender("AsyncAlgorithms") { count in
          var total = 0
          for await (a, b) in zip(EverySecond(first: 0, limit: count), EverySecond(first: 1, limit: count)) {
            total += a + b
          }
          return total
        },
      ]),
    // NB: OpenCombine has no `combineLatest`, and no `merge` but that of `flatMap`.
    Workload(
      "W5, combineLatest", count: count,
      [
        ours("w5-combineLatest"),
        Contender("loop") { count in
          var total = 0
          var last: (Int?, Int?)
          for place in 0..<count {
            if place % 2 == 0 { last.0 = place } else { last.1 = place }
            if let a = last.0, let b = last.1 { total += a + b }
          }
          return total
        },
      ]),
    // NB: the last alone, for AsyncAlgorithms' streams take turns as they like.
    Workload("W5, combineLatest, last", count: count, [ours("w5-newest"), newest()]),
    Workload(
      "W5, merge", count: count,
      [
        ours("w5-merge"), openCombine { a, b in [a, b].publisher.flatMap { $0 }.eraseToAnyPublisher() },
        Contender("AsyncAlgorithms") { count in
          var total = 0
          for await value in merge(EverySecond(first: 0, limit: count), EverySecond(first: 1, limit: count)) {
            total += value
          }
          return total
        },
      ]),
  ]
}

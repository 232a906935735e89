import OpenCombine
import StreamCore
import StreamEngine

// W1 to W3: map, filter and scan over numbers.

/// By hand with closures that the compiler does not see through: what any library of operators comes to at best.
struct Closure<Input, Output> {
  let call: (Input) -> Output

  @inline(never)
  init(_ call: @escaping (Input) -> Output) { self.call = call }
}

func rangeWorkload(_ name: String, _ file: String, count: Int, _ others: [Contender]) -> Workload {
  let pipeline = StreamFile(file).pipeline(through: count)
  let ours = Contender(Contender.ours) { _ in
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    return number(execution.drain())
  }
  return Workload(name, count: count, [ours] + others)
}

func w1(_ count: Int) -> Workload {
  rangeWorkload(
    "W1", "w1", count: count,
    [
      Contender("loop, opaque closures") { count in
        let triple = Closure<Int, Int> { $0 * 3 }
        let isEven = Closure<Int, Bool> { $0 % 2 == 0 }
        let add = Closure<(Int, Int), Int> { $0.0 + $0.1 }
        var total = 0
        for value in 1...count {
          let tripled = triple.call(value)
          if isEven.call(tripled) { total = add.call((total, tripled)) }
        }
        return total
      },
      Contender("loop, inlined") { count in
        var total = 0
        for value in 1...count where value * 3 % 2 == 0 { total += value * 3 }
        return total
      },
      Contender("OpenCombine") { count in
        var last = 0
        let subject = PassthroughSubject<Int, Never>()
        let token = subject.map { $0 * 3 }.filter { $0 % 2 == 0 }.scan(0) { $0 + $1 }.sink { last = $0 }
        for value in 1...count { subject.send(value) }
        token.cancel()
        return last
      },
      Contender("OpenCombine, from a sequence") { count in
        var last = 0
        let token = (1...count).publisher.map { $0 * 3 }.filter { $0 % 2 == 0 }.scan(0) { $0 + $1 }.sink { last = $0 }
        token.cancel()
        return last
      },
    ])
}

func w2(_ count: Int) -> Workload {
  rangeWorkload(
    "W2", "w2", count: count,
    [
      Contender("loop, opaque closures") { count in
        let steps = (0..<5).map { _ in (Closure<Int, Int> { $0 + 1 }, Closure<Int, Bool> { $0 % 7 != 0 }) }
        var last = 0
        values: for value in 1...count {
          var value = value
          for (add, passes) in steps {
            value = add.call(value)
            if !passes.call(value) { continue values }
          }
          last = value
        }
        return last
      },
      Contender("OpenCombine") { count in
        var last = 0
        let subject = PassthroughSubject<Int, Never>()
        let token = subject.map { $0 + 1 }.filter { $0 % 7 != 0 }.map { $0 + 1 }.filter { $0 % 7 != 0 }
          .map { $0 + 1 }.filter { $0 % 7 != 0 }.map { $0 + 1 }.filter { $0 % 7 != 0 }
          .map { $0 + 1 }.filter { $0 % 7 != 0 }.sink { last = $0 }
        for value in 1...count { subject.send(value) }
        token.cancel()
        return last
      },
    ])
}

/// Values of unknown types, with type erasure after each operator.
func w3(_ count: Int) -> Workload {
  let pipeline = StreamFile("w3").pipeline()
  return Workload(
    "W3", count: count,
    [
      Contender(Contender.ours) { count in
        let execution = Execution.started(pipeline)
        for value in 1...Int64(count) { while execution.next(sending: .int(value), to: 0, at: .zero) != nil {} }
        execution.finish(0, at: .zero)
        return number(execution.drain())
      },
      Contender("loop, opaque closures over an enum") { count in
        let triple = Closure<Value, Value> { if case .int(let value) = $0 { .int(value * 3) } else { .null } }
        let isEven = Closure<Value, Bool> { if case .int(let value) = $0 { value % 2 == 0 } else { false } }
        let add = Closure<(Value, Value), Value> {
          if case (.int(let sum), .int(let value)) = $0 { .int(sum + value) } else { .null }
        }
        var total = Value.int(0)
        for value in 1...Int64(count) {
          let tripled = triple.call(.int(value))
          if isEven.call(tripled) { total = add.call((total, tripled)) }
        }
        return number(total)
      },
      Contender("OpenCombine, types erased") { count in
        var last = Value.null
        let subject = PassthroughSubject<Value, Never>()
        let token =
          subject
          .map { value -> Value in if case .int(let value) = value { .int(value * 3) } else { .null } }
          .eraseToAnyPublisher()
          .filter { if case .int(let value) = $0 { value % 2 == 0 } else { false } }.eraseToAnyPublisher()
          .scan(Value.int(0)) { sum, value in
            if case (.int(let sum), .int(let value)) = (sum, value) { .int(sum + value) } else { .null }
          }
          .eraseToAnyPublisher().sink { last = $0 }
        for value in 1...Int64(count) { subject.send(.int(value)) }
        token.cancel()
        return number(last)
      },
    ])
}

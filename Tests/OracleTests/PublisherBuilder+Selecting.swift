import StreamCombine
import StreamCore

extension PublisherBuilder {
  func select(
    from upstream: ValuePublisher, by operation: OperatorDescription, _ variables: Formula.Variables
  ) -> ValuePublisher {
    switch operation {
    case .filter(let formula):
      let (test, total) = tests(formula, variables)
      return formula.canFail
        ? upstream.tryFilter(test).eraseToAnyPublisher() : upstream.filter(total).eraseToAnyPublisher()
    case .removeDuplicates(nil): return upstream.removeDuplicates().eraseToAnyPublisher()
    case .removeDuplicates(let formula?):
      return upstream.tryRemoveDuplicates { previous, value in
        try formula.apply(Formula.Variables(first: previous, second: value)).isTrue
      }.eraseToAnyPublisher()
    case .drop(let count):
      let drop = { (upstream: ValuePublisher) in upstream.dropFirst(count).eraseToAnyPublisher() }
      return decisions.contains(.asksWhenAsked) ? askingWhenAsked(upstream, drop) : drop(upstream)
    case .dropWhile(let formula):
      let (test, total) = tests(formula, variables)
      return formula.canFail
        ? upstream.tryDrop(while: test).eraseToAnyPublisher() : upstream.drop(while: total).eraseToAnyPublisher()
    case .dropUntil(let stream):
      let other = publisher(for: stream, variables)
      guard decisions.contains(.dropUntilMakesGood) else {
        return subscriptionFirst(upstream.drop(untilOutputFrom: other)).eraseToAnyPublisher()
      }
      return Deferred {
        let makingGood = MakingGood()
        return CountedPublisher(upstream: upstream, makingGood: makingGood).drop(untilOutputFrom: other)
          .handleEvents(
            receiveSubscription: { makingGood.subscription = $0 },
            receiveOutput: { _ in makingGood.passedCount += 1 },
            receiveCancel: { makingGood.subscription = nil })
      }.eraseToAnyPublisher()
    case .prefix(let count): return output(of: upstream, 0..<count)
    case .prefixWhile(let formula):
      let (test, total) = tests(formula, variables)
      return formula.canFail
        ? upstream.tryPrefix(while: test).eraseToAnyPublisher() : upstream.prefix(while: total).eraseToAnyPublisher()
    case .prefixUntil(let stream):
      return subscriptionFirst(upstream.prefix(untilOutputFrom: publisher(for: stream, variables)))
        .eraseToAnyPublisher()
    case .first(nil): return upstream.first().eraseToAnyPublisher()
    case .first(let formula?):
      let (test, total) = tests(formula, variables)
      return formula.canFail
        ? upstream.tryFirst(where: test).eraseToAnyPublisher() : upstream.first(where: total).eraseToAnyPublisher()
    case .last(nil): return upstream.last().eraseToAnyPublisher()
    case .last(let formula?):
      let (test, total) = tests(formula, variables)
      return formula.canFail
        ? upstream.tryLast(where: test).eraseToAnyPublisher() : upstream.last(where: total).eraseToAnyPublisher()
    case .outputAt(let index): return output(of: upstream, index..<index + 1)
    case .output(let from, let through): return output(of: upstream, from..<(through.map { $0 + 1 } ?? .max))
    case .ignoreOutput:
      return upstream.ignoreOutput().map(\.value).eraseToAnyPublisher()
    default: return upstream
    }
  }

  private func output(of upstream: ValuePublisher, _ range: Range<Int>) -> ValuePublisher {
    guard decisions.contains(.outputFinishesWithLastValue) else {
      return upstream.output(in: range).eraseToAnyPublisher()
    }
    guard !range.isEmpty else { return Self.empty }
    return OutputWithLastValue(upstream: upstream, range: range).eraseToAnyPublisher()
  }

  /// A formula as a condition: a form that may throw, and a form that does not.
  private func tests(
    _ formula: Formula, _ variables: Formula.Variables
  ) -> (throwing: (Value) throws -> Bool, total: (Value) -> Bool) {
    let function = Self.function(formula, variables)
    let total = Self.total(formula, variables)
    return ({ try function($0).isTrue }, { total($0).isTrue })
  }
}

extension Never {
  /// A value of a publisher that has none.
  fileprivate var value: Value { switch self {} }
}

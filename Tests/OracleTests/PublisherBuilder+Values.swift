import StreamCombine
import StreamCore

extension PublisherBuilder {
  func transform(
    _ upstream: ValuePublisher, by operation: OperatorDescription, _ variables: Formula.Variables
  ) -> ValuePublisher {
    switch operation {
    case .map(let formula):
      let function = Self.function(formula, variables)
      let total = Self.total(formula, variables)
      return formula.canFail
        ? upstream.tryMap(function).eraseToAnyPublisher() : upstream.map(total).eraseToAnyPublisher()
    case .compactMap(let formula):
      let function = Self.function(formula, variables)
      let total = Self.total(formula, variables)
      return formula.canFail
        ? upstream.tryCompactMap { try function($0).unlessNull }.eraseToAnyPublisher()
        : upstream.compactMap { total($0).unlessNull }.eraseToAnyPublisher()
    case .scan(let initial, let formula):
      return upstream.scan(initial, Self.folding(formula)).eraseToAnyPublisher()
    case .reduce(let initial, let formula):
      return upstream.reduce(initial, Self.folding(formula)).eraseToAnyPublisher()
    case .collect(let count?):
      return upstream.collect(count).map { Value.list($0) }.eraseToAnyPublisher()
    case .collect(nil):
      return upstream.collect().map { Value.list($0) }.eraseToAnyPublisher()
    case .replaceNil(let value):
      return upstream.map(\.unlessNull).replaceNil(with: value).eraseToAnyPublisher()
    case .flatMap(let stream, let most):
      let start = inner(stream, variables)
      let queues = decisions.contains(.flatMapQueues) && most != nil
      let flatten = { (upstream: ValuePublisher) in
        let source =
          queues
          ? upstream.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher() : upstream
        return source.flatMap(maxPublishers: most.map { .max($0) } ?? .unlimited, start).eraseToAnyPublisher()
      }
      return decisions.contains(.asksWhenAsked) ? askingWhenAsked(upstream, flatten) : flatten(upstream)
    case .switchMap(let stream):
      let start = inner(stream, variables)
      let flatten = { (upstream: ValuePublisher) in upstream.map(start).switchToLatest().eraseToAnyPublisher() }
      return decisions.contains(.asksWhenAsked) ? askingWhenAsked(upstream, flatten) : flatten(upstream)
    default: return upstream
    }
  }

  func summarize(
    _ upstream: ValuePublisher, by operation: OperatorDescription, _ variables: Formula.Variables
  ) -> ValuePublisher {
    switch operation {
    case .count: return upstream.count().map { Value.int(Int64($0)) }.eraseToAnyPublisher()
    case .min(let formula?) where formula.canFail:
      return upstream.tryMin(by: Self.ordering(formula)).eraseToAnyPublisher()
    case .min(let formula):
      let isLess = Self.totalOrdering(formula)
      return upstream.min(by: isLess).eraseToAnyPublisher()
    case .max(let formula?) where formula.canFail:
      return upstream.tryMax(by: Self.ordering(formula)).eraseToAnyPublisher()
    case .max(let formula):
      let isLess = Self.totalOrdering(formula)
      return upstream.max(by: isLess).eraseToAnyPublisher()
    case .containsValue(let value): return upstream.contains(value).map(Value.bool).eraseToAnyPublisher()
    case .contains(let formula):
      let function = Self.function(formula, variables)
      let total = Self.total(formula, variables)
      return formula.canFail
        ? upstream.tryContains { try function($0).isTrue }.map(Value.bool).eraseToAnyPublisher()
        : upstream.contains { total($0).isTrue }.map(Value.bool).eraseToAnyPublisher()
    case .allSatisfy(let formula):
      let function = Self.function(formula, variables)
      let total = Self.total(formula, variables)
      return formula.canFail
        ? upstream.tryAllSatisfy { try function($0).isTrue }.map(Value.bool).eraseToAnyPublisher()
        : upstream.allSatisfy { total($0).isTrue }.map(Value.bool).eraseToAnyPublisher()
    default: return upstream
    }
  }

  private func inner(_ stream: StreamDescription, _ variables: Formula.Variables) -> (Value) -> ValuePublisher {
    { value in
      var variables = variables
      variables.outer = value
      return self.publisher(for: stream, variables)
    }
  }

  private static func folding(_ formula: Formula) -> (Value, Value) -> Value {
    { acc, value in
      var variables = Formula.Variables()
      variables.acc = acc
      variables.value = value
      return (try? formula.apply(variables)) ?? .null
    }
  }

  private static func ordering(_ formula: Formula) -> (Value, Value) throws -> Bool {
    { first, second in
      var variables = Formula.Variables()
      variables.first = first
      variables.second = second
      return try formula.apply(variables).number < 0
    }
  }

  private static func totalOrdering(_ formula: Formula?) -> (Value, Value) -> Bool {
    guard let formula else { return { $0.number < $1.number } }
    let ordering = ordering(formula)
    return { (try? ordering($0, $1)) ?? false }
  }
}

extension Value {
  /// The value; nothing for a null.
  var unlessNull: Value? { self == .null ? nil : self }
}

import StreamCore

/// Estimates the cost of a syntax tree and the number of elements of its lists.
struct CostEstimator {
  let syntax: Syntax
  private var reason: Cost.Reason?
  /// The bound names with the sizes of their values, the innermost last; loop variables are of any size.
  private var names: [(name: String, size: Span)] = []

  /// A range of counts; `greatest` is nil if there is no upper bound.
  struct Span {
    var least: Int
    var greatest: Int?

    static let one = Span(least: 1, greatest: 1)
    static let any = Span(least: 0, greatest: nil)
    static func exactly(_ count: Int) -> Span { Span(least: count, greatest: count) }

    static func + (a: Span, b: Span) -> Span {
      Span(least: add(a.least, b.least), greatest: zip(a.greatest, b.greatest, add))
    }

    static func * (a: Span, b: Span) -> Span {
      // Zero times an unbounded count is zero.
      let greatest = a.greatest == 0 || b.greatest == 0 ? 0 : zip(a.greatest, b.greatest, multiply)
      return Span(least: multiply(a.least, b.least), greatest: greatest)
    }

    func union(_ other: Span) -> Span {
      Span(least: min(least, other.least), greatest: Self.zip(greatest, other.greatest, max))
    }

    private static func zip(_ a: Int?, _ b: Int?, _ body: (Int, Int) -> Int) -> Int? {
      guard let a, let b else { return nil }
      return body(a, b)
    }

    private static func add(_ a: Int, _ b: Int) -> Int {
      let (sum, overflow) = a.addingReportingOverflow(b)
      return overflow ? .max : sum
    }

    private static func multiply(_ a: Int, _ b: Int) -> Int {
      let (product, overflow) = a.multipliedReportingOverflow(by: b)
      return overflow ? .max : product
    }
  }

  init(_ syntax: Syntax) { self.syntax = syntax }

  static func estimate(_ syntax: Syntax) -> Cost {
    var estimator = CostEstimator(syntax)
    let (cost, _) = estimator.visit(syntax.root)
    return Cost(
      minimum: cost.least, maximum: cost.greatest, reason: cost.greatest == nil ? estimator.reason : nil)
  }

  private typealias Estimate = (cost: Span, size: Span)

  private mutating func visit(_ id: Syntax.ID) -> Estimate {
    switch syntax.nodes[id] {
    case .literal(.list(let list)): return (.one, .exactly(list.count))
    case .literal, .message: return (.one, .any)
    case .name(let name, _): return (.one, names.last { $0.name == name }?.size ?? .any)
    case .select(let operand, _, _): return (.one + visit(operand).cost, .any)
    case .list(let elements): return (.one + sum(elements), size(of: elements))
    case .map(let keys, let values): return (.one + sum(keys) + sum(values), size(of: values))
    case .comprehension(let loop): return visit(loop)
    case .call(let function, let target, let arguments):
      return call(function, target.map { [$0] + arguments } ?? arguments)
    }
  }

  private mutating func sum(_ ids: [Syntax.ID]) -> Span {
    var total = Span.exactly(0)
    for id in ids { total = total + visit(id).cost }
    return total
  }

  private func size(of elements: [Syntax.ID]) -> Span {
    let optionals = elements.count {
      if case .call(Operators.optionalElement, _, _) = syntax.nodes[$0] { true } else { false }
    }
    return Span(least: elements.count - optionals, greatest: elements.count)
  }

  private mutating func call(_ function: String, _ arguments: [Syntax.ID]) -> Estimate {
    switch (function, arguments.count) {
    case (Operators.and, 2), (Operators.or, 2):
      // The right operand may be skipped.
      let right = visit(arguments[1]).cost
      return (.one + visit(arguments[0]).cost + Span(least: 0, greatest: right.greatest), .any)
    case (Operators.conditional, 3):
      let (positive, negative) = (visit(arguments[1]), visit(arguments[2]))
      return (
        .one + visit(arguments[0]).cost + positive.cost.union(negative.cost), positive.size.union(negative.size)
      )
    case (Operators.add, 2):
      let (left, right) = (visit(arguments[0]), visit(arguments[1]))
      return (.one + left.cost + right.cost, left.size + right.size)
    case ("lists.range", 1), ("range", 2):
      // NB: In a call with a dot, the function's namespace is the target, and thus the first argument here.
      guard let count = arguments.last, case .literal(.int(let count)) = syntax.nodes[count] else { break }
      return (.exactly(2), .exactly(Int(clamping: max(count, 0))))
    case ("reverse", 1), ("sort", 1), ("@sortByKeys", 2), ("keys", 1), ("values", 1):
      let list = visit(arguments[0])
      return (.one + list.cost + sum(Array(arguments.dropFirst())), list.size)
    default: break
    }
    return (.one + sum(arguments), .any)
  }

  private mutating func visit(_ loop: Syntax.Comprehension) -> Estimate {
    let collection = visit(loop.range)
    let initial = visit(loop.initial)
    let isBinding = collection.size.greatest == 0
    let depth = names.count
    names.append((loop.accumulator, isBinding ? initial.size : .any))
    names.append((loop.variable, .any))
    if let second = loop.secondVariable { names.append((second, .any)) }
    let before = reason
    let round = round(loop)
    if isBinding { reason = before }
    names.removeLast(names.count - depth)
    names.append((loop.accumulator, isBinding ? initial.size : .any))
    let result = visit(loop.result)
    names.removeLast()
    if collection.size.greatest == nil && reason == nil {
      reason = Cost.Reason(
        text: "the comprehension over `\(syntax.text(of: loop.range))`", range: syntax.ranges[loop.range])
    }
    // Loops that stop early may stop after the first round.
    var rounds = collection.size
    if case .literal(.bool(true)) = syntax.nodes[loop.condition] {} else { rounds.least = min(rounds.least, 1) }
    let cost = .one + collection.cost + initial.cost + rounds * round + result.cost
    return (cost, isBinding ? result.size : collected(loop, collection.size))
  }

  /// Returns the cost of a round. If a round only appends or inserts, the plan evaluates nothing but the predicate and
  /// the element.
  private mutating func round(_ loop: Syntax.Comprehension) -> Span {
    guard case .literal(.bool(true)) = syntax.nodes[loop.condition] else {
      return visit(loop.condition).cost + visit(loop.step).cost
    }
    var predicate = Span.exactly(0)
    var step = loop.step
    if case .call(Operators.conditional, _, let parts) = syntax.nodes[step], parts.count == 3, added(parts[1]) != nil {
      predicate = visit(parts[0]).cost
      step = parts[1]
    }
    guard let parts = added(step) else { return .one + visit(step).cost }
    let element = sum(parts)
    return predicate + (step == loop.step ? element : Span(least: 0, greatest: element.greatest))
  }

  /// Returns the expressions that a step appends to the accumulator's list or inserts into its map; nil if there are
  /// none.
  private func added(_ step: Syntax.ID) -> [Syntax.ID]? {
    guard case .call(let function, nil, let arguments) = syntax.nodes[step], let first = arguments.first,
      case .name(Parser.accumulator, _) = syntax.nodes[first]
    else { return nil }
    if function == Operators.mapInsert { return Array(arguments.dropFirst()) }
    guard function == Operators.add, arguments.count == 2, case .list(let elements) = syntax.nodes[arguments[1]] else {
      return nil
    }
    return elements
  }

  /// Returns the size of a loop's result: at most one element per round if the loop appends to a list or a map.
  private func collected(_ loop: Syntax.Comprehension, _ rounds: Span) -> Span {
    // The step of 'fold' may build anything.
    guard loop.accumulator == Parser.accumulator else { return .any }
    switch syntax.nodes[loop.initial] {
    case .list(let elements) where elements.isEmpty: break
    case .map(let keys, _) where keys.isEmpty: break
    default: return .any
    }
    if case .call(Operators.conditional, _, _) = syntax.nodes[loop.step] {
      return Span(least: 0, greatest: rounds.greatest)
    }
    if case .call(Operators.mapInsert, _, let arguments) = syntax.nodes[loop.step], arguments.count == 2 { return .any }
    return rounds
  }
}

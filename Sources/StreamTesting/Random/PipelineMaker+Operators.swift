internal import StreamCore

extension PipelineMaker {
  /// Returns operators over values of a kind: as many as fit, mostly with an aggregate at the end, so that the stream
  /// publishes nothing before its completion.
  mutating func operators(over kind: inout Kind) -> [Value] {
    var placed: [Value] = []
    for _ in 0..<(1 + generator.below(depth == 0 ? 5 : 3)) { placed += flavored(&kind) ?? [operation(&kind)] }
    if generator.below(isPlain ? 12 : flavors.isEmpty ? 4 : 2) > 0 { placed.append(summary(kind)) }
    guard generator.happens(oneIn: 2) else { return placed }
    return placed.map { value in
      guard case .map(let map) = value, generator.below(3) > 0 else { return value }
      return .map(ValueMap(map.pairs.map { ($0, $1) } + [("onError", generator.pick(["skip", "fail"]))]))
    }
  }

  /// Returns operators of one of the pipeline's flavors, or nil for an operator of any pipeline.
  private mutating func flavored(_ kind: inout Kind) -> [Value]? {
    guard !flavors.isEmpty, depth < 3, generator.below(2 + 2 * depth) == 0 else { return nil }
    switch generator.pick(flavors) {
    case .joins: return joined(&kind)
    case .keys: return keyed(&kind)
    case .timers: return timed(kind)
    case .innerStreams: return nested(&kind)
    case .machines: return machine()
    }
  }

  /// Returns the text of an expression.
  ///
  /// - Parameter hasIndex: Whether the expression may use `index`.
  mutating func text(
    _ result: Kind, over kind: Kind, _ others: [Name] = [], depth: Int = 3, hasIndex: Bool = true
  ) -> Value {
    .string(text(result, seeing: variables("value", kind) + others, depth: depth, hasIndex: hasIndex))
  }

  mutating func text(_ result: Kind, seeing variables: [Name], depth: Int = 3, hasIndex: Bool = false) -> String {
    names = variables + captured
    if !isPlain, generator.happens(oneIn: 8), hasIndex { names.append(("index", .int)) }
    return expression(result, depth: 1 + generator.below(isPlain ? 2 : depth))
  }

  private mutating func operation(_ kind: inout Kind) -> Value {
    switch generator.below(isPlain && generator.below(8) > 0 ? 14 : 24) {
    case 0, 1, 2, 3, 4, 5: return map(&kind)
    case 6, 7, 8, 9: return ["filter": ["expression": text(.bool, over: kind)]]
    case 10, 11, 12: return scan(&kind)
    case 13, 14:
      guard !isPlain, generator.happens(oneIn: 3) else { return ["removeDuplicates": .map(ValueMap())] }
      return ["removeDuplicates": ["key": text(.int, over: kind, hasIndex: false)]]
    case 15: return ["drop": ["count": .int(Int64(generator.below(60)))]]
    case 16: return ["prefix": ["count": .int(Int64(generator.pick([1, 31, 32, 40, 100, 700])))]]
    case 17: return ["prefixWhile": ["expression": .string("(\(expressionText(kind))) || index < 40")]]
    case 18: return ["dropWhile": ["expression": text(.bool, over: kind)]]
    case 19: return ["replaceNil": ["with": kind == .double ? 0.5 : kind == .bool ? true : 3]]
    case 20: return generator.happens(oneIn: 2) ? ["unwrap": .map(ValueMap())] : ["output": ["from": 2]]
    case 21:
      guard kind == .int || kind == .double else { return ["output": ["from": 1, "through": 40]] }
      return ["withPrevious": ["initialValue": kind == .int ? 0 : 0.5, "expression": "value - previous"]]
    default:
      guard generator.happens(oneIn: 2), kind != .record else {
        return ["validate": ["expression": .string("(\(expressionText(kind))) || index < 50")]]
      }
      let (condition, result) = (expressionText(kind), expressionText(kind, .int))
      kind = .int
      return ["compactMap": ["expression": .string("(\(condition)) ? dyn(\(result)) : null")]]
    }
  }

  private mutating func expressionText(_ kind: Kind, _ result: Kind = .bool) -> String {
    guard case .string(let text) = text(result, over: kind) else { return "true" }
    return text
  }

  /// Returns a map; one in six passes the value unchanged, directly or in a conditional.
  private mutating func map(_ kind: inout Kind) -> Value {
    switch generator.below(12) {
    case 0: return ["map": ["expression": "value"]]
    case 1: return ["map": ["expression": .string("(\(expressionText(kind))) ? value : value")]]
    default: break
    }
    let before = kind
    if !isPlain, generator.happens(oneIn: 10) {
      kind = .record
      let fields = [("isOn", Kind.bool), ("t", .int), ("z", .double)].map { name, kind in
        "'\(name)': \(expressionText(before, kind))"
      }
      return ["map": ["expression": .string("{\(fields.joined(separator: ", "))}")]]
    }
    kind = generator.pick([.int, .int, .int, .int, .double, .double, .bool])
    return ["map": ["expression": text(kind, over: before)]]
  }

  /// Returns a scan whose state is a record. Its fields mostly keep the types that they have in the initial value.
  private mutating func recordScan(_ kind: inout Kind) -> Value {
    let initial: Value = [
      "isOn": generator.happens(oneIn: 6) ? .null : false, "t": generator.happens(oneIn: 4) ? 0.5 : 1,
      "z": generator.happens(oneIn: 4) ? 2 : 0.25,
    ]
    let known = variables("value", kind) + variables("acc", .record) + captured
    let fields = [("isOn", Kind.bool), ("t", .int), ("z", .double)].map { name, kind in
      let next = text(kind, seeing: known, depth: 2)
      let grown = kind == .bool ? next : "acc.\(name) + \(next)"
      let odd = "(acc.t == 2 ? dyn(null) : dyn(\(next)))"
      return "'\(name)': \(generator.happens(oneIn: 12) ? odd : generator.happens(oneIn: 2) ? grown : next)"
    }
    var expression = "{\(fields.joined(separator: ", "))}"
    if generator.happens(oneIn: 4) { expression = "(\(text(.bool, seeing: known, depth: 2)) ? acc : \(expression))" }
    kind = .record
    return ["scan": ["initialValue": initial, "expression": .string(expression)]]
  }

  private mutating func scan(_ kind: inout Kind) -> Value {
    if generator.happens(oneIn: isPlain ? 40 : 4) { return recordScan(&kind) }
    let result = kind == .double && generator.below(3) > 0 ? .double : generator.pick([.int, .int, .double] as [Kind])
    let initial: Value = result == .int ? .int(Int64(generator.below(8)) - 2) : .double(0.5)
    let own = variables("value", kind).first { $0.kind == result }?.name
    let expression: String
    switch generator.below(isPlain && generator.below(4) > 0 ? 3 : 6) {
    case 0, 1: expression = "acc + \(own ?? (result == .int ? "1" : "0.25"))"
    case 2: expression = "acc + \(result == .int ? "1" : "0.5")"
    case 3:
      let other = own ?? (result == .int ? "7" : "7.5")
      expression = generator.pick(["acc > \(other) ? acc : \(other)", "acc < \(other) ? acc : \(other)", other])
    case 4:
      guard case .string(let added) = text(result, over: kind) else { expression = "acc"; break }
      expression = "acc + \(added)"
    default:
      guard case .string(let text) = text(result, over: kind, [("acc", result)], depth: 2) else {
        expression = "acc"
        break
      }
      expression = text
    }
    kind = result
    return ["scan": ["initialValue": initial, "expression": .string(expression)]]
  }

  private mutating func summary(_ kind: Kind) -> Value {
    let empty = Value.map(ValueMap())
    let isNumber = kind == .int || kind == .double
    switch generator.below(isPlain && generator.below(4) > 0 ? 7 : 14) {
    case 0, 1, 2: return ["count": empty]
    case 3, 4: return ["last": empty]
    case 5 where isNumber, 6 where isNumber: return ["sum": empty]
    case 7 where isNumber: return ["min": empty]
    case 8 where isNumber: return ["max": empty]
    case 9 where isNumber: return ["average": empty]
    case 10: return ["first": ["expression": .string("(\(expressionText(kind))) && index > 40")]]
    case 11: return ["contains": ["expression": .string("(\(expressionText(kind))) && index > 70")]]
    case 12: return ["allSatisfy": ["expression": .string("(\(expressionText(kind))) || index < 90")]]
    case 13 where isNumber:
      let initial: Value = kind == .int ? 1 : 0.5
      return ["reduce": ["initialValue": initial, "expression": .string("acc + value")]]
    default: return ["sum": ["expression": text(.int, over: kind)]]
    }
  }
}

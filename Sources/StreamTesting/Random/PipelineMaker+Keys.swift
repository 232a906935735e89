internal import StreamCore

extension PipelineMaker {
  /// Returns an operator that runs others for each key, or for each window.
  mutating func keyed(_ kind: inout Kind) -> [Value] {
    generator.happens(oneIn: 4) ? windowed(&kind) : grouped(&kind)
  }

  private mutating func grouped(_ kind: inout Kind) -> [Value] {
    let (key, keyKind) = key(over: kind)
    var fields: [(Value, Value)] = [("key", .string(key))]
    if generator.happens(oneIn: 4) {
      let before = kind
      kind = generator.pick([.int, .double, .bool] as [Kind])
      fields.append(("element", text(kind, over: before)))
    }
    fields.append(("operators", .list(inner(&kind, keyKind.map { [("key", $0)] } ?? []))))
    if generator.happens(oneIn: 6) { fields.append(("idle", seconds())) }
    if generator.happens(oneIn: 6) {
      fields.append(("until", ["source": ["timer": ["every": seconds(), "count": 1]]]))
    }
    if generator.happens(oneIn: 6) {
      fields.append(("limit", .int(Int64(generator.pick([1, 2, 5])))))
      fields.append(("whenFull", generator.pick(["fail", "evictOldest", "evictOldest"])))
    }
    return [["groupBy": .map(ValueMap(fields))]]
  }

  private mutating func windowed(_ kind: inout Kind) -> [Value] {
    var fields: [(Value, Value)] =
      switch generator.below(6) {
      case 0, 1, 2: [("count", .int(Int64(generator.pick([1, 2, 3, 10, 64]))))]
      case 3: [("count", 3), ("startEvery", .int(Int64(1 + generator.below(5))))]
      case 4: [("seconds", seconds())]
      default: [("expression", text(.bool, over: kind))]
      }
    fields.append(("operators", .list(inner(&kind, [("windowIndex", .int)]))))
    return [["window": .map(ValueMap(fields))]]
  }

  /// Returns the operators of a group; some end before the group does.
  private mutating func inner(_ kind: inout Kind, _ variables: [Name]) -> [Value] {
    let before = kind
    var after = kind
    let placed = within(variables) { maker -> [Value] in
      let summary = maker.generator.happens(oneIn: 4) ? maker.generator.pick(["count", "sum", "last", "first"]) : nil
      guard let summary else { return maker.steps(of: before, &after) }
      let steps = maker.generator.happens(oneIn: 4) ? [] : maker.steps(of: before, &after)
      if summary == "sum", after != .int, after != .double { return steps }
      if summary == "count" { after = .int }
      let behind = maker.generator.happens(oneIn: 2) ? [] : maker.operators(over: &after)
      return steps + [.map(ValueMap([(.string(summary), .map(ValueMap()))]))] + behind
    }
    kind = after
    return placed
  }

  /// Returns operators that publish values before the group ends, or without waiting for its end.
  private mutating func steps(of before: Kind, _ after: inout Kind) -> [Value] {
    switch generator.below(9) {
    case 0: return [["prefix": ["count": .int(Int64(1 + generator.below(3)))]]]
    case 1: return [["first": .map(ValueMap())]]
    case 2:
      after = .int
      return [["scan": ["initialValue": 0, "expression": "acc + 1"]]]
    case 3:
      after = .int
      return [["count": .map(ValueMap())]]
    case 4: return [["scan": ["initialValue": zero(before), "expression": "value"]]]
    case 5:
      let first = generator.happens(oneIn: 2) ? [] : operators(over: &after)
      let timed: [Value] =
        generator.happens(oneIn: 2)
        ? [["debounce": ["seconds": seconds(), "onFinish": generator.pick(["drop", "flush"])]]]
        : [["timeout": ["seconds": seconds()]]]
      return first + timed + (generator.happens(oneIn: 2) ? [] : operators(over: &after))
    default: return operators(over: &after)
    }
  }

  private func zero(_ kind: Kind) -> Value {
    switch kind {
    case .int: 0
    case .double: 0.5
    case .bool: false
    case .record: ["isOn": false, "t": 0, "z": 0.5]
    }
  }

  /// Returns an expression for a key, and the key's kind if expressions may use it as a number.
  private mutating func key(over kind: Kind) -> (text: String, kind: Kind?) {
    names = variables("value", kind) + captured
    let number = generator.happens(oneIn: 3) ? expression(.int, depth: 1) : expression(.int, depth: 0)
    let base = "(\(number) % \(generator.pick([2, 3, 5, 40, 100_000])))"
    switch generator.below(11) {
    case 0: return ("string(\(base))", nil)
    case 1: return ("(\(base) % 2 == 0 ? dyn(double(\(base))) : dyn(\(base)))", nil)
    case 2: return ("\(base) > 0", .bool)
    case 3: return ("(\(base) == 0 ? dyn(null) : dyn(\(base)))", nil)
    case 4: return ("{'k': \(base)}", nil)
    case 5: return ("[\(base), 1]", nil)
    case 6: return ("double(\(base)) / 2.0", .double)
    case 7: return ("value", nil)
    default: return (base, .int)
    }
  }
}

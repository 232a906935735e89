internal import StreamCore

extension PipelineMaker {
  /// Returns an operator that joins the stream with another one or two.
  mutating func joined(_ kind: inout Kind) -> [Value] {
    var others: [(stream: Value, kind: Kind)] = []
    for _ in 0..<(generator.happens(oneIn: 4) ? 2 : 1) { others.append(otherStream()) }
    let with = Value.list(others.map(\.stream))
    switch generator.below(12) {
    case 0, 1: return [["merge": ["with": with]]]
    case 2:
      let name = generator.pick(["append", "prepend", "race"])
      return [[.string(name): ["with": with]]]
    case 3: return [["mergeOrdered": ["with": with]]]
    case 4: return tuple("forkJoin", with, others.map(\.kind), &kind)
    case 5, 6, 7: return tuple("combineLatest", with, others.map(\.kind), &kind)
    case 8, 9: return tuple("zip", with, others.map(\.kind), &kind)
    default: return tuple("withLatestFrom", with, others.map(\.kind), &kind)
    }
  }

  /// Returns a join that publishes values together: as the result of an expression, or as a list or record whose
  /// members the next operator selects.
  private mutating func tuple(_ name: String, _ with: Value, _ others: [Kind], _ kind: inout Kind) -> [Value] {
    let members = ["p", "q", "r"].prefix(others.count + 1).map { $0 }
    let kinds = [kind] + others
    let isNamed = generator.happens(oneIn: 2)
    var fields: [(Value, Value)] = [("with", with)]
    if isNamed { fields.append(("names", .list(members.map { .string($0) }))) }
    if name == "combineLatest", generator.happens(oneIn: 6) { fields.append(("atomic", true)) }
    guard generator.below(4) > 0 else {
      let place = generator.below(kinds.count)
      kind = kinds[place]
      return [
        [.string(name): .map(ValueMap(fields))],
        ["map": ["expression": .string(isNamed ? "value.\(members[place])" : "value[\(place)]")]],
      ]
    }
    let result = generator.pick([.int, .int, .double, .bool] as [Kind])
    let seen = kinds.indices.flatMap { place in
      variables(isNamed ? members[place] : "values[\(place)]", kinds[place])
    }
    fields.append(("expression", .string(text(result, seeing: seen))))
    kind = result
    return [[.string(name): .map(ValueMap(fields))]]
  }

  /// Returns a stream to join: an input, or a source with a few values.
  mutating func otherStream() -> (stream: Value, kind: Kind) {
    if !otherInputs.isEmpty, generator.below(4) > 0 {
      let input = generator.pick(otherInputs)
      guard generator.happens(oneIn: 3) else { return (.string(input.name), input.kind) }
      var kind = input.kind
      depth += 1
      defer { depth -= 1 }
      let placed = operators(over: &kind)
      return (["source": ["input": ["name": .string(input.name)]], "operators": .list(placed)], kind)
    }
    switch generator.below(5) {
    case 0: return (["source": ["range": ["from": 0, "through": .int(Int64(generator.below(70)))]]], .int)
    case 1: return (["source": ["timer": ["every": seconds(), "count": .int(Int64(generator.below(6)))]]], .int)
    case 2: return (["source": ["just": ["value": 3]]], .int)
    case 3: return (["source": [.string(generator.pick(["empty", "never"])): .map(ValueMap())]], .int)
    default: return (["source": ["sequence": ["values": .list(values(.int, 1 + generator.below(40)))]]], .int)
    }
  }
}

internal import StreamCore

extension PipelineMaker {
  /// Returns an operator that starts a stream for each value.
  mutating func nested(_ kind: inout Kind) -> [Value] {
    if generator.happens(oneIn: 6) { return collected(&kind) }
    let outer = variables("outer", kind) + [("outerIndex", .int)]
    let (stream, result) = within(outer) { $0.innerStream() }
    if generator.happens(oneIn: 9) { return [["delayWhen": ["stream": stream]]] }
    kind = result
    var fields: [(Value, Value)] = [("stream", stream)]
    switch generator.below(8) {
    case 0, 1: break
    case 2: fields.append(("strategy", "concat"))
    case 3: fields.append(("strategy", generator.pick(["latest", "exhaust", "merge"])))
    case 4: fields.append(("maxPublishers", .int(Int64(1 + generator.below(3)))))
    case 5, 6: return [["switchMap": ["stream": stream]]]
    default: return [["exhaustMap": ["stream": stream]]]
    }
    return [["flatMap": .map(ValueMap(fields))]]
  }

  /// Returns a stream over the captured variables.
  private mutating func innerStream() -> (Value, Kind) {
    var kind = Kind.int
    let source: Value
    switch generator.below(12) {
    case 0, 1, 2, 3, 4:
      kind = generator.pick([.int, .int, .double, .bool] as [Kind])
      source = ["just": ["expression": .string(text(kind, seeing: []))]]
    case 5, 6:
      let elements = (0...generator.below(4)).map { _ in text(.int, seeing: [], depth: 2) }
      source = ["sequence": ["expression": .string("[\(elements.joined(separator: ", "))]")]]
    case 7: source = ["sequence": ["values": .list(values(.int, generator.below(6)))]]
    case 8: source = ["range": ["from": 1, "through": .int(Int64(generator.pick([0, 1, 3, 40])))]]
    case 9: source = ["timer": ["every": seconds(), "count": .int(Int64(1 + generator.below(3)))]]
    case 10: source = ["just": ["value": 7]]
    default:
      source =
        generator.below(4) > 0 ? ["empty": .map(ValueMap())] : ["fail": ["error": "inner"]]
    }
    guard generator.happens(oneIn: 3) else { return (["source": source], kind) }
    return (["source": source, "operators": .list(operators(over: &kind))], kind)
  }

  /// Returns operators that collect values into lists and publish one value of each list.
  private mutating func collected(_ kind: inout Kind) -> [Value] {
    let count = Value.int(Int64(1 + generator.below(12)))
    switch generator.below(4) {
    case 0: return [["collect": ["count": count]], ["map": ["expression": "value[0]"]]]
    case 1:
      kind = .int
      return [["nwise": ["count": count]], ["map": ["expression": "size(value)"]]]
    case 2:
      kind = .int
      return [["enumerated": .map(ValueMap())], ["map": ["expression": "value.index"]]]
    default:
      kind = .int
      return [["collect": ["count": count]], ["map": ["expression": "size(value)"]]]
    }
  }
}

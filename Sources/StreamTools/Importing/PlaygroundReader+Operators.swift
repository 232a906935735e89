import StreamCore
internal import StreamKit

// Reads operators: an array, or a linked list in which each contains the next one.

extension PlaygroundReader {
  /// The operators of a model or an item, in order.
  mutating func operators(_ map: ValueMap, at pointer: JSONPointer) -> [PlaygroundOperator] {
    var operators: [PlaygroundOperator] = []
    if let item = map["operatorItem"], item != .null {
      narrow(to: PlaygroundGeneration.allLinked.union([.typed]))
      operators += chain(item, at: pointer.appending("operatorItem"))
    }
    guard let value = map["operators"], value != .null else { return operators }
    let place = pointer.appending("operators")
    guard case .list(let elements) = value else {
      fail(.wrongType, "'operators' is \(value.describedType); expected an array", at: place)
      return operators
    }
    narrow(to: PlaygroundGeneration.allArrays)
    for (index, element) in elements.enumerated() {
      let chain = chain(element, at: place.appending(index))
      for case .scan(let initialValue, _) in chain.map(\.kind) {
        narrow(to: initialValue == nil ? [.arrays, .plainUnions] : [.initialValues])
      }
      operators += chain
    }
    return operators
  }

  /// An operator and those that follow it as `next`, flattened.
  mutating func chain(_ value: Value, at pointer: JSONPointer) -> [PlaygroundOperator] {
    var operators: [PlaygroundOperator] = []
    var rest: (value: Value, place: JSONPointer)? = (value, pointer)
    while let (value, place) = rest {
      rest = nil
      guard let map = object(value, at: place, "an operator") else { break }
      if let next = map["next"], next != .null { rest = (next, place.appending("next")) }
      if case .string(let name) = map["type"] {
        if let kind = typed(name, map, at: place) { operators.append(PlaygroundOperator(pointer: place, kind: kind)) }
        continue
      }
      let names = map.keys.filter { $0 != "next" }
      guard names.count == 1, case .string(let name)? = names.first, let fields = map[name] else {
        fail(.notOneOperator, "expected exactly one operator, found \(names.count)", at: place)
        continue
      }
      guard PlaygroundOperator.names.contains(name) else {
        fail(
          .unknownOperator, "'\(name)' is not an operator of the playground", at: place.appending(name), part: .key,
          help: "expected one of \(PlaygroundOperator.names.map { "'\($0)'" }.joined(separator: ", "))")
        continue
      }
      let inner = place.appending(name)
      guard let fields = object(fields, at: inner, "the value of '\(name)'") else { continue }
      if let next = fields["next"], next != .null { rest = (next, inner.appending("next")) }
      if let kind = kind(name, fields, at: inner) { operators.append(PlaygroundOperator(pointer: inner, kind: kind)) }
    }
    return operators
  }

  private mutating func kind(_ name: String, _ fields: ValueMap, at pointer: JSONPointer) -> PlaygroundOperator.Kind? {
    switch name {
    case "delay" where fields["seconds"] == nil && fields["expression"] != nil:
      narrow(to: PlaygroundGeneration.allLinked)
      note("'delay' has an expression: the first builds wrote 'filter' so; it is read as 'filter'", at: pointer)
      return kind("filter", fields, at: pointer)
    case "delay":
      warnOfUnknown(fields, at: pointer, known: ["seconds", "next"])
      return seconds(fields, "seconds", at: pointer).map { .delay($0) }
    case "dropFirst":
      warnOfUnknown(fields, at: pointer, known: ["count", "next"])
      return count(fields, "count", at: pointer).map { .dropFirst($0) }
    case "scan":
      warnOfUnknown(fields, at: pointer, known: ["initialValue", "expression", "next"])
      let initialValue = initialValue(fields, at: pointer)
      return expression(fields, at: pointer).map { .scan(initialValue: initialValue, $0) }
    default:
      warnOfUnknown(fields, at: pointer, known: ["expression", "next"])
      return expression(fields, at: pointer).map { name == "map" ? .map($0) : .filter($0) }
    }
  }

  /// The shape before the first release: `{"type": "delay", "value": 1, "next": …}`.
  private mutating func typed(_ name: String, _ map: ValueMap, at pointer: JSONPointer) -> PlaygroundOperator.Kind? {
    narrow(to: [.typed])
    warnOfUnknown(map, at: pointer, known: ["type", "value", "expression", "next"])
    switch name {
    case "delay": return seconds(map, "value", at: pointer).map { .delay($0) }
    case "drop": return count(map, "value", at: pointer).map { .dropFirst($0) }
    case "filter": return expression(map, at: pointer).map { .filter($0) }
    case "map": return expression(map, at: pointer).map { .map($0) }
    case "scan": return expression(map, at: pointer).map { .scan(initialValue: nil, $0) }
    default:
      fail(
        .unknownOperator, "'\(name)' is not an operator of the playground", at: pointer.appending("type"),
        help: "expected one of 'delay', 'filter', 'drop', 'map', 'scan'")
      return nil
    }
  }
}

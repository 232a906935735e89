internal import CEL
public import StreamCore

extension StreamExplanation {
  /// The explanation as JSON.
  public var json: Value {
    ["parts": .list(parts.map(Self.json)), "plan": plan.json]
  }

  private static func json(_ part: Part) -> Value {
    var members: [(String, Value)] = [
      ("kind", .string(part.kind.rawValue)), ("name", .string(part.name)),
      ("pointer", .string(part.pointer.description)),
      ("depth", .int(Int64(part.depth))),
    ]
    if let label = part.label { members.append(("label", .string(label))) }
    if !part.text.isEmpty { members.append(("does", .string(part.text))) }
    if let input = part.input { members.append(("in", .string(input.shown))) }
    if let output = part.output { members.append(("out", .string(output.shown))) }
    if let memory = part.memory {
      var fields: [(String, Value)] = [("keeps", .string(memory.what)), ("grows", .bool(memory.isGrowing))]
      if let bound = memory.bound { fields.append(("atMost", .int(Int64(bound)))) }
      if let field = memory.field { fields.append(("field", .string(field))) }
      members.append(("memory", object(fields)))
    }
    if !part.expressions.isEmpty { members.append(("expressions", .list(part.expressions.map(json)))) }
    return object(members)
  }

  private static func json(_ expression: CostedExpression) -> Value {
    object([
      ("field", .string(expression.field)), ("expression", .string(expression.text)),
      ("type", .string(expression.type.shown)), ("leastSteps", .int(Int64(expression.cost.minimum))),
      ("mostSteps", expression.cost.maximum.map { .int(Int64($0)) } ?? .null),
      ("cost", .string(expression.cost.description)),
    ])
  }

  fileprivate static func object(_ members: [(String, Value)]) -> Value {
    .map(ValueMap(members.map { (.string($0), $1) }))
  }
}

extension PlanExplanation {
  fileprivate var json: Value {
    [
      "subscriptions": .int(Int64(subscriptionCount)),
      "units": .list(
        units.map { unit in
          StreamExplanation.object([
            ("depth", .int(Int64(unit.depth))), ("operators", .list(unit.names.map(Value.string))),
            ("pointers", .list(unit.pointers.map { .string($0.description) })),
            ("subscriptions", .int(Int64(unit.subscriptions))), ("repeated", .bool(unit.isRepeated)),
            ("shared", .bool(unit.isShared)), ("program", .list(unit.instructions.map(Value.string))),
          ])
        }),
    ]
  }
}

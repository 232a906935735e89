import CEL
import StreamCore

extension PlanLowering {
  func negated(_ part: Part) -> Part {
    if case .bool(let flag)? = part.constant { return .constant(.bool(!flag)) }
    return .scalar(.bool, writer.compute(.not, slot(part)))
  }

  /// Lowers `&&` and `||`. An error on the left takes the side exit, even if the right side alone decides: the plan
  /// handles this case.
  mutating func logic(_ node: LogicNode) -> Part? {
    let left = scalar(node.left, .bool)
    if case .bool(let flag)? = left.constant { return flag == node.decisive ? left : scalar(node.right, .bool) }
    let result = writer.newSlot()
    let done = writer.newLabel()
    writer.write(Instruction(.move, a: result, b: slot(left)))
    writer.jump(node.decisive ? .branchIf : .branchUnless, result, to: done)
    let right = scalar(node.right, .bool)
    writer.write(Instruction(.move, a: result, b: slot(right)))
    writer.place(done)
    return .scalar(.bool, result)
  }

  /// Lowers a conditional, which evaluates only the chosen side. Both sides write the same register: a slot if they
  /// have the same scalar type or a scalar is wanted, a boxed register otherwise.
  mutating func conditional(_ node: ConditionalNode, as wanted: Scalar?) -> Part {
    let condition = scalar(node.condition, .bool)
    if case .bool(let flag)? = condition.constant { return side(flag ? node.positive : node.negative, wanted) }
    let (otherwise, done) = (writer.newLabel(), writer.newLabel())
    writer.jump(.branchUnless, slot(condition), to: otherwise)
    let positive = side(node.positive, wanted)
    // The move of the result is known only after both sides are lowered.
    let place = writer.code.count
    writer.write(Instruction(.nop))
    writer.jump(.jump, to: done)
    writer.place(otherwise)
    let negative = side(node.negative, wanted)
    let result: Part
    if let scalar = positive.scalar, negative.scalar == scalar {
      result = .scalar(scalar, writer.newSlot())
    } else {
      result = Part(.value(writer.newValue()), positive.type.joined(with: negative.type))
    }
    writer.replace(at: place, by: move(positive, to: result))
    writer.write(move(negative, to: result))
    writer.place(done)
    return result
  }

  private mutating func side(_ node: PlanNode, _ wanted: Scalar?) -> Part {
    wanted.map { scalar(node, $0) } ?? any(node)
  }

  private func move(_ part: Part, to result: Part) -> Instruction {
    switch (result.location, part.location) {
    case (.scalar(_, let slot), _): Instruction(.move, a: slot, b: self.slot(part))
    case (.value(let register), .scalar(let scalar, let slot)):
      Instruction(.box, a: register, b: slot, Int64(scalar.rawValue))
    case (.value(let register), _): Instruction(.moveValue, a: register, b: value(part))
    case (.constant, _): Instruction(.nop)
    }
  }

  /// Lowers a name for a value. Parts that run as their plan read it from the activation.
  mutating func binding(_ node: BindingNode) -> Part? {
    let value = any(node.value)
    let outer = self[node.slot]
    self[node.slot] = value
    defer { self[node.slot] = outer }
    let place = writer.code.count
    switch value.location {
    case .scalar(let scalar, let slot):
      writer.write(Instruction(.bindSlot, b: slot, c: Int(scalar.rawValue), Int64(node.slot)))
    case .constant, .value: writer.write(Instruction(.bindValue, b: self.value(value), Int64(node.slot)))
    }
    let mark = writer.mark
    guard let result = part(node.result) else { return nil }
    if !writer.hasCalls(since: mark) { writer.replace(at: place) }
    return result
  }
}

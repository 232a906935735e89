import CEL
import StreamCore

extension Lowering {
  /// A field of a boxed value, by the place at which records of the same shape had it before. What is declared or likely
  /// to be a scalar goes into a slot.
  mutating func field(_ node: FieldNode, as wanted: Scalar?) -> Part? {
    guard let operand = part(node.operand), case .value(let register) = operand.location else { return nil }
    let type = operand.type.field(node.field)
    let cache = Int64(writer.cache(node.field, of: register))
    switch wanted ?? Scalar(type) {
    case .int: return .scalar(.int, writer.compute(.fieldInt, register, 0, cache))
    case .uint: return .scalar(.uint, writer.compute(.fieldUInt, register, 0, cache))
    case .bool: return .scalar(.bool, writer.compute(.fieldBool, register, 0, cache))
    case .double:
      // An int is a double only where one is asked for.
      return .scalar(.double, writer.compute(wanted == nil ? .fieldDouble : .fieldNumber, register, 0, cache))
    case nil: return Part(.value(writer.computeValue(.fieldValue, register, cache)), type)
    }
  }

  /// `has(operand.field)`
  mutating func presence(_ node: HasNode) -> Part? {
    guard let operand = part(node.operand), case .value(let register) = operand.location else { return nil }
    let cache = Int64(writer.cache(node.field, of: register))
    return .scalar(.bool, writer.compute(.hasField, register, 0, cache))
  }
}

extension CELType {
  /// What is known of a field's type.
  fileprivate func field(_ name: String) -> CELType {
    switch self {
    case .record(let fields): fields.first { $0.name == name }?.type ?? .dyn
    case .map(_, let value): value
    default: .dyn
    }
  }
}

import CEL
import StreamCore

extension PlanLowering {
  /// Lowers the reading of a field of a boxed value, with a cache of the field's position in records of the same shape.
  /// A field that is declared or likely to be a scalar is read into a slot.
  mutating func field(_ node: FieldNode, as wanted: Scalar?) -> Part? {
    guard let operand = part(node.operand), case .value(let register) = operand.location else { return nil }
    let type = operand.type.field(node.field)
    let cache = Int64(writer.cache(node.field, of: register))
    switch wanted ?? Scalar(type) {
    case .int: return .scalar(.int, writer.compute(.fieldInt, register, 0, cache))
    case .uint: return .scalar(.uint, writer.compute(.fieldUInt, register, 0, cache))
    case .bool: return .scalar(.bool, writer.compute(.fieldBool, register, 0, cache))
    case .double:
      // An int is accepted as a double only if a double is wanted.
      return .scalar(.double, writer.compute(wanted == nil ? .fieldDouble : .fieldNumber, register, 0, cache))
    case nil: return Part(.value(writer.computeValue(.fieldValue, register, cache)), type)
    }
  }

  /// Lowers `has(operand.field)`.
  mutating func presence(_ node: HasNode) -> Part? {
    guard let operand = part(node.operand), case .value(let register) = operand.location else { return nil }
    let cache = Int64(writer.cache(node.field, of: register))
    return .scalar(.bool, writer.compute(.hasField, register, 0, cache))
  }
}

extension CELType {
  /// Returns the known type of a field; `dyn` if it is not known.
  fileprivate func field(_ name: String) -> CELType {
    switch self {
    case .record(let fields): fields.first { $0.name == name }?.type ?? .dyn
    case .map(_, let value): value
    default: .dyn
    }
  }
}

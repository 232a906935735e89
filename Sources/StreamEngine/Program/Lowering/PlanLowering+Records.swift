import CEL
@_spi(Engine) import StreamCore

/// The parts of a record: the boxed registers of its values, in the order of its keys.
struct RecordParts: Sendable {
  let shape: Shape
  let registers: [Int]
}

extension PlanLowering {
  /// Lowers `{'a': x, 'b': y}` with constant keys.
  mutating func record(_ node: RecordNode) -> Part {
    let parts = node.values.map { any($0) }
    let register = writer.record(RecordParts(shape: node.shape, registers: parts.map(value)))
    return Part(.value(register), .record(node.shape, parts.map { $0.scalar?.type ?? $0.type }) ?? .dyn)
  }
}

extension ProgramInstance {
  /// Creates a record from the contents of registers.
  @inline(never)
  func makeRecord(_ index: Int64, in target: Int) {
    values[target] = program.outputs.fields[Int(index)].record(values, slots)
  }
}

internal import CEL
internal import StreamCore
internal import StreamEngine

extension Compiler {
  /// The items of a stream, published in sequence.
  func compile(_ items: [StreamItem], in scope: Scope) -> CompiledStream {
    let pointer = scope.pointer.appending("stream")
    var parts: [CompiledStream] = []
    var plain: [Value] = []
    func flush() {
      guard !plain.isEmpty else { return }
      let type = plain.dropFirst().reduce(CELType.of(plain[0])) { $0.joined(with: CELType.of($1)) }
      parts.append(
        CompiledStream(
          .machine(
            SequenceMachine(plain), name: "stream", pointer: scope.origin + pointer, frameDepth: scope.frameDepth),
          type: type))
      plain = []
    }
    for (index, item) in items.enumerated() {
      if item.operators.isEmpty {
        plain.append(item.value)
        continue
      }
      flush()
      let place = pointer.appending(index)
      let just = CompiledStream(
        .machine(
          SequenceMachine([item.value]), name: "just", pointer: scope.origin + place, frameDepth: scope.frameDepth),
        type: .of(item.value))
      parts.append(compile(item.operators, over: just, in: scope, at: place))
    }
    flush()
    guard let first = parts.first else {
      return CompiledStream(
        .machine(SequenceMachine([]), name: "stream", pointer: scope.origin + pointer, frameDepth: scope.frameDepth))
    }
    guard parts.count > 1 else { return first }
    let type = parts.dropFirst().reduce(first.type) { $0.joined(with: $1.type) }
    let machine = ConcatenateMachine(order: Array(parts.indices))
    return CompiledStream(
      .machine(
        machine, name: "stream", pointer: scope.origin + pointer, upstreams: parts.map(\.node),
        frameDepth: scope.frameDepth),
      type: type)
  }
}

package import StreamCore

extension Execution {
  /// The state of an operator or source, as a snapshot keeps it.
  package struct OperatorState {
    package let name: String
    package let pointer: JSONPointer
    /// Number of the frame: 0 outside inner streams and groups.
    package let frame: Int
    package let state: Value
    /// The deadlines of its timers.
    package let timers: [StreamTime]
  }

  /// Returns the state of each operator and source, the last one first.
  package func states() throws -> [OperatorState] {
    let (saved, nodes) = try save()
    return zip(saved.stages, nodes).map { stage, node in
      OperatorState(
        name: node.name, pointer: node.pointer, frame: stage.frame, state: stage.state,
        timers: stage.timers.map(\.deadline))
    }
  }
}

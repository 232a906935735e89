internal import CEL
internal import StreamCore

// The host's side: inputs, pending events, and the fates of the parts.
extension SnapshotSwap {
  /// Returns the states of the new pipeline's inputs, matched by name.
  func inputs() -> [SavedExecution.SavedInput] {
    pipeline.inputs.map { input in
      var saved = SavedExecution.SavedInput(current: input.initialValue, completion: nil, subscribers: [])
      guard let before = savedInput(named: input.name) else {
        // The late values of an input end with it.
        saved.completion = input.lateOf.flatMap(savedInput)?.completion
        return saved
      }
      saved.subscribers = before.subscribers.compactMap { places[$0] }
      saved.completion = before.completion
      // A new initial value replaces the current value.
      if input.initialValue == oldPipeline.input(named: input.name).flatMap({ oldPipeline.inputs[$0].initialValue }) {
        saved.current = before.current.flatMap { plan.convert($0, input.type) } ?? saved.current
      }
      if saved.completion != nil { saved.current = nil }
      return saved
    }
  }

  /// Returns the state of an input of the old pipeline; nil if it has none of the name.
  private func savedInput(named name: String) -> SavedExecution.SavedInput? {
    guard let number = oldPipeline.input(named: name), snapshot.inputs.indices.contains(number) else { return nil }
    return snapshot.inputs[number]
  }

  /// Returns the host's events that the stream has not received yet.
  func pending() -> [SavedExecution.SavedHostEvent] {
    snapshot.pending.compactMap { event in
      guard !event.isResult else { return event }
      var event = event
      guard oldPipeline.inputs.indices.contains(event.input),
        let number = pipeline.input(named: oldPipeline.inputs[event.input].name)
      else { return nil }
      event.input = number
      if let value = event.value {
        guard let converted = plan.convert(value, pipeline.inputs[number].type) else { return nil }
        event.value = converted
      }
      return event
    }
  }

  // MARK: Fates

  func fates() -> [SwapResult.Fate] {
    var seen: [ObjectIdentifier: Int] = [:]
    var fates: [SwapResult.Fate] = []
    for (place, node) in old.nodes.enumerated() {
      let now = places[place].map { nodes[$0] }
      let fate = SwapResult.Fate(
        old: node, new: now, hadState: Self.isSomething(snapshot.stages[place].state),
        reason: now == nil ? obstacles[place] : nil)
      if let known = seen[ObjectIdentifier(node)] {
        // If a node has several stages, one that continues determines the fate.
        if fates[known].new == nil, now != nil { fates[known] = fate }
        continue
      }
      seen[ObjectIdentifier(node)] = fates.count
      fates.append(fate)
    }
    return fates
  }

  static func isSomething(_ state: Value) -> Bool {
    if case .map(let map) = state { !map.isEmpty } else { state != .null }
  }
}

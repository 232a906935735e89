internal import CEL
internal import StreamCore

// What belongs to the host: its inputs, and what it is told.
extension SnapshotSwap {
  /// What is known of the inputs, by their names.
  func inputs() -> [SavedExecution.SavedInput] {
    pipeline.inputs.map { input in
      var saved = SavedExecution.SavedInput(current: input.initialValue, completion: nil, subscribers: [])
      guard let number = oldPipeline.input(named: input.name), snapshot.inputs.indices.contains(number) else {
        return saved
      }
      let before = snapshot.inputs[number]
      saved.subscribers = before.subscribers.compactMap { places[$0] }
      saved.completion = before.completion
      // A new initial value takes the place of the current one.
      if input.initialValue == oldPipeline.inputs[number].initialValue {
        saved.current = before.current.flatMap { plan.convert($0, input.type) } ?? saved.current
      }
      if saved.completion != nil { saved.current = nil }
      return saved
    }
  }

  /// What the host has said and the stream has not heard.
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
        // Where it is at work several times, that one goes on tells more.
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

extension PipelineDescription {
  /// Something that is done to a pipeline from outside.
  struct Happening {
    enum Kind {
      case input(Int, Event)
      case demand(Int)
    }
    var time: Int64
    var kind: Kind
  }

  /// All that is done to the pipeline after the subscription, in order.
  func happenings() -> [Happening] {
    var happenings: [Happening] = []
    for (number, events) in inputs.enumerated() {
      happenings += events.map { Happening(time: $0.time, kind: .input(number, $0.event)) }
    }
    happenings += demands.map { Happening(time: $0.time, kind: .demand($0.count)) }
    return happenings.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }
}

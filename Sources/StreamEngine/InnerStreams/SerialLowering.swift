/// The lowering of an operator whose inner streams run one after another, each for a fixed number of values: one
/// program with the operators of these streams, which are reset for each stream.
///
/// The program runs while all values are requested and nothing observes the inner streams; otherwise the machine does.
/// The state of the machine and the progress are equivalent; snapshots contain the state.
package struct SerialLowering<State: Sendable>: Sendable {
  /// Number of values of a stream.
  let length: Int
  let slots: SerialSlots
  /// The initial request to upstream, followed by one after each value; nil for all values.
  let requests: Demand?
  let port: @Sendable (State) -> Int?
  let state: @Sendable (SerialProgress, State) -> State
  let progress: @Sendable (State) -> SerialProgress?

  /// - Parameters:
  ///   - length: Number of values of a stream.
  ///   - slots: The slots of the variables of the inner streams.
  ///   - requests: The initial request, if one more value is requested after each value. By default all values are
  ///     requested.
  ///   - port: Returns the port of the stream that the operator feeds; by default it feeds none.
  ///   - state: Returns the machine's state for progress, given its state before the program ran.
  ///   - progress: Returns the progress of a state; nil for a state that progress cannot express.
  package init(
    length: Int = 1, slots: SerialSlots, requests: Demand? = nil,
    port: @escaping @Sendable (State) -> Int? = { _ in nil },
    state: @escaping @Sendable (SerialProgress, State) -> State,
    progress: @escaping @Sendable (State) -> SerialProgress?
  ) {
    self.length = length
    self.slots = slots
    self.requests = requests
    self.port = port
    self.state = state
    self.progress = progress
  }
}

/// The slots of the variables of inner streams.
package struct SerialSlots: Sendable {
  /// The slot of the value that a stream is started for; nil for a stream that receives values itself.
  package let value: Int?
  /// The slot of the stream's number.
  package let number: Int

  package init(value: Int? = nil, number: Int) {
    self.value = value
    self.number = number
  }
}

/// The progress of an operator whose inner streams run one after another.
package struct SerialProgress: Sendable {
  /// Number of streams started.
  package let started: Int64
  /// Number of values of the latest stream.
  package let position: Int
  /// Whether the latest stream is running.
  package let isRunning: Bool
  /// Whether values have been requested.
  package let isRequested: Bool

  package init(started: Int64, position: Int, isRunning: Bool, isRequested: Bool = true) {
    self.started = started
    self.position = position
    self.isRunning = isRunning
    self.isRequested = isRequested
  }
}

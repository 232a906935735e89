package import StreamCore

/// The lowering of an operator that starts an inner stream for each key: one program with the operators of the inner
/// stream, whose state is in a row for each key.
///
/// The program runs while all values are requested and nothing observes the inner streams; otherwise the machine does.
/// The state of the machine and the groups are equivalent; snapshots contain the state.
package struct KeyedLowering<State: Sendable>: Sendable {
  /// The steps before those of the inner operators; the last one is `SegmentBuilder.enterRow`.
  let steps: Steps
  let idle: Interval?
  let state: @Sendable (KeyedGroups) -> State
  let groups: @Sendable (State) -> KeyedGroups?

  /// - Parameters:
  ///   - steps: The steps of the operator itself, which enter a row. Nil if an expression calls the host.
  ///   - idle: Time without a value after which a group ends.
  ///   - state: Returns the machine's state for groups.
  ///   - groups: Returns the groups of a state; nil for a state that groups cannot express.
  package init?(
    _ steps: Steps, idle: Interval? = nil, state: @escaping @Sendable (KeyedGroups) -> State,
    groups: @escaping @Sendable (State) -> KeyedGroups?
  ) {
    guard !steps.callsHost else { return nil }
    self.steps = steps
    self.idle = idle
    self.state = state
    self.groups = groups
  }
}

/// The groups of an operator, by the ports of their streams. All values are requested.
package struct KeyedGroups: Sendable {
  package struct Group: Sendable {
    package let key: Value
    /// The index of the group's first value.
    package let firstIndex: Int64

    package init(key: Value, firstIndex: Int64) {
      self.key = key
      self.firstIndex = firstIndex
    }
  }

  /// The inner stream of a port.
  package struct Stream: Sendable {
    /// The group that feeds the stream; nil after the end of the group.
    package let group: Group?
    /// Whether the stream is running.
    package let isRunning: Bool

    package init(group: Group?, isRunning: Bool) {
      self.group = group
      self.isRunning = isRunning
    }
  }

  /// The index of the next value.
  package let index: Int64
  package let all: [Stream]
  /// The numbers of the ports to reuse; the last one is next.
  package let free: [Int]
  /// Whether upstream has finished.
  package let isEnding: Bool

  package init(index: Int64, _ all: [Stream], free: [Int] = [], isEnding: Bool = false) {
    self.index = index
    self.all = all
    self.free = free
    self.isEnding = isEnding
  }

  /// The port of the stream with this number.
  package static func port(of number: Int) -> Int { 1 + 2 * number }

  /// The number of the stream with this port.
  package static func number(of port: Int) -> Int { (port - 1) / 2 }
}

public import StreamCore

/// How an operator that starts an inner stream for each key runs as one program, which keeps in a row for each key what
/// the operators of the inner stream keep.
///
/// It does so while all values are asked for and nobody watches its inner streams. The machine's state and the groups
/// say the same: a snapshot has the former.
public struct KeyedLowering<State: Sendable>: Sendable {
  /// The steps up to those of the inner operators: see `SegmentBuilder.enterRow`.
  let steps: Lowering
  let idle: Interval?
  let state: @Sendable (KeyedGroups) -> State
  let groups: @Sendable (State) -> KeyedGroups?

  /// - Parameters:
  ///   - steps: the steps of the operator itself, which enter a row. Nil where an expression calls the host.
  ///   - idle: the time without a value after which a group ends.
  ///   - state: gives the machine's state for groups.
  ///   - groups: gives the groups of a state; nil for a state that says more than these.
  public init?(
    _ steps: Lowering?, idle: Interval? = nil, state: @escaping @Sendable (KeyedGroups) -> State,
    groups: @escaping @Sendable (State) -> KeyedGroups?
  ) {
    guard let steps else { return nil }
    self.steps = steps
    self.idle = idle
    self.state = state
    self.groups = groups
  }
}

/// The groups of an operator, by the ports of their streams. All values have been asked for.
public struct KeyedGroups: Sendable {
  public struct Group: Sendable {
    public let key: Value
    /// The index of the group's first value.
    public let birth: Int64

    public init(key: Value, birth: Int64) {
      self.key = key
      self.birth = birth
    }
  }

  /// A port.
  public struct Stream: Sendable {
    /// The group whose values the stream is fed; nil once the group has ended.
    public let group: Group?
    /// Whether the stream has not ended.
    public let isRunning: Bool

    public init(group: Group?, isRunning: Bool) {
      self.group = group
      self.isRunning = isRunning
    }
  }

  /// The index of the next value.
  public let index: Int64
  public let all: [Stream]
  /// The numbers of the ports to be used again, the next one last.
  public let free: [Int]
  /// Whether upstream has finished.
  public let isEnding: Bool

  public init(index: Int64, _ all: [Stream], free: [Int] = [], isEnding: Bool = false) {
    self.index = index
    self.all = all
    self.free = free
    self.isEnding = isEnding
  }

  /// The port with this number among those of streams.
  public static func port(of number: Int) -> Int { 1 + 2 * number }

  /// The number of a stream's port.
  public static func number(of port: Int) -> Int { (port - 1) / 2 }
}

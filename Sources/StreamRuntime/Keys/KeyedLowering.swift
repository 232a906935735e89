public import StreamCore

/// How an operator that starts an inner stream for each key runs as one program, which keeps in a row for each key what
/// the operators of the inner stream keep.
///
/// It does so while all values are asked for and nobody watches its inner streams. The machine's state and the groups
/// say the same: a snapshot has the former.
public struct KeyedLowering<State: Sendable>: Sendable {
  /// The steps up to those of the inner operators: see `SegmentBuilder.enterRow`.
  let steps: Lowering
  let state: @Sendable (KeyedGroups) -> State
  let groups: @Sendable (State) -> KeyedGroups?

  /// - Parameters:
  ///   - steps: the steps of the operator itself, which enter a row. Nil where an expression calls the host.
  ///   - state: gives the machine's state for groups.
  ///   - groups: gives the groups of a state; nil for a state that says more than these.
  public init?(
    _ steps: Lowering?, state: @escaping @Sendable (KeyedGroups) -> State,
    groups: @escaping @Sendable (State) -> KeyedGroups?
  ) {
    guard let steps else { return nil }
    self.steps = steps
    self.state = state
    self.groups = groups
  }
}

/// The groups of an operator, in the order in which their keys came. All values have been asked for.
public struct KeyedGroups: Sendable {
  public struct Group: Sendable {
    public let key: Value
    /// The index of the group's first value.
    public let birth: Int64
    /// Whether its stream has not ended.
    public let isOpen: Bool

    public init(key: Value, birth: Int64, isOpen: Bool) {
      self.key = key
      self.birth = birth
      self.isOpen = isOpen
    }
  }

  /// The index of the next value.
  public let index: Int64
  public let all: [Group]
  /// Whether upstream has finished.
  public let isEnding: Bool

  public init(index: Int64, _ all: [Group], isEnding: Bool = false) {
    self.index = index
    self.all = all
    self.isEnding = isEnding
  }

  /// The port of a group's stream.
  public static func port(of group: Int) -> Int { 1 + 2 * group }
}

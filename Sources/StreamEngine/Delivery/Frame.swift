internal import CEL
internal import StreamCore

/// The common state of the stages that were started for one value: that value, which their expressions see as
/// variables, the values fed to them, and the streams that they share.
///
/// Every execution has one root frame for the stages that are subscribed to once; each inner stream has a frame of its
/// own, within the frame of the stage that started it.
final class Frame {
  /// The number of the frame, unique within the execution.
  let number: Int
  let outer: Frame?
  /// Number of frames around it.
  let depth: Int
  /// The values of the variables that it adds, in the order in which the operator declares them.
  let values: [Value]
  /// The slot of the first of these variables in an activation.
  private let firstSlot: Int

  /// The subscriptions to the values that the creator of the frame feeds, in order of subscription.
  @exclusivity(unchecked) private(set) var feeders: [FeedStage] = []
  /// The values that wait for the first of these subscriptions; nil after it.
  @exclusivity(unchecked) var unheard: [Value]? = []
  /// The completion of the feed; nil while it is open.
  @exclusivity(unchecked) var feedEnd: Completion?
  /// The shared streams that belong to the frame, by number.
  @exclusivity(unchecked) var hubs: [Int: MulticastStage] = [:]

  init(number: Int, outer: Frame?, values: [Value]) {
    self.number = number
    self.outer = outer
    self.values = values
    depth = outer.map { $0.depth + 1 } ?? 0
    firstSlot = outer.map { $0.firstSlot + $0.values.count } ?? 0
  }

  /// The value that its stages were started for, which its number follows; nil for the root frame, and for a group or a
  /// window.
  var startingValue: Value? { values.count > 1 ? values[values.count - 2] : nil }

  /// Adds a subscription. Returns the values that have waited for it.
  @discardableResult
  func join(_ feeder: FeedStage) -> [Value] {
    defer { unheard = nil }
    feeders.append(feeder)
    return unheard ?? []
  }

  /// Returns the subscriptions that have not ended.
  func runningFeeders() -> [FeedStage] {
    feeders.removeAll(where: \.isEnded)
    return feeders
  }

  /// Number of variables, including those of the frames around it: the slot of the next one.
  var variableCount: Int { firstSlot + values.count }

  /// Returns the frame at a depth: this frame, or one around it.
  func ancestor(at depth: Int) -> Frame {
    var frame = self
    while frame.depth > depth, let outer = frame.outer { frame = outer }
    return frame
  }

  /// The shared streams, in the order of their numbers.
  var hubsInOrder: [Stage] { hubs.sorted { $0.key < $1.key }.map(\.value) }

  /// Returns the value of the variable in a slot, in this frame or in one around it.
  func value(inSlot slot: Int) -> Value {
    var frame: Frame? = self
    while let current = frame {
      if slot >= current.firstSlot {
        let place = slot - current.firstSlot
        return place < current.values.count ? current.values[place] : .null
      }
      frame = current.outer
    }
    return .null
  }

  /// Loads the variables of this frame and of those around it into an activation.
  ///
  /// The frame declares its slots itself: the pipeline counts only those of its expressions, and a frame may have
  /// variables that no expression reads.
  func load(into activation: Activation) {
    activation.declare(firstSlot + values.count)
    var frame: Frame? = self
    while let current = frame {
      for (index, value) in current.values.enumerated() { activation.set(value, at: current.firstSlot + index) }
      frame = current.outer
    }
  }
}

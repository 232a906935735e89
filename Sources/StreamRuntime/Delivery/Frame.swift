internal import CEL
internal import StreamCore

/// What the stages that were started for one value have in common: that value, which their expressions see as
/// variables, what is fed to them, and what they share.
///
/// Every execution has one frame for what is subscribed to once; each inner stream has a frame of its own, within the
/// frame of the stage that started it.
final class Frame {
  /// Tells it from every other frame of the execution.
  let number: Int
  let outer: Frame?
  /// How many frames are around it.
  let depth: Int
  /// The variables that it adds, in the order in which the operator declares them.
  let values: [Value]
  /// Where they begin in an activation.
  private let firstSlot: Int

  /// The subscriptions to what the stage that made the frame feeds, in order of subscription.
  @exclusivity(unchecked) var feeders: [FeedStage] = []
  /// How what is fed has ended.
  @exclusivity(unchecked) var feedEnd: Completion?
  /// The shared streams that were compiled within it, by number.
  @exclusivity(unchecked) var hubs: [Int: HubStage] = [:]

  init(number: Int, outer: Frame?, values: [Value]) {
    self.number = number
    self.outer = outer
    self.values = values
    depth = outer.map { $0.depth + 1 } ?? 0
    firstSlot = outer.map { $0.firstSlot + $0.values.count } ?? 0
  }

  /// How many variables there are, those of the frames around it included: the slot of the next one.
  var variableCount: Int { firstSlot + values.count }

  /// The frame around this one, or itself, which is that deep.
  func ancestor(at depth: Int) -> Frame {
    var frame = self
    while frame.depth > depth, let outer = frame.outer { frame = outer }
    return frame
  }

  /// The shared streams, by number.
  var hubsInOrder: [Stage] { hubs.sorted { $0.key < $1.key }.map(\.value) }

  /// What the variable in this slot is: of this frame, or of one around it.
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

  /// Gives expressions the variables of this frame and of those around it.
  ///
  /// The frame itself declares its slots: the pipeline counts those of its expressions, and a frame has variables where
  /// no expression reads them too.
  func load(into activation: Activation) {
    activation.declare(firstSlot + values.count)
    var frame: Frame? = self
    while let current = frame {
      for (index, value) in current.values.enumerated() { activation.set(value, at: current.firstSlot + index) }
      frame = current.outer
    }
  }
}

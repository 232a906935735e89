public import StreamCore

// Values without demand: who waits for whom, and what is dropped.

/// The values that an operator or source has dropped: nobody had requested them, or its queue was full and drops.
public struct DroppedValues: Hashable, Sendable, Codable {
  /// The name of the operator or source.
  public let name: String
  /// Its location in the stream file.
  public let pointer: JSONPointer
  /// Number of values, 1 or more.
  public internal(set) var count: Int

  /// The warning that tells of them.
  public var warning: Diagnostic {
    let values = count == 1 ? "1 value" : "\(count) values"
    return Diagnostic(
      .valuesDropped, "'\(name)' dropped \(values): what follows it requests values more slowly than they come",
      at: pointer, severity: .warning)
  }

  /// Returns the sums by operator, in the order in which each comes first.
  package static func sums(of all: some Sequence<DroppedValues>) -> [DroppedValues] {
    var sums: [DroppedValues] = []
    for dropped in all {
      if let place = sums.firstIndex(where: { $0.pointer == dropped.pointer && $0.name == dropped.name }) {
        sums[place].count += dropped.count
      } else {
        sums.append(dropped)
      }
    }
    return sums
  }
}

extension Execution {
  /// The values that have been dropped since the start, by operator, in the order in which each dropped its first one.
  public var drops: [DroppedValues] { aside?.drops ?? [] }

  func noteDrop(by node: PipelineNode) {
    let aside = coldState
    if let place = aside.drops.firstIndex(where: { $0.pointer == node.pointer && $0.name == node.name }) {
      aside.drops[place].count += 1
    } else {
      aside.drops.append(DroppedValues(name: node.name, pointer: node.pointer, count: 1))
    }
  }

  /// The demand of the subscribers of an input.
  enum Readiness {
    /// No subscriber wants a value.
    case unwanted
    /// A subscriber wants a value, and the others have room for it.
    case wanted
    /// A subscriber wants a value, but another one has no room for it.
    case blocked
  }

  func readiness(of input: Int) -> Readiness {
    let state = inputs[input]
    guard state.completion == nil else { return .unwanted }
    var (isWanted, isFull) = (false, false)
    state.forEachSubscriber { stage in
      if stage.wantsValues {
        isWanted = true
      } else if !stage.hasRoom(in: pipeline.inputs[input]) {
        isFull = true
      }
    }
    return !isWanted ? .unwanted : isFull ? .blocked : .wanted
  }

  /// The shared streams that are blocked.
  private var blockedHubs: [HubStage] {
    guard let aside, !aside.blockedHubs.isEmpty else { return [] }
    aside.blockedHubs.removeAll { !$0.isBlocked }
    return aside.blockedHubs
  }

  /// Whether values that have been requested would exceed the queue of a subscriber.
  var isFlooded: Bool { blockedHubs.contains(where: \.isFlooded) }

  /// Whether something other than a value of an input may happen: work, a timer, a call, another input or the host.
  func canGoOn(without input: Int?) -> Bool {
    guard isAskedForAll, stack.count == 0 else { return true }
    if let aside, !aside.isIdle || !aside.calls.isEmpty { return true }
    return !isFlooded && pipeline.inputs.indices.contains { $0 != input && readiness(of: $0) == .wanted }
  }

  /// Fails the subscriber of a shared stream for which the other ones would wait forever. Returns false if there is
  /// none.
  func releaseBlockedHub() -> Bool {
    guard aside?.blockedHubs.isEmpty == false, !canGoOn(without: nil), let stage = blockedHubs.first?.fullSubscriber
    else { return false }
    stage.unheardCount += 1
    stack.push(Work(.fail, stage, failure: stage.overflow(nil)))
    return true
  }
}

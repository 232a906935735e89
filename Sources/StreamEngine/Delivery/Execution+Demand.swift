public import StreamCore

// Values without demand: who waits for whom, and what is dropped.

extension Execution {
  /// The values that an operator or source has dropped.
  public struct DroppedValues: Hashable, Sendable, Codable {
    /// The reason for dropping values.
    public enum Reason: String, Hashable, Sendable, Codable {
      /// Downstream had not requested them.
      case unrequested
      /// The queue or the rate of the operator was exhausted, and it drops values then (`whenFull`).
      case full
      /// They came before their stream had subscribed to them.
      case early
      /// They waited in the operator when their stream ended, and it publishes no such values.
      case ended
    }

    /// The name of the operator or source.
    public let name: String
    /// The name of the input that dropped them; nil for other sources and operators.
    public let input: String?
    /// Its location in the stream file.
    public let pointer: JSONPointer
    public let reason: Reason
    /// Number of values, 1 or more.
    public internal(set) var count: Int

    /// The operator or source in words: `'timer'`, or `input 'taps'`.
    package var subject: String { input.map { "input '\($0)'" } ?? "'\(name)'" }

    /// The warning about the dropped values.
    public var warning: Diagnostic {
      let values = count.counted("value")
      let clause =
        switch reason {
        case .full: "because it was full"
        case .unrequested: "that downstream had not requested"
        case .early where count == 1: "that came before its stream had subscribed to it"
        case .early: "that came before their stream had subscribed to them"
        case .ended where count == 1: "that waited when its stream ended"
        case .ended: "that waited when their streams ended"
        }
      return Diagnostic(.valuesDropped, "\(subject) dropped \(values) \(clause)", at: pointer, severity: .warning)
    }

    /// The warning as a report.
    package var report: StreamFailure { StreamFailure(.valuesDropped, warning.message, pointer: pointer) }

    /// Whether the operator and the reason are the same.
    fileprivate func hasCause(of other: DroppedValues) -> Bool {
      pointer == other.pointer && name == other.name && reason == other.reason
    }

    /// Returns the sums by operator, in the order in which each comes first.
    package static func sums(of all: some Sequence<DroppedValues>) -> [DroppedValues] {
      var sums: [DroppedValues] = []
      for dropped in all {
        if let place = sums.firstIndex(where: dropped.hasCause(of:)) {
          sums[place].count += dropped.count
        } else {
          sums.append(dropped)
        }
      }
      return sums
    }
  }
}

extension Execution {
  /// The values that have been dropped since the start, by operator, in the order in which each dropped its first one.
  public var drops: [DroppedValues] { coldState?.drops ?? [] }

  /// Whether a value has been dropped.
  package var hasDrops: Bool { coldStateReference?._withUnsafeGuaranteedRef { !$0.drops.isEmpty } == true }

  func noteDrop(by node: PipelineNode, _ reason: DroppedValues.Reason, count: Int = 1) {
    let input = (node as? InputNode).map { pipeline.inputs[$0.number].name }
    let dropped = DroppedValues(name: node.name, input: input, pointer: node.pointer, reason: reason, count: count)
    let coldState = ensureColdState()
    if let place = coldState.drops.firstIndex(where: dropped.hasCause(of:)) {
      coldState.drops[place].count += count
    } else {
      coldState.drops.append(dropped)
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

  /// Whether something is subscribed to an input.
  func hasSubscribers(_ input: Int) -> Bool {
    var isFound = false
    inputs[input].forEachSubscriber { _ in isFound = true }
    return isFound
  }

  /// The shared streams that are blocked.
  private var blockedHubs: [MulticastStage] {
    guard let coldState, !coldState.blockedHubs.isEmpty else { return [] }
    coldState.blockedHubs.removeAll { !$0.isBlocked }
    return coldState.blockedHubs
  }

  /// Whether values that have been requested would exceed the queue of a subscriber.
  var isFlooded: Bool { blockedHubs.contains(where: \.isFlooded) }

  /// Whether something other than a value of an input may happen: work, a timer, a call, another input or the host.
  func canProceed(without input: Int?) -> Bool {
    guard isAskedForAll, stack.count == 0 else { return true }
    if let coldState, !coldState.isIdle || !coldState.calls.isEmpty { return true }
    return !isFlooded && pipeline.inputs.indices.contains { $0 != input && readiness(of: $0) == .wanted }
  }

  /// Fails the subscriber of a shared stream for which the other ones would wait forever. Returns false if there is
  /// none.
  func releaseBlockedHub() -> Bool {
    guard coldState?.blockedHubs.isEmpty == false, !canProceed(without: nil),
      let stage = blockedHubs.first?.fullSubscriber
    else { return false }
    stage.unheardCount += 1
    stack.push(Work(.fail, stage, failure: stage.overflow(nil)))
    return true
  }
}

package import StreamCore

/// Observes an operator: its subscriptions, and everything that it publishes.
///
/// A probe changes nothing. A snapshot has no trace of it, so that a snapshot taken with probes continues without them, and
/// the reverse. Operators on both sides of a probe run as separate programs.
package protocol ProbeObserver: AnyObject, Sendable {
  /// The operator was subscribed to.
  func noteStart()
  /// The operator has published a value.
  func note(_ value: Value, at moment: ProbeMoment)
  /// The operator has completed.
  ///
  /// - Parameter hasValue: Whether it has published a value since it was subscribed to, or restored.
  func note(_ completion: Completion, hasValue: Bool, at moment: ProbeMoment)
}

/// When and where an operator has published. Valid until the observer returns.
package struct ProbeMoment {
  fileprivate unowned(unsafe) let execution: Execution
  fileprivate unowned(unsafe) let frame: Frame

  /// The time of the stream.
  package var time: StreamTime { execution.time }
  /// The calendar time of the stream.
  package var now: Timestamp { execution.now }

  /// The value or the key that each stream around the operator was started for, outermost first; empty outside inner
  /// streams.
  package var startingValues: [Value] {
    var values: [Value] = []
    var next: Frame? = frame
    while let frame = next {
      if let first = frame.values.first { values.append(first) }
      next = frame.outer
    }
    return values.reversed()
  }
}

extension PipelineNode {
  /// Creates a probe of an operator.
  package static func probe(_ node: PipelineNode, _ observer: any ProbeObserver) -> PipelineNode {
    ProbeNode(node, observer)
  }

  /// The node without its probes.
  final var unprobed: PipelineNode {
    var node = self
    while let probe = node as? ProbeNode { node = probe.upstreams[0] }
    return node
  }
}

/// `@unchecked`: immutable.
final class ProbeNode: PipelineNode, @unchecked Sendable {
  fileprivate let observer: any ProbeObserver

  fileprivate init(_ node: PipelineNode, _ observer: any ProbeObserver) {
    self.observer = observer
    super.init(
      name: node.name, pointer: node.pointer, upstreams: [node], errorPolicy: node.errorPolicy,
      frameDepth: node.frameDepth, weight: 0)
  }

  override var weight: Int { upstreams[0].weight }
  // Snapshots and swaps see a pipeline without probes.
  override var plain: PipelineNode { upstreams[0].plain }

  /// Creates a stage for the probe, and the stage of the operator that it observes.
  override func makeStage(downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) -> Stage {
    let probe = makeStage(downstream: downstream, port: port, frame: frame)
    probe.setUpstream(upstreams[0].makeStage(downstream: probe, port: 0, frame: frame, execution), on: 0)
    return probe
  }

  func makeStage(downstream: Stage?, port: Int, frame: Frame) -> ProbeStage {
    ProbeStage(observer, node: self, downstream: downstream, port: port, frame: frame)
  }
}

/// Lies between the stage of an operator and the stage downstream. Values pass through it; requests and completions pass
/// by it, so that nothing waits in it but a value.
final class ProbeStage: Stage {
  private let observer: any ProbeObserver
  @exclusivity(unchecked) private var hasValue = false

  fileprivate init(_ observer: any ProbeObserver, node: PipelineNode, downstream: Stage?, port: Int, frame: Frame) {
    self.observer = observer
    super.init(node: node, downstream: downstream, port: port, frame: frame)
    isProbe = true
  }

  override func forward(_ value: inout Value, on port: Int, _ effects: Effects) -> Forwarding {
    hasValue = true
    observer.note(value, at: ProbeMoment(execution: effects.execution, frame: frame))
    return .value
  }

  override func receive(_ value: Value, on port: Int, _ effects: Effects) {
    var value = value
    _ = forward(&value, on: port, effects)
    effects.publish(value)
  }

  func note(_ completion: Completion, _ execution: Execution) {
    observer.note(completion, hasValue: hasValue, at: ProbeMoment(execution: execution, frame: frame))
  }

  override func canBeFed(by upstream: Int, on port: Int) -> Bool { upstream == 0 && port == 0 }

  // It does not count as an operator.
  override func reportStart(_ execution: Execution) {
    observer.noteStart()
    upstream(on: 0)?.reportStart(execution)
  }

  override func reportEnd(_ execution: Execution, isCancelled: Bool) {}
}

extension Stage {
  /// The stage behind the probes; the stage itself if it is not a probe, or if the operator has ended.
  @inline(__always)
  final var unprobed: Stage { isProbe ? behindProbes : self }

  private var behindProbes: Stage {
    var stage = self
    while stage.isProbe, let next = stage.upstream(on: 0) { stage = next }
    return stage
  }
}

extension Execution {
  /// Creates the stages of the probes of a restored operator, if it has some.
  ///
  /// - Parameter make: Creates the stage of the operator that feeds a port of a stage.
  /// - Returns: The stage that feeds `port` of `downstream`, and the stage of the operator.
  func restoreProbes(
    of node: PipelineNode, _ downstream: Stage?, port: Int, _ frame: Frame, isUnlimited: Bool,
    _ make: (Stage?, Int) throws(Diagnostics) -> Stage
  ) throws(Diagnostics) -> (feeder: Stage, stage: Stage) {
    guard let probe = node as? ProbeNode else {
      let stage = try make(downstream, port)
      return (stage, stage)
    }
    let feeder = probe.makeStage(downstream: downstream, port: port, frame: frame)
    let inner = try restoreProbes(of: probe.upstreams[0], feeder, port: 0, frame, isUnlimited: isUnlimited, make)
    feeder.setUpstream(inner.feeder, on: 0)
    feeder.setUnlimited(isUnlimited, on: 0)
    return (feeder, inner.stage)
  }
}

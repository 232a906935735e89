internal import StreamCore
internal import StreamEngine
internal import StreamKit

/// One run of a random pipeline.
struct DifferentialRun {
  /// An interruption of the execution between two deliveries.
  enum Interruption {
    case none
    case pause
    /// Saves and restores it, continuing with any of these pipelines; it begins with the first.
    case restore([Pipeline])
    /// Continues with any of these versions of the same stream file; it begins with the first.
    case swap([StreamVersion])
  }

  private var execution: Execution
  /// The events, with their times.
  private(set) var told: [String] = []
  private(set) var hasGivenUp = false
  var interruption = Interruption.none
  /// Whether values are sent with `send`, and steps are counted.
  var isBaseline = false
  /// Number of values requested at once.
  var demand = Demand.unlimited
  /// Whether values are requested at random instants; else whenever no more events follow.
  var requestsAtRandom = false
  private var generator: SeededGenerator
  /// Makes the same numbers in every run of a pipeline.
  private var requests: SeededGenerator
  /// The index of the pipeline or version that runs.
  private var currentVersion = 0
  private var restoreCount = 0
  private var stepCount = 0
  private let limit: Int

  private static let stepLimit = 400_000
  /// Maximum number of timers after the last event of the host.
  private static let timerLimit = 300

  /// - Parameter limit: Maximum number of events.
  init(_ execution: Execution, seed: UInt64, limit: Int) {
    self.execution = execution
    self.limit = limit
    generator = SeededGenerator(seed: ~seed)
    requests = SeededGenerator(seed: seed ^ 0x5DEE_CE66)
  }

  mutating func begin() {
    execution.request(demand)
    drain()
  }

  // MARK: Input

  /// Sends events one by one.
  mutating func play(_ events: [InputEvent]) {
    for event in events where !hasGivenUp {
      if requestsAtRandom, requests.happens(oneIn: 3) { execution.request(demand) }
      send(event, isDirect: isDirect)
      drain()
      if case .restore = interruption, generator.happens(oneIn: 60) { interrupt() }
    }
  }

  /// Whether a value is sent in the same call as its first event.
  private var isDirect: Bool {
    switch interruption {
    case .none, .restore: !isBaseline
    case .pause, .swap: false
    }
  }

  private mutating func send(_ event: InputEvent, isDirect: Bool) {
    switch event.kind {
    case .value(let value):
      guard isDirect else { return execution.send(value, to: event.input, at: event.time) }
      if let event = execution.next(sending: value, to: event.input, at: event.time) { tell(event) }
    case .finished: execution.finish(event.input, at: event.time)
    case .failed: execution.fail(event.input, StreamFailure(payload: "random"), at: event.time)
    case .advanced: execution.advance(to: event.time)
    }
  }

  /// Fires the timers that are still set.
  mutating func end() {
    requestsAtRandom = false
    drain()
    for _ in 0..<Self.timerLimit {
      guard let deadline = execution.nextDeadline, !hasGivenUp else { break }
      execution.advance(to: deadline)
      drain()
    }
    told.append(execution.isEnded ? "ended" : "open")
  }

  // MARK: Events

  private mutating func drain() {
    while true {
      while let event = next() { tell(event) }
      guard !demand.isUnlimited, !requestsAtRandom, !execution.isEnded, !hasGivenUp else { return }
      let count = told.count
      execution.request(demand)
      while let event = next() { tell(event) }
      if told.count == count { return }
    }
  }

  /// Returns the next event.
  private mutating func next() -> ExecutionEvent? {
    if case .none = interruption, !isBaseline { return hasGivenUp ? nil : execution.next() }
    while !hasGivenUp {
      let count = isBaseline ? 10_000 : 1 + generator.below(60)
      stepCount += count
      switch execution.step(atMost: count) {
      case .event(let event):
        if generator.happens(oneIn: 30) { interrupt() }
        return event
      case .idle: return nil
      case .unfinished: interrupt()
      }
      if isBaseline, stepCount > 10_000 * told.count + Self.stepLimit { hasGivenUp = true }
    }
    return nil
  }

  private mutating func tell(_ event: ExecutionEvent) {
    if case .call(let call) = event {
      execution.resolve(call.id, with: .success(call.argument), at: execution.time)
    }
    let text = event.text(.all)
    told.append(execution.time == .zero ? text : "\(text)@\(execution.time.nanoseconds)")
    if told.count >= limit { hasGivenUp = true }
  }

  private mutating func interrupt() {
    do {
      switch interruption {
      case .none, .pause: break
      case .restore(let pipelines):
        // Long runs are restored less and less often.
        guard generator.below(1 + restoreCount / 3) == 0 else { return }
        restoreCount += 1
        let saved = try execution.snapshot()
        // A half-started subscription continues in its own form.
        if saved.isAtRest { currentVersion = generator.below(pipelines.count) }
        execution = try Execution(pipelines[currentVersion], restoring: throughText(saved))
      case .swap(let versions):
        // A swap compares two stream files, which takes longer than most runs.
        guard restoreCount < 4 else { return }
        restoreCount += 1
        let saved = try execution.snapshot()
        let next = saved.isAtRest ? generator.below(versions.count) : currentVersion
        let swap = try StreamSwap(of: saved, from: versions[currentVersion], to: versions[next])
        execution = try Execution(versions[next].pipeline, restoring: throughText(swap.snapshot))
        currentVersion = next
      }
    } catch {
      told.append("not restored: \(error)")
      interruption = .none
    }
  }

  /// Returns the snapshot; every second one is written and parsed.
  private mutating func throughText(_ snapshot: Snapshot) throws -> Snapshot {
    generator.happens(oneIn: 2) ? try Snapshot(text: snapshot.text()) : snapshot
  }
}

extension InputEvent {
  fileprivate var value: Value? { if case .value(let value) = kind { value } else { nil } }
}

public import StreamCore
public import StreamKit
public import StreamRuntime

extension Laws {
  /// Run as part of a fused segment and as a machine, alone and between neighbours that fuse, it says the same; and what
  /// was saved of one goes on as the other.
  public static func saysTheSameFused(_ stream: ExampleStream) throws -> String? {
    let inputs = try stream.inputs()
    for (before, after) in stream.isSource
      ? [([], neighbours)] : [([], []), (neighbours, []), (neighbours, neighbours)]
    {
      guard case .map(var model) = try stream.stream() else { return "the stream is no object" }
      var operators: [Value] = []
      if case .list(let own)? = model["operators"] { operators = own }
      model = ValueMap(
        model.pairs.filter { $0.0 != "operators" }.map { ($0, $1) } + [("operators", .list(before + operators + after))]
      )
      guard let law = try? FusionLaw(StreamModel(.map(model)), stream.options, inputs) else { continue }
      if let problem = try law.problem() { return problem }
    }
    return nil
  }

  /// Operators that take any values and change none.
  private static let neighbours: [Value] = [
    ["map": ["expression": "dyn(value)"]], ["filter": ["expression": "true"]], ["drop": ["count": 0]],
  ]
}

/// The law that fusing operators cannot be noticed, for one stream.
public struct FusionLaw: Sendable {
  private let fused: Pipeline
  private let plain: Pipeline
  private let inputs: [History]
  /// The most steps of a run, and the most deliveries between two events.
  public var stepLimit = 2_000
  public var silenceLimit = 2_000
  /// How many values are asked for at a time.
  public var demand = Demand.unlimited

  public init(_ model: StreamModel, _ options: CompileOptions, _ inputs: [History]) throws(Diagnostics) {
    var options = options
    fused = try model.compile(options)
    options.fuses = false
    plain = try model.compile(options)
    self.inputs = inputs
  }

  /// What is different, or nil.
  public func problem() throws -> String? {
    for demand in [demand, Demand(1), Demand(3)] {
      let expected = try run(plain, demand) { _ in plain }
      if expected.gaveUp { return nil }
      let actual = try run(fused, demand) { _ in fused }
      if expected.lines != actual.lines { return difference("fused", demand, expected.lines, actual.lines) }
      for (name, pipelines) in [
        ("saved fused and restored fused", [fused, fused]), ("saved fused and restored plain", [fused, plain]),
        ("saved plain and restored fused", [plain, fused]),
      ] {
        let crossed = try run(pipelines[0], demand, saves: true) { pipelines[$0 % 2 == 0 ? 1 : 0] }
        // Subscriptions of a restored execution are not told again.
        let lines = crossed.lines.filter { !$0.hasPrefix("+") && !$0.hasPrefix("-") }
        let wanted = expected.lines.filter { !$0.hasPrefix("+") && !$0.hasPrefix("-") }
        if lines != wanted { return difference(name, demand, wanted, lines) }
      }
      if let problem = try comparesSnapshots(demand) { return problem }
    }
    return nil
  }

  private struct Outcome {
    var lines: [String] = []
    var gaveUp = false
  }

  private func run(
    _ pipeline: Pipeline, _ demand: Demand, saves: Bool = false, _ next: (Int) -> Pipeline
  ) throws -> Outcome {
    let subscriptions = SubscriptionLog()
    let execution = Execution(pipeline)
    subscriptions.watch(execution)
    var recorder = HistoryRecorder(execution)
    recorder.stepLimit = stepLimit
    recorder.silenceLimit = silenceLimit
    recorder.demand = demand
    var count = 0
    try recorder.run(inputs) { execution in
      count += 1
      subscriptions.lines.append("= \(execution.stageCount) at work")
      guard saves else { return execution }
      return try Execution(next(count), restoring: Snapshot(text: execution.snapshot().text()))
    }
    let end = recorder.execution.step(atMost: 1)
    var outcome = Outcome(lines: subscriptions.lines)
    outcome.gaveUp = end == .unfinished || count >= stepLimit
    outcome.lines += recorder.history.events.map(Self.text)
    recorder.execution.subscriptionWatcher = nil
    return outcome
  }

  /// What is saved of both is the same wherever nothing is half done.
  private func comparesSnapshots(_ demand: Demand) throws -> String? {
    var plainTexts: [String?] = []
    var fusedTexts: [String?] = []
    func run(_ pipeline: Pipeline, _ texts: inout [String?]) throws {
      var recorder = HistoryRecorder(Execution(pipeline))
      recorder.stepLimit = stepLimit
      recorder.silenceLimit = silenceLimit
      recorder.demand = demand
      try recorder.run(inputs) { execution in
        let snapshot = try execution.snapshot()
        texts.append(snapshot.isAtRest ? Self.ordered(try snapshot.text()) : nil)
        return execution
      }
    }
    try run(plain, &plainTexts)
    try run(fused, &fusedTexts)
    for (expected, actual) in zip(plainTexts, fusedTexts) {
      if let expected, let actual, expected != actual {
        return "with a demand of \(demand.count) is saved as\n\(actual)\nin place of\n\(expected)"
      }
    }
    return nil
  }

  /// A saved text in which keys and elements are in order: those of sets and dictionaries are in any.
  private static func ordered(_ text: String) -> String {
    guard let document = try? JSONDocument(reading: Array(text.utf8), file: "snapshot") else { return text }
    return JSONWriter.compact(ordered(document.value))
  }

  private static func ordered(_ value: Value) -> Value {
    switch value {
    case .map(let map):
      let pairs = map.pairs.map { ($0, ordered($1)) }
      return .map(ValueMap(pairs.sorted { JSONWriter.compact($0.0) < JSONWriter.compact($1.0) }))
    case .list(let elements):
      return .list(elements.map(ordered).sorted { JSONWriter.compact($0) < JSONWriter.compact($1) })
    default: return value
    }
  }

  /// An event with all that it says.
  private static func text(_ event: TimedEvent) -> String {
    let what =
      switch event.event {
      case .failure(let failure): "failed: \(text(failure))"
      case .skipped(let failure): "skipped: \(text(failure))"
      default: "\(event.event)"
      }
    return "\(event.time.nanoseconds) \(what)"
  }

  private static func text(_ failure: StreamFailure) -> String {
    let range = failure.range.map { "\($0)" } ?? "nowhere"
    let (value, payload) = (failure.value ?? .null, failure.payload ?? .null)
    return "\(failure.code) \(failure.message) at \(failure.pointer) \(range) for \(value) with \(payload)"
  }

  private func difference(_ what: String, _ demand: Demand, _ expected: [String], _ actual: [String]) -> String {
    let place = zip(expected, actual).prefix { $0 == $1 }.count
    let (wanted, found) = (expected.dropFirst(place).prefix(4), actual.dropFirst(place).prefix(4))
    return "\(what), with a demand of \(demand.count), at \(place): expected \(Array(wanted)), got \(Array(found))"
  }
}

/// Every operator that is subscribed to, and that ends, in order.
private final class SubscriptionLog {
  var lines: [String] = []

  func watch(_ execution: Execution) {
    execution.subscriptionWatcher = { [weak self] node, isSubscribed in
      self?.lines.append("\(isSubscribed ? "+" : "-") \(node.name) \(node.pointer)")
    }
  }
}

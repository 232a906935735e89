public import StreamCore
internal import StreamEngine
public import StreamKit

extension Laws {
  /// Checks that the stream has the same output when it runs as part of a fused segment and as a machine, alone and
  /// between operators that fuse, and that a snapshot of one continues as the other.
  public static func saysTheSameFused(_ stream: ExampleStream) throws -> String? {
    let inputs = try stream.inputs()
    for (before, after) in stream.isSource ? [([], neighbors)] : [([], []), (neighbors, neighbors)] {
      guard case .map(var model) = try stream.stream() else { return "the stream is not an object" }
      var operators: [Value] = []
      if case .list(let own)? = model["operators"] { operators = own.elements }
      model = ValueMap(
        model.pairs.filter { $0.0 != "operators" }.map { ($0, $1) } + [("operators", .list(before + operators + after))]
      )
      guard let law = try? FusionLaw(StreamModel(json: .map(model)), stream.options, inputs) else { continue }
      if let problem = try law.problem() { return problem }
    }
    return nil
  }

  /// Checks that the stream has the same output when timeouts that never fire follow its operators and those of its
  /// nested streams: they request a limited number of values, and deliver each at a later turn of the same instant.
  public static func saysTheSameBeforeTimeouts(_ stream: ExampleStream) throws -> String? {
    let expected = try record(stream).history
    for isNested in [false, true] {
      let model = try StreamModel(json: addingTimeouts(to: stream.stream(), isNested: isNested))
      guard let pipeline = try? model.compile(stream.options) else { continue }
      var recorder = HistoryRecorder(Execution(pipeline))
      recorder.run(try stream.inputs()) { $0 }
      if text(expected) != text(recorder.history) {
        return (isNested ? "in nested streams: " : "") + difference(expected, recorder.history)
      }
    }
    return nil
  }

  /// Returns a stream with a timeout behind its operators.
  ///
  /// - Parameter isNested: Whether its nested streams get timeouts, too.
  private static func addingTimeouts(to json: Value, isNested: Bool) -> Value {
    let timeout: Value = ["timeout": ["seconds": 31_536_000]]
    func nested(_ value: Value) -> Value {
      switch value {
      case .list(let list): .list(list.elements.map(nested))
      case .map(let map):
        .map(
          ValueMap(
            map.pairs.map { key, value in
              guard key == "operators", case .list(let list) = value else { return (key, nested(value)) }
              return (key, .list(list.elements.map(nested) + [timeout]))
            }))
      default: value
      }
    }
    guard !isNested else { return nested(json) }
    guard case .map(let map) = json, case .list(let operators)? = map["operators"] else { return json }
    let others = map.pairs.filter { $0.0 != "operators" }.map { ($0, $1) }
    return .map(ValueMap(others + [("operators", .list(operators.elements + [timeout]))]))
  }

  /// Operators that take any values and change none.
  private static let neighbors: [Value] = [
    ["map": ["expression": "dyn(value)"]], ["filter": ["expression": "true"]], ["drop": ["count": 0]],
  ]
}

/// The law that fusion is unobservable, for one stream.
public struct FusionLaw: Sendable {
  private let fused: Pipeline
  private let plain: Pipeline
  private let inputs: [History]
  /// Maximum number of steps of a run, and of deliveries between two events.
  public var stepLimit = 2_000
  public var silenceLimit = 2_000
  /// Whether each snapshot that an execution continues from is written as text and parsed; else every second one of
  /// either direction is. `Laws.survivesSaving` writes and parses all of them.
  public var writesEverySnapshot = false

  public init(_ model: StreamModel, _ options: CompileOptions, _ inputs: [History]) throws(Diagnostics) {
    var options = options
    fused = try model.compile(options)
    options.fuses = false
    plain = try model.compile(options)
    self.inputs = inputs
  }

  /// The law that probes of all operators are unobservable. `fused` is the stream with probes.
  private init(observing model: StreamModel, _ options: CompileOptions, _ inputs: [History]) throws(Diagnostics) {
    var options = options
    plain = try model.compile(options)
    options.probes = { _ in UnheardProbe() }
    fused = try model.compile(options)
    self.inputs = inputs
  }

  /// Returns the difference that probes of all operators make, or nil.
  package static func problem(
    observing model: StreamModel, _ options: CompileOptions, _ inputs: [History]
  ) throws -> String? {
    try FusionLaw(observing: model, options, inputs).problem()
  }

  /// Returns the difference, or nil.
  public func problem() throws -> String? {
    for demand in [Demand.unlimited, Demand(1)] {
      let expected = try run(plain, demand)
      if expected.gaveUp { return nil }
      let actual = try run(fused, demand)
      if expected.told != actual.told { return difference("fused", demand, expected.told, actual.told) }
      for (wanted, found) in zip(expected.snapshots, actual.snapshots) {
        if let wanted, let found, wanted != found, Self.ordered(wanted) != Self.ordered(found) {
          return "with a demand of \(demand.count), is saved as\n\(found)\ninstead of\n\(wanted)"
        }
      }
      // Saved as one and restored as the other after every step, there and back again.
      let crossed = try run(fused, demand) { $0 % 2 == 0 ? fused : plain }
      // Subscriptions of a restored execution are reported again.
      let heard = { (line: String) in !line.hasPrefix("+") && !line.hasPrefix("-") }
      let (lines, wanted) = (crossed.told.filter(heard), expected.told.filter(heard))
      if lines != wanted { return difference("saved and restored", demand, wanted, lines) }
      if fused.keepsRows, let problem = try problemWithRows(demand, wanted.filter { !$0.hasPrefix("=") }) {
        return problem
      }
    }
    return nil
  }

  /// Returns the difference with groups as rows of a program, or nil. Groups are rows only if their operators are not
  /// watched.
  ///
  /// - Parameter expected: The events of separate machines.
  private func problemWithRows(_ demand: Demand, _ expected: [String]) throws -> String? {
    let told = try run(fused, demand, isWatched: false).told
    if told != expected { return difference("with rows", demand, expected, told) }
    let crossed = try run(fused, demand, isWatched: false) { $0 % 3 == 0 ? plain : fused }.told
    return crossed == expected ? nil : difference("with rows, saved and restored", demand, expected, crossed)
  }

  private struct Outcome {
    /// The subscriptions and ends of operators, the number of active operators after each step, and the events.
    var told: [String] = []
    /// The snapshot after each step; nil if work was pending.
    var snapshots: [String?] = []
    var gaveUp = false
  }

  /// - Parameter next: Returns the pipeline to continue with after a step; nil to continue unchanged.
  private func run(
    _ pipeline: Pipeline, _ demand: Demand, isWatched: Bool = true, restoring next: ((Int) -> Pipeline)? = nil
  ) throws -> Outcome {
    let subscriptions = SubscriptionLog()
    let execution = Execution(pipeline)
    if isWatched { subscriptions.watch(execution) }
    var recorder = HistoryRecorder(execution)
    recorder.stepLimit = stepLimit
    recorder.silenceLimit = silenceLimit
    recorder.demand = demand
    var outcome = Outcome()
    var count = 0
    try recorder.run(inputs) { execution in
      count += 1
      if isWatched { subscriptions.lines.append("= \(execution.stageCount) at work") }
      let snapshot = try execution.snapshot()
      guard let next else {
        outcome.snapshots.append(snapshot.isAtRest ? try snapshot.text() : nil)
        return execution
      }
      // Two with text, one for each direction, then two without.
      let isWritten = writesEverySnapshot || count % 4 < 2
      let restored = try Execution(next(count), restoring: isWritten ? Snapshot(text: snapshot.text()) : snapshot)
      if isWatched { subscriptions.watch(restored) }
      return restored
    }
    outcome.gaveUp = recorder.isUnfinished
    outcome.told = subscriptions.lines + recorder.history.events.map { "\($0.time.nanoseconds) \($0.event.text(.all))" }
    recorder.execution.subscriptionWatcher = nil
    return outcome
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

/// A probe without effects.
private final class UnheardProbe: ProbeObserver {
  func noteStart() {}
  func note(_ value: Value, at moment: ProbeMoment) {}
  func note(_ completion: Completion, hasValue: Bool, at moment: ProbeMoment) {}
}

import CEL
import StreamCore
import StreamEngine
import StreamKit
import Synchronization
import TestSupport

/// Runs a vector in virtual time, in the order that the vectors' README gives: first who subscribes and unsubscribes,
/// then what the hot sources say, then timers.
struct VectorRunner {
  let vector: ConformanceVector
  let translator: VectorTranslator
  let pipeline: Pipeline

  /// The most steps, and events; no vector needs as many.
  private static let stepLimit = 1_000_000
  private static let eventLimit = 5_000
  /// Nothing of interest happens later, in milliseconds.
  private static let horizon = 1e6

  init(_ vector: ConformanceVector) throws {
    self.vector = vector
    translator = VectorTranslator(vector)
    let model = try StreamModel(json: translator.model())
    var options = CompileOptions()
    options.host.expressionFunctions = VectorFunctions().declarations
    pipeline = try model.compile(options)
  }

  typealias Outcome = (history: [History.Event], subscriptions: [String: [ConformanceVector.Span]])

  /// The events of the stream, and the times of subscriptions to each source.
  func run() -> Outcome { run { $0 } }

  /// The same, with a call after every event and every instant that returns the execution to continue.
  func run(betweenSteps: (Execution) throws -> Execution) rethrows -> Outcome {
    var execution = Execution(pipeline)
    let recorder = SubscriptionRecorder()
    var history: [History.Event] = []
    let isPlain = vector.observers.count == 1
    let begin = isPlain ? vector.observers[0].subscribeAt : 0
    let end = isPlain ? vector.observers[0].unsubscribeAt : nil

    execution.subscriptionWatcher = { [weak execution] node, isSubscribed in
      guard let execution else { return }
      recorder.note(node, isSubscribed, at: Double(execution.time.nanoseconds) / 1e6)
    }
    if begin > 0 {
      feed(execution, in: 0..<begin)
      execution.advance(to: Self.time(begin))
      _ = try advance(&execution, to: Self.time(begin), before: true, &history, betweenSteps)
    }
    execution.request(.unlimited)
    feed(execution, in: begin..<(end ?? .infinity))
    let limit = Self.time(end ?? Self.horizon)
    if try advance(&execution, to: limit, before: end != nil, &history, betweenSteps), let end, !execution.isEnded {
      recorder.now = end
      execution.cancel()
    }
    execution.subscriptionWatcher = nil
    return (history, recorder.spans)
  }

  /// Advances time to an instant, with or without the timers due then. False if it was not reached.
  private func advance(
    _ execution: inout Execution, to limit: StreamTime, before: Bool, _ history: inout [History.Event],
    _ betweenSteps: (Execution) throws -> Execution
  ) rethrows -> Bool {
    var steps = 0
    while steps < Self.stepLimit, history.count < Self.eventLimit {
      steps += 1
      execution = try betweenSteps(execution)
      switch execution.step(atMost: 10_000) {
      case .event(let event): history.append(History.Event(execution.time, event))
      case .unfinished: steps += 100
      case .idle:
        guard !execution.isEnded, let deadline = execution.nextDeadline,
          before ? deadline < limit : deadline <= limit
        else { return true }
        execution.advance(to: deadline)
      }
    }
    return false
  }

  /// Gives the execution all that the host has to say in a time.
  private func feed(_ execution: Execution, in span: Range<Double>) {
    var said: [(time: Double, order: Int, input: String, event: VectorEvent.Kind)] = []
    if vector.observers.count > 1 {
      for (index, observer) in vector.observers.enumerated() {
        said.append((observer.subscribeAt, said.count, VectorTranslator.start(index), .next(true)))
        if let end = observer.unsubscribeAt {
          said.append((end, said.count, VectorTranslator.stop(index), .next(true)))
        }
      }
    }
    for (input, events) in translator.hotEvents {
      for event in events { said.append((event.time, said.count, input, event.kind)) }
    }
    for (name, moment) in translator.dates { said.append((moment, said.count, name, .next(true))) }
    for event in said.sorted(by: { ($0.time, $0.order) < ($1.time, $1.order) }) where span.contains(event.time) {
      guard let input = pipeline.input(named: event.input) else { continue }
      let time = Self.time(event.time)
      switch event.event {
      case .next(let value): execution.send(value, to: input, at: time)
      case .error(let error): execution.fail(input, StreamFailure(payload: error), at: time)
      case .complete: execution.finish(input, at: time)
      }
    }
  }

  private static func time(_ milliseconds: Double) -> StreamTime { StreamTime(seconds: milliseconds / 1000) }
}

/// Notes from when to when sources are subscribed to.
private final class SubscriptionRecorder {
  private(set) var spans: [String: [ConformanceVector.Span]] = [:]
  /// The moment of what happens now, where the execution does not know it.
  var now: Double?

  func note(_ node: PipelineNode, _ isSubscribed: Bool, at time: Double) {
    let place = node.pointer.tokens
    guard place.count > 2, place[0] == "streams", place[2] == "source", node.upstreams.isEmpty else { return }
    if isSubscribed {
      spans[place[1], default: []].append(ConformanceVector.Span(from: now ?? time, to: nil))
    } else if let open = spans[place[1]]?.firstIndex(where: { $0.to == nil }) {
      spans[place[1]]?[open].to = now ?? time
    }
  }
}

/// The functions that the vectors' expressions call beside CEL's.
private final class VectorFunctions: Sendable {
  private let calls = Mutex<[Int64: Int64]>([:])

  var declarations: [FunctionDeclaration] {
    [
      FunctionDeclaration(name: "fail", overloads: [Signature("fail", [.dyn], .dyn)]) {
        arguments throws(EvaluationError) in
        throw EvaluationError(.expressionFailed, "the test fails", payload: arguments.first ?? .null)
      },
      FunctionDeclaration(name: "nextCall", overloads: [Signature("nextCall", [.int], .int)]) {
        .int(self.count($0, adding: 1))
      },
      FunctionDeclaration(name: "presentCall", overloads: [Signature("presentCall", [.int], .int)]) {
        .int(self.count($0, adding: 0))
      },
    ]
  }

  private func count(_ arguments: [Value], adding more: Int64) -> Int64 {
    guard case .int(let number)? = arguments.first else { return -1 }
    return calls.withLock { calls in
      calls[number, default: -1] += more
      return calls[number] ?? -1
    }
  }
}

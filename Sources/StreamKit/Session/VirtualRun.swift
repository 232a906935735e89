public import StreamCore
public import StreamEngine

/// Runs an execution in virtual time: feeds recordings to its inputs and advances time from deadline to deadline.
///
/// ```swift
/// let history = VirtualRun(Execution(try model.compile())).run()
/// let end = history.events.last?.time
/// ```
public struct VirtualRun {
  public let execution: Execution
  /// The time at which the run ends; no later timer or fed event occurs.
  public var limit: StreamTime
  /// Maximum number of values and completions, a guard against endless streams. Skipped values do not count.
  public var eventLimit: Int
  /// Limit on the work of the run. Default no limit.
  public var workLimit = RunLimits.none
  /// Plays recordings into the inputs. Default none.
  package var player: RecordingPlayer?
  /// Returns the result of a host function's call; a call without a result waits forever.
  public var answer: (Call) -> CallAnswer?
  /// Receives the messages of operators.
  public var note: (HookEvent) -> Void

  /// The result of a host function, and its delay.
  public struct CallAnswer: Sendable {
    public var result: Result<Value, StreamFailure>
    public var delay: Interval

    public init(_ result: Result<Value, StreamFailure>, after delay: Interval = Interval(nanoseconds: 0)) {
      self.result = result
      self.delay = delay
    }
  }

  public init(
    _ execution: Execution, until limit: StreamTime = .distantFuture, eventLimit: Int = .max,
    answer: @escaping (Call) -> CallAnswer? = { _ in nil }, note: @escaping (HookEvent) -> Void = { _ in }
  ) {
    self.answer = answer
    self.note = note
    self.execution = execution
    self.limit = limit
    self.eventLimit = eventLimit
  }

  /// Creates a run of a stream from its start.
  ///
  /// - Parameter origin: The time at which it starts.
  package init(
    _ pipeline: Pipeline, origin: Timestamp, until limit: StreamTime = .distantFuture, eventLimit: Int = .max
  ) {
    self.init(Execution(pipeline, origin: origin), until: limit, eventLimit: eventLimit)
  }

  /// Schedules recordings for inputs. Simultaneous events keep the order of the inputs given.
  public func feed(_ recordings: [(input: Int, history: History)]) {
    let events = recordings.flatMap { recording in recording.history.events.map { (recording.input, $0) } }
    // Events before the subscription are lost, as with any subject.
    let sorted = events.filter { $0.1.time >= .zero && $0.1.time <= limit }.enumerated().sorted {
      ($0.element.1.time, $0.offset) < ($1.element.1.time, $1.offset)
    }
    for (_, (input, event)) in sorted {
      switch event.event {
      case .value(let value): execution.send(value, to: input, at: event.time)
      case .finished: execution.finish(input, at: event.time)
      case .failure(let failure): execution.fail(input, failure, at: event.time)
      case .skipped, .call, .noted: break
      }
    }
  }

  /// Runs to the end, or until nothing more can happen. Returns the events of the stream, including skipped values but
  /// no calls or messages.
  ///
  /// - Parameter visit: Called for each event as it occurs; returning false stops the run.
  @discardableResult
  public func run(_ visit: (History.Event) -> Bool = { _ in true }) -> History { outcome(visit).history }

  /// The result of a run.
  public struct Outcome: Sendable {
    public var history = History()
    /// The reason why `workLimit` stopped the run; nil if it did not. Not part of the history.
    public var stop: StreamFailure?
  }

  /// Runs as `run` does, and also reports whether `workLimit` stopped the run.
  ///
  /// - Parameter visit: Called for each event as it occurs; returning false stops the run.
  public func outcome(_ visit: (History.Event) -> Bool = { _ in true }) -> Outcome {
    var outcome = Outcome()
    var eventCount = 0
    let session = StreamSession(execution, nil, workLimit)
    session.start()
    while true {
      guard let effect = session.next() else {
        if let player, player.step(session, until: limit) { continue }
        guard session.advanceToNextTimer(through: limit) else { return outcome }
        continue
      }
      switch effect {
      case .event(.call(let call)):
        guard let answer = answer(call) else { continue }
        let time = session.time + answer.delay
        if let player {
          player.resolve(call.id, with: answer.result, at: time)
        } else if time <= limit {
          session.answer(call.id, answer.result, at: time)
        }
      case .event(.noted(let noted)): note(noted)
      case .event(let event):
        let timed = History.Event(session.time, event)
        outcome.history.events.append(timed)
        if event.isOfTheStream { eventCount += 1 }
        if !visit(timed) || eventCount >= eventLimit { return outcome }
      case .limited(let failure):
        outcome.stop = failure
        return outcome
      case .busy, .rolledBack: continue
      }
    }
  }
}

internal import CEL
internal import DequeModule
internal import StreamCore
internal import StreamEngine

/// The time of a live stream whose inputs have clocks: values that apps send are held until the watermark has passed them,
/// and the time of the stream follows them.
///
/// A file that runs in an app has the same event time as in a command. The stream starts with its first value: with the
/// first one of each input that has a clock, or the end of it. A value waits until the stream wants one of its input, and
/// a value for an input without a clock counts as present. While no input that has a clock is wanted, as after the end
/// of all of them, time passes by the clock of the machine.
///
/// Used by the active thread of a stream only.
final class EventTimeline {
  /// An input with a clock.
  private final class Input: ArrivingInput {
    let name: String
    let order: RecordOrder
    /// Values that arrived while the one before them waits for other inputs.
    var arrived: Deque<Value> = []
    var arrivalCount = 0
    var silence = Silence()
    var completion: Completion?
    /// Whether nothing follows, not even its end.
    var isOver = false

    var patience: Int64? { order.clock?.time.idle.map { Interval(seconds: $0).nanoseconds } }
    /// Whether a value or the end is the next event.
    var isReady: Bool { order.head != nil || completion != nil }

    /// Reads the times of the values that have arrived until one is the next, or all are held. One whose time is invalid
    /// fails the input.
    func advance() {
      release()
      while order.head == nil {
        guard let value = arrived.popFirst() else {
          order.isFinished = completion != nil
          return release()
        }
        do throws(Diagnostic) {
          _ = try order.offer(value)
          if let overflow = order.overflow { throw overflow }
        } catch {
          fail(error, value)
        }
        release()
      }
    }

    private func release() {
      order.release()
      for settled in order.takeSettled() {
        if case .failure(let problem) = settled.handling { fail(problem, settled.value) }
      }
    }

    private func fail(_ problem: Diagnostic, _ value: Value) {
      completion = .failure(problem.failure(of: value))
      arrived = []
    }

    init(_ name: String, _ clock: InputClock, origin: Timestamp? = nil) {
      self.name = name
      order = RecordOrder(clock, origin: origin)
    }
  }

  /// A step of the stream.
  enum Step {
    case value(Value, input: String, at: StreamTime)
    /// A value that is too late, for the input of such values.
    case lateValue(Value, input: Int, at: StreamTime)
    case completion(Completion, input: String, at: StreamTime)
    /// The next timer is due.
    case timer(through: StreamTime)
    /// Nothing happens before a value arrives, or before this time by the clock of the machine; nil for no limit.
    case wait(until: StreamTime?)
  }

  private var inputs: [Input] = []
  /// The inputs that have feeds.
  private let fed: Set<String>
  /// Maximum number of values of an input that wait for other inputs.
  private let limit: Int
  /// The clock of the machine.
  private let keeper: SchedulerAdapter
  private var silences = Silences()
  /// Time zero of the stream; nil until it starts.
  private(set) var origin: Timestamp?
  /// Values for inputs without a clock that arrived before the start.
  private(set) var early: [(value: Value, input: String)] = []
  /// The time of the stream and of the machine since which no input with a clock is wanted.
  private var freedom: (stream: StreamTime, machine: StreamTime)?

  /// - Parameters:
  ///   - fed: The names of the inputs that have feeds.
  ///   - limit: Maximum number of values of an input that wait for other inputs.
  ///   - keeper: The clock of the machine.
  ///   - origin: Time zero of a stream that runs already; nil if the first value determines it.
  init(
    _ pipeline: Pipeline, fed: Set<String>, limit: Int, _ keeper: SchedulerAdapter, origin: Timestamp? = nil
  ) {
    self.keeper = keeper
    self.fed = fed
    self.limit = limit
    self.origin = origin
    use(pipeline)
  }

  /// Continues with the inputs of another version of the stream. One whose clock is gone lets its values pass.
  func use(_ pipeline: Pipeline) {
    // The compiler has checked the expressions.
    let clocks = (try? InputClocks(of: pipeline)) ?? InputClocks()
    for input in inputs {
      do { try input.order.use(clocks[input.name]) } catch { input.completion = .failure(error.failure()) }
    }
    for name in fed.sorted() where input(named: name) == nil {
      guard let clock = clocks[name] else { continue }
      inputs.append(Input(name, clock, origin: origin))
    }
    // The names decide between values of one time.
    inputs.sort { $0.name < $1.name }
  }

  private func input(named name: String) -> Input? { inputs.first { $0.name == name } }

  /// Whether an input has a clock.
  func hasClock(_ name: String) -> Bool { input(named: name) != nil }

  // MARK: From outside

  /// Takes a value of an input with a clock.
  func take(_ value: Value, for name: String) {
    guard let input = input(named: name), input.completion == nil else { return }
    silences.noteArrival(for: input, at: keeper.now)
    input.arrivalCount += 1
    input.arrived.append(value)
    guard input.arrived.count > limit else { return }
    input.completion = .failure(
      StreamFailure(
        .limitExceeded, "\(limit) values of input '\(name)' wait for values of other inputs",
        help: "declare how long the other inputs may be silent: \"idle\" in their 'time'"))
  }

  /// Keeps a value of an input without a clock until the stream starts.
  func keep(_ value: Value, for name: String) { early.append((value, name)) }

  /// Notes the end of an input. Returns false if the input has no clock, so that the end counts as present.
  func complete(_ name: String, _ completion: Completion) -> Bool {
    guard let input = input(named: name) else { return false }
    if input.completion == nil { input.completion = completion }
    return true
  }

  // MARK: The start

  /// Starts the stream if its first value is known, and returns its time zero. Otherwise the next step is to wait.
  func start() -> Result<Timestamp, Waiting> {
    let now = keeper.now
    var passed = Timestamp(seconds: 0)
    search: while true {
      let silent = silent(among: inputs)
      if silent.isEmpty { break }
      switch silence(of: silent, hasOthers: inputs.contains { $0.order.head != nil }, at: now) {
      case .wait(let time): return .failure(Waiting(time: time))
      case .proceed: break search
      case .release: continue
      case .pass(let instant, nil):
        passed = instant
        break search
      case .pass(_, let release?): return .failure(Waiting(time: now + Interval(nanoseconds: release)))
      }
    }
    let origin = inputs.compactMap { $0.order.head?.time }.min() ?? passed
    for input in inputs {
      do throws(Diagnostic) { try input.order.begin(at: origin) } catch { input.completion = .failure(error.failure()) }
    }
    self.origin = origin
    return .success(origin)
  }

  struct Waiting: Error { let time: StreamTime? }

  /// Takes the values that arrived before the start.
  func takeEarly() -> [(value: Value, input: String)] {
    defer { early = [] }
    return early
  }

  // MARK: Steps

  /// The inputs that have neither a value nor an end to offer.
  private func silent(among inputs: [Input]) -> [Input] {
    for input in inputs { input.advance() }
    return inputs.filter { !$0.isReady }
  }

  private func silence(of silent: [Input], hasOthers: Bool, at now: StreamTime) -> Silences.Step {
    silences.step(without: silent, hasOthers: hasOthers, newest: newest, at: now, calendar: keeper.origin)
  }

  /// Whether all inputs have ended and none of their values waits.
  var isDrained: Bool {
    inputs.allSatisfy { $0.completion != nil && $0.arrived.isEmpty && $0.order.isEmpty }
  }

  /// The newest time of all values that have arrived.
  private var newest: Timestamp? { inputs.compactMap(\.order.newest).max() }

  /// The present time of a started stream.
  ///
  /// - Parameter time: The time to which the stream has been advanced.
  func present(_ time: StreamTime) -> StreamTime {
    freedom.map { max(time, $0.stream + (keeper.now - $0.machine)) } ?? time
  }

  /// Returns the next step of a started stream.
  ///
  /// - Parameters:
  ///   - time: The time to which the stream has been advanced.
  ///   - timer: When its next timer is due; nil if it has none.
  ///   - wants: Returns whether it requests a value of an input, or of the late values of it.
  func step(_ time: StreamTime, timer: StreamTime?, wants: (String) -> Bool) -> Step {
    let now = keeper.now
    let all = inputs.filter { !$0.isOver && wants($0.name) }
    // An input that has lost its clock in a swap counts as present.
    for input in all where input.order.clock == nil {
      input.advance()
      if input.isReady { return take(input, at: present(time), timer) }
    }
    let wanted = all.filter { $0.order.clock != nil }
    guard !wanted.isEmpty else { return freeStep(time, timer, at: now) }
    freedom = nil
    while true {
      let silent = silent(among: wanted)
      var choice = NextInput()
      for (place, input) in wanted.enumerated() {
        if input.order.head != nil {
          choice.consider(place, isEnd: false, at: max(time, input.order.present))
        } else if input.completion != nil {
          choice.consider(place, isEnd: true, at: time)
        }
      }
      let next = choice.next.map { (wanted[$0.input], $0.time) }
      if silent.isEmpty, let (input, time) = next { return take(input, at: time, timer) }
      switch silence(of: silent, hasOthers: next != nil, at: now) {
      case .wait(let moment): return .wait(until: moment)
      case .proceed: return next.map { take($0, at: $1, timer) } ?? .wait(until: nil)
      case .release: continue
      case .pass(let instant, let release):
        guard let origin else { return .wait(until: nil) }
        let reached = instant.streamTime(since: origin)
        if let timer, timer <= reached { return .timer(through: reached) }
        let rest = [timer.map { max(1, ($0 + Interval(nanoseconds: 1) - reached).nanoseconds) }, release].compactMap(
          \.self
        ).min()
        return .wait(until: rest.map { now + Interval(nanoseconds: $0) })
      }
    }
  }

  /// Takes the next value or the end of an input, unless a timer is due before.
  private func take(_ input: Input, at time: StreamTime, _ timer: StreamTime?) -> Step {
    if let timer, timer < time { return .timer(through: timer) }
    guard let record = input.order.pop() else {
      input.isOver = true
      return .completion(input.completion ?? .finished, input: input.name, at: time)
    }
    if record.isLate, let late = input.order.clock?.lateInput { return .lateValue(record.value, input: late, at: time) }
    return .value(record.value, input: input.name, at: time)
  }

  /// The next step while no input with a clock is wanted.
  private func freeStep(_ time: StreamTime, _ timer: StreamTime?, at now: StreamTime) -> Step {
    if freedom == nil { freedom = (time, now) }
    guard let timer else { return .wait(until: nil) }
    let present = present(time)
    return timer <= present ? .timer(through: present) : .wait(until: now + (timer - present))
  }

  /// Describes the values that arrived late; nil if there were none.
  var report: StreamFailure? {
    let count = inputs.reduce(0) { $0 + $1.order.lateCount }
    guard count > 0, let clock = inputs.first(where: { $0.order.lateCount > 0 })?.order.clock else { return nil }
    return clock.warnings(lateCount: count, latest: nil, output: nil).first?.failure()
  }
}

extension Diagnostic {
  /// The failure of the input to which the value of the diagnostic was sent.
  fileprivate func failure(of value: Value? = nil) -> StreamFailure {
    StreamFailure(code, message, value: value, help: help)
  }
}

// MARK: Saving

extension EventTimeline {
  /// The values that wait for their time.
  private struct Saved: Codable {
    var origin: Timestamp?
    var orders: [SavedOrder]
    /// The values that wait for other inputs, in the order of `orders`.
    var arrived: [[Value]]
    var early: [Early]

    struct Early: Codable {
      let value: Value
      let input: String
    }
  }

  /// Returns the values that wait for their time, for a snapshot.
  func saved() throws -> Value {
    try ValueEncoder().encode(
      Saved(
        origin: origin, orders: inputs.map { $0.order.saved(for: $0.name) }, arrived: inputs.map { Array($0.arrived) },
        early: early.map { Saved.Early(value: $0.value, input: $0.input) }))
  }

  /// Continues from values that were saved.
  ///
  /// - Throws: The error of a value that has another form.
  func restore(_ value: Value) throws(Diagnostic) {
    let saved: Saved
    do { saved = try ValueDecoder().decode(Saved.self, from: value) } catch {
      throw Diagnostic(.snapshotMismatch, "the values that wait for their time cannot be read: \(error)")
    }
    origin = saved.origin
    early = saved.early.map { ($0.value, $0.input) }
    for (order, arrived) in zip(saved.orders, saved.arrived) {
      guard let input = input(named: order.input) else { continue }
      try input.order.restore(order, origin: saved.origin)
      input.arrived = Deque(arrived)
    }
  }
}

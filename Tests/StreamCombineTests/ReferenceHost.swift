import StreamCombine
import StreamCore
import StreamEngine
@_spi(Driving) import StreamKit
import Synchronization

/// The feed of an input of a case.
struct ReferenceFeed {
  let feed: any StreamFeed
  let send: (ReferenceCase.Event) -> Void

  init(_ kind: Value) {
    if let current = kind.member("current") {
      self.init(StreamInput(current)) { $0 }
      return
    }
    switch kind.text {
    case "int": self.init(PassthroughInput<Int>()) { if case .int(let value) = $0 { Int(value) } else { nil } }
    case "double": self.init(PassthroughInput<Double>()) { if case .double(let value) = $0 { value } else { nil } }
    case "bool": self.init(PassthroughInput<Bool>()) { if case .bool(let value) = $0 { value } else { nil } }
    case "string": self.init(PassthroughInput<String>()) { $0.text }
    case "publisher": self.init(PassthroughSubject<Value, StreamFailure>())
    default: self.init(PassthroughInput<Value>()) { $0 }
    }
  }

  private init<Content>(_ input: InputFeed<Content>, _ content: @escaping (Value) -> Content?) {
    feed = input
    send = { event in
      switch (event, event.completion) {
      case (.value(let value), _): if let content = content(value) { input.send(content) }
      case (_, .failure(let failure)?): input.fail(failure)
      default: input.finish()
      }
    }
  }

  private init(_ subject: PassthroughSubject<Value, StreamFailure>) {
    feed = subject.streamFeed()
    send = { event in
      switch (event, event.completion) {
      case (.value(let value), _): subject.send(value)
      case (_, .failure(let failure)?): subject.send(completion: .failure(failure))
      default: subject.send(completion: .finished)
      }
    }
  }
}

/// The host functions of a case. A call waits until its result is released.
final class ReferenceCalls: Sendable {
  private struct State {
    /// The calls that have arrived, by their number in the case.
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var arrived: Set<Int> = []
    var scheduled: Set<Int> = []
    /// Calls that the case does not have.
    var others: [String] = []
  }

  private let calls: [ReferenceCase.Call]
  private let state = Mutex(State())

  init(_ calls: [ReferenceCase.Call]) { self.calls = calls }

  func answer(_ function: String, _ argument: Value) async throws -> Value {
    let text = JSONWriter.compact(argument)
    let number: Int? = state.withLock { state in
      let number = calls.indices.first {
        !state.arrived.contains($0) && calls[$0].function == function && calls[$0].argument == text
      }
      if let number { state.arrived.insert(number) } else { state.others.append("\(function)(\(text))") }
      return number
    }
    guard let number else { throw StreamFailure(code: "X1", message: "the case does not have this call") }
    await withCheckedContinuation { continuation in state.withLock { $0.waiting[number] = continuation } }
    switch calls[number].result {
    case .value(let value): return value
    case .failure(let code, let error):
      throw error.map { StreamFailure(payload: $0) } ?? StreamFailure(code: code, message: "no")
    case .finished: return .null
    }
  }

  /// Whether all calls up to an instant wait for their results.
  func haveArrived(through time: Int64) -> Bool {
    state.withLock { state in
      calls.indices.allSatisfy { calls[$0].time > time || state.scheduled.contains($0) || state.waiting[$0] != nil }
    }
  }

  /// The calls that have arrived since the last use of this method.
  func takeArrived() -> [Int] {
    state.withLock { state in
      let numbers = state.waiting.keys.filter { !state.scheduled.contains($0) }.sorted()
      state.scheduled.formUnion(numbers)
      return numbers
    }
  }

  func resultTime(_ number: Int) -> Int64 { calls[number].resultTime }

  func release(_ number: Int) { state.withLock { $0.waiting.removeValue(forKey: number) }?.resume() }

  func releaseAll() {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }

  /// The calls that the case does not have. One that is missing shows in the events, unless its stream has ended first,
  /// which may cancel it before it begins.
  var problems: [String] { state.withLock { state in state.others.map { "the call \($0) is not expected" } } }
}

/// Time that only the case advances: its instants, its sends, and the results of its calls, in the order of the model.
final class ReferenceTime: Sendable {
  let scheduler = VirtualScheduler()
  /// Number of actions without a date: results of calls, while one is released.
  private let enqueued = Atomic(0)

  func enqueue(_ action: @escaping () -> Void) {
    scheduler.schedule(options: nil, action)
    enqueued.add(1, ordering: .sequentiallyConsistent)
  }

  /// Runs until nothing is left to do.
  ///
  /// - Parameters:
  ///   - pump: Performed after every action.
  ///   - isOver: Whether the stream has ended.
  nonisolated(nonsending) func play(
    _ calls: ReferenceCalls, pump: () -> Void = {}, isOver: () -> Bool
  ) async {
    var due: [Int] = []
    let marks = Mutex<[Int]>([])
    var budget = 100_000
    pump()
    while !isOver(), budget > 0 {
      scheduler.run(through: scheduler.now) {
        pump()
        budget -= 1
        return !isOver() && budget > 0
      }
      await wait { calls.haveArrived(through: scheduler.now.nanoseconds) }
      for number in calls.takeArrived() {
        scheduler.schedule(after: VirtualInstant(nanoseconds: calls.resultTime(number))) {
          marks.withLock { $0.append(number) }
        }
      }
      due = marks.withLock { marks in
        defer { marks = [] }
        return marks
      }
      // One at a time, for a result is enqueued by a thread of its own.
      for number in due {
        let count = enqueued.load(ordering: .sequentiallyConsistent)
        calls.release(number)
        await wait { enqueued.load(ordering: .sequentiallyConsistent) > count }
      }
      guard due.isEmpty else { continue }
      guard advance() else { break }
    }
    pump()
  }

  /// Performs the next action. Returns false if there is none.
  private func advance() -> Bool {
    var looks = 0
    scheduler.run(through: VirtualInstant(nanoseconds: .max)) {
      looks += 1
      return looks == 1
    }
    return looks == 2
  }

  /// Waits for a thread of a host function; five seconds at most, after which the case differs.
  private nonisolated(nonsending) func wait(_ isDone: () -> Bool) async {
    guard !isDone() else { return }
    let end = ContinuousClock.now + .seconds(5)
    while !isDone(), ContinuousClock.now < end { await Task.yield() }
  }
}

/// The time of a case as a scheduler of publishers, which counts actions without a date.
struct ReferenceScheduler: Scheduler {
  typealias SchedulerTimeType = VirtualInstant
  typealias SchedulerOptions = Never

  let time: ReferenceTime

  var now: VirtualInstant { time.scheduler.now }
  var minimumTolerance: VirtualInstant.Stride { time.scheduler.minimumTolerance }

  func schedule(options: Never?, _ action: @escaping () -> Void) { time.enqueue(action) }

  func schedule(
    after date: VirtualInstant, tolerance: VirtualInstant.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    time.scheduler.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  func schedule(
    after date: VirtualInstant, interval: VirtualInstant.Stride, tolerance: VirtualInstant.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    time.scheduler.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}

/// The time of a case for awaited values.
final class ReferenceKeeper: SchedulerAdapter, @unchecked Sendable {  // as its superclass
  private let time: ReferenceTime

  init(_ time: ReferenceTime) {
    self.time = time
    super.init(takesWork: false)
  }

  override var now: StreamTime { StreamTime(nanoseconds: time.scheduler.now.nanoseconds) }
  override var origin: Timestamp { Timestamp(seconds: 0, nanoseconds: time.scheduler.now.nanoseconds) }

  override func wake(at time: StreamTime, _ action: @escaping @Sendable () -> Void) -> StreamToken {
    let (scheduler, action) = (self.time.scheduler, OneTimeAction(action))
    let timer = Unchecked(
      scheduler.schedule(
        after: VirtualInstant(nanoseconds: time.nanoseconds), interval: .seconds(1),
        tolerance: scheduler.minimumTolerance, options: nil, action.run))
    action.setStop { timer.content.cancel() }
    return StreamToken { action.cancel() }
  }

  override func enqueue(_ action: @escaping @Sendable () -> Void) { time.enqueue(action) }
}

/// Runs tasks only when a test calls `run`, so that their order is fixed.
final class ManualExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs until every task is suspended or has ended.
  func run() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

public import StreamCore
public import StreamEngine
internal import Synchronization

/// A running stream whose model can be replaced while receivers keep receiving values.
///
/// ```swift
/// let stream = try ChangingStream(model, inputs: ["amounts": input])
/// var totals = stream.values(of: Int.self).makeAsyncIterator()
/// let report = try await stream.swap(to: newModel)
/// ```
///
/// The model is swapped between two values, as `StreamSwap` describes: unchanged parts keep their state, inputs keep
/// their feeds, and pending calls stay pending. Values sent before a swap go to the old model, values sent after it to
/// the new one; none is lost. The stream runs once for all its receivers, from the first one on, until it completes, is
/// canceled or is released. Senders do not wait for it: an input for which too many values wait fails (`S409`), by default
/// more than a million (`RunLimits.waiting`).
///
/// - SeeAlso: `LiveStream`, whose model is fixed, and which is faster.
public final class ChangingStream: Sendable {
  private let receiver: FeedMail
  let services: HostServices
  private let options: CompileOptions
  /// The outputs that were chosen when it was made; empty if the model determines them.
  private let outputs: [String]
  /// The names of the outputs of all versions so far.
  private let outputNames: Mutex<[String]>
  let subscribers: ChangingSubscribers

  /// Creates a stream that starts with its first receiver: see `values(of:output:bufferingPolicy:)`.
  ///
  /// - Parameters:
  ///   - model: The first model.
  ///   - outputs: The outputs or named streams of the model to run side by side, in one run: see
  ///     `values(of:output:bufferingPolicy:)`. A stream that several of them use runs once if it is shared, by `share`.
  ///     Default none: the outputs of the model, or else its own values.
  ///   - inputs: The feeds of inputs, by name. Names that this model lacks may exist in a later one.
  ///   - services: The functions and hooks that the models can use.
  ///   - options: Compile options; `services` are added to the host.
  ///   - clock: The clock that drives the stream's time. Default the machine's.
  ///   - state: The state that is saved and restored. Default none.
  /// - Throws: All errors in the model, outputs that it lacks (`S109`), inputs without a feed and an initial value (`S303`), feeds that an input cannot
  ///   take (`S304`), and those of a saved state of another model (`S412`).
  public convenience init<C: Clock>(
    _ model: StreamModel, outputs: [String] = [], inputs: [String: any StreamFeed] = [:],
    services: HostServices = HostServices(), options: CompileOptions = CompileOptions(), clock: C = ContinuousClock(),
    state: StreamState? = nil
  ) throws(Diagnostics) where C.Duration == Duration {
    let options = options.adding(services)
    let told = ChangingSubscribers()
    let version = try Self.version(of: model, outputs, options)
    try version.pipeline.check(inputs, allowsMore: true)
    try self.init(
      version, outputs, inputs: inputs, services: services, options: options, clock: clock,
      state: state, told,
      receive: { value in
        told.receive(value)
        return nil
      }, end: told.end)
  }

  /// Subscribes with unlimited demand.
  ///
  /// - Parameters:
  ///   - model: The first model.
  ///   - outputs: The outputs or named streams of the model to run side by side, in one run: see
  ///     `values(of:output:bufferingPolicy:)`. A stream that several of them use runs once if it is shared, by `share`.
  ///     Default none: the outputs of the model, or else its own values.
  ///   - inputs: The feeds of inputs, by name. Names that this model lacks may exist in a later one.
  ///   - services: The functions and hooks that the models can use.
  ///   - options: Compile options; `services` are added to the host.
  ///   - clock: The clock that drives the stream's time. Default the machine's.
  ///   - state: The state that is saved and restored. Default none.
  ///   - receive: Receives every value, one at a time, in a task of the stream.
  ///   - end: Called at the completion. Default: does nothing.
  /// - Throws: All errors in the model, outputs that it lacks (`S109`), inputs without a feed and an initial value (`S303`), feeds that an input cannot
  ///   take (`S304`), and those of a saved state of another model (`S412`).
  public convenience init<C: Clock>(
    _ model: StreamModel, outputs: [String] = [], inputs: [String: any StreamFeed] = [:],
    services: HostServices = HostServices(), options: CompileOptions = CompileOptions(), clock: C = ContinuousClock(),
    state: StreamState? = nil,
    receive: @escaping @Sendable (Value) -> Void, end: @escaping @Sendable (Completion) -> Void = { _ in }
  ) throws(Diagnostics) where C.Duration == Duration {
    try self.init(
      model, outputs: outputs, inputs: inputs, services: services, options: options, clock: clock, state: state)
    _ = subscribers.add(
      ChangingSubscribers.Subscriber(
        receive: { value in
          receive(value)
          return nil
        }, end: end))
    begin()
  }

  /// Subscribes with unlimited demand.
  ///
  /// - Parameters:
  ///   - version: The first version, compiled with these options and services.
  ///   - options: The options for models that replace it; the host has the services.
  ///   - receive: Receives every value. A failure that it returns is a failure of the version.
  package convenience init<C: Clock>(
    _ version: StreamVersion, inputs: [String: any StreamFeed], services: HostServices, options: CompileOptions,
    clock: C, receive: @escaping @Sendable (Value) -> StreamFailure?, end: @escaping @Sendable (Completion) -> Void
  ) where C.Duration == Duration {
    let session = StreamSession(version, origin: LiveClock().origin, limit: services.limits)
    self.init(
      session, [], FeedMail(inputs, limit: services.limits.waiting), nil, ChangingSubscribers(), services: services,
      options: options, clock: clock,
      receive: receive, end: end)
    begin()
  }

  private convenience init<C: Clock>(
    _ version: StreamVersion, _ outputs: [String], inputs: [String: any StreamFeed], services: HostServices,
    options: CompileOptions,
    clock: C, state: StreamState?, _ subscribers: ChangingSubscribers,
    receive: @escaping @Sendable (Value) -> StreamFailure?, end: @escaping @Sendable (Completion) -> Void
  ) throws(Diagnostics) where C.Duration == Duration {
    let session =
      if let saved = state?.restored {
        try StreamSession(version, restoring: saved, at: LiveClock().origin, limit: services.limits)
      } else {
        StreamSession(version, origin: LiveClock().origin, limit: services.limits)
      }
    let receiver = FeedMail(inputs, limit: services.limits.waiting)
    if let state, !state.begin(receiver) { throw state.isTaken }
    self.init(
      session, outputs, receiver, state, subscribers, services: services, options: options, clock: clock,
      receive: receive,
      end: end)
  }

  private init<C: Clock>(
    _ session: sending StreamSession, _ outputs: [String], _ receiver: FeedMail, _ state: StreamState?,
    _ subscribers: ChangingSubscribers, services: HostServices, options: CompileOptions, clock: C,
    receive: @escaping @Sendable (Value) -> StreamFailure?, end: @escaping @Sendable (Completion) -> Void
  ) where C.Duration == Duration {
    self.receiver = receiver
    self.services = services
    self.options = options
    self.outputs = outputs
    outputNames = Mutex(session.execution.pipeline.outputs)
    self.subscribers = subscribers
    let keeper = ClockKeeper(clock)
    Task {
      let (messages, mail) = (receiver.messages, receiver.mail)
      var work = ChangingWork(
        session, services, keeper, fed: Set(receiver.feedsByName.keys), saved: state?.restored?.waiting, mail,
        isCancelled: { receiver.isCancelled.load(ordering: .relaxed) },
        receive: receive, end: end)
      for await message in messages {
        // A message that waits does not suspend the task: a stream that is always busy would keep its thread.
        if case .proceed = message { await Task.yield() }
        if case .value = message { receiver.noteTaken() }
        work.take(message)
        if work.isOver { break }
      }
      state?.end(receiver, isOver: work.isEnded, services, snapshot: work.snapshot)
      work.close()
      subscribers.cancel()
      mail.finish()
      receiver.leave()
      // Tasks that wait for a swap or a state that will no longer come.
      for await message in messages {
        switch message {
        case .swap(_, _, let told): told.resume(returning: nil)
        case .save(let told): told.resume(returning: nil)
        default: break
        }
      }
    }
  }

  private static func version(
    of model: StreamModel, _ outputs: [String], _ options: CompileOptions
  ) throws(Diagnostics) -> StreamVersion {
    guard !outputs.isEmpty else { return try StreamVersion(model, options) }
    // Errors have the places of the model as it is written.
    _ = try model.compile(options)
    return try StreamVersion(model.publishing(outputs), options)
  }

  /// Starts the stream. The current values of the feeds arrive before the subscription, to replace the initial values.
  func begin() {
    receiver.join()
    receiver.mail.yield(.begin)
  }

  deinit { cancel() }

  /// Replaces the model between two values.
  ///
  /// - Returns: A report of the state that was kept, reset and lost; nil if the stream had completed.
  /// - Throws: All errors in the model, outputs that it lacks (`S109`), inputs without a feed and an initial value (`S303`),
  ///   and feeds that an input cannot take (`S304`); the stream continues unchanged.
  public func swap(to model: StreamModel) async throws(Diagnostics) -> SwapReport? {
    let version = try Self.version(of: model, outputs, options)
    try version.pipeline.check(receiver.feedsByName, allowsMore: true)
    return try await swap(to: version, on: nil)
  }

  /// Replaces the version between two values.
  ///
  /// During a trial the stream keeps the former version with its state, and returns to it if the new one fails: see
  /// `SwapTrial`.
  ///
  /// - Returns: A report of the state that was kept, reset and lost; nil if the stream had completed.
  /// - Throws: The reason why the state cannot be saved; the stream continues unchanged.
  package func swap(to version: StreamVersion, on trial: SwapTrial?) async throws(Diagnostics) -> SwapReport? {
    let outcome: Result<SwapReport, Diagnostics>? = await withCheckedContinuation { told in
      if case .terminated = receiver.mail.yield(.swap(version, trial, told)) { told.resume(returning: nil) }
    }
    let report = try outcome?.get()
    outputNames.withLock { names in
      names += version.pipeline.outputs.filter { !names.contains($0) }
    }
    return report
  }

  /// The names of the outputs of the versions that have run.
  var knownOutputs: [String] { outputNames.withLock { $0 } }

  /// Begins a trial of the version that runs, without another one to return to.
  package func begin(_ trial: SwapTrial) { receiver.mail.yield(.trial(trial)) }

  /// Makes the stream notice that its trial is over.
  package func settle() { receiver.mail.yield(.settle) }

  /// Cancels the subscription. A delivery in progress is the last one, and loops over the values end after those that
  /// they have kept. Later calls have no effect.
  public func cancel() {
    receiver.isCancelled.store(true, ordering: .relaxed)
    receiver.mail.yield(.cancel)
  }
}

/// Receives the events of feeds by input name, since the numbers of inputs change with the model.
final class FeedMail: FeedReceiver {
  let messages: AsyncStream<ChangingWork.Message>
  let mail: AsyncStream<ChangingWork.Message>.Continuation
  private let feeds: [(name: String, feed: any StreamFeed)]
  /// Whether the stream is canceled.
  let isCancelled = Atomic(false)
  /// Number of values that wait for the stream.
  private let waitingCount = Atomic(0)

  /// Maximum number of values that wait. A sender cannot wait, since its thread may be one that the stream needs.
  private let limit: Int

  init(_ feeds: [String: any StreamFeed], limit: Int) {
    self.limit = limit
    (messages, mail) = AsyncStream.makeStream(of: ChangingWork.Message.self)
    self.feeds = feeds.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  var feedsByName: [String: any StreamFeed] { Dictionary(uniqueKeysWithValues: feeds.map { ($0.name, $0.feed) }) }

  func join() { for (number, entry) in feeds.enumerated() { entry.feed.attach(self, as: number) } }

  func leave() { for entry in feeds { entry.feed.detach(self) } }

  func receive(_ value: Value, on number: Int) {
    let count = waitingCount.add(1, ordering: .relaxed).newValue
    if count <= limit {
      mail.yield(.value(value, input: feeds[number].name))
    } else if count == limit + 1 {
      let failure = StreamFailure(
        .limitExceeded, "\(limit) values wait for the stream, which is slower than input '\(feeds[number].name)'",
        help: "send less, for instance through a debounce of your own, or use a LiveStream, whose senders wait")
      receive(.failure(failure), on: number)
    }
  }

  /// Notes that the stream has taken a value.
  func noteTaken() {
    // Once the limit is exceeded, it stays so: a value has been lost.
    if waitingCount.load(ordering: .relaxed) <= limit { waitingCount.subtract(1, ordering: .relaxed) }
  }

  func receive(_ completion: Completion, on number: Int) {
    mail.yield(.completion(completion, input: feeds[number].name))
  }
}

extension FeedMail: SavableRun {
  func save() async throws -> Snapshot? {
    try await withCheckedThrowingContinuation { told in
      if case .terminated = mail.yield(.save(told)) { told.resume(returning: nil) }
    }
  }
}

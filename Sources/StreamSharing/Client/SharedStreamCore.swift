internal import StreamCore
internal import StreamEngine
internal import StreamKit
internal import Synchronization

/// The state that the parts of a shared stream have in common: the good version, the subscriptions, and the mail to its task.
final class SharedStreamCore: RepositoryFollower {
  /// A running stream of a subscriber.
  struct Subscription: Sendable {
    let number: Int
    let stream: any VersionRunner
    /// The content that it began with.
    let content: String
    /// Ends the subscriber's sequence.
    let finish: @Sendable () -> Void
  }

  /// The versions that an offer is compared with.
  struct Memory: Sendable {
    var trial: StreamRecord.Trial?
    var refusals: [StreamRecord.Refused] = []
    /// The content of the version on probation, or of one that waits for it.
    var candidate: String?
  }

  private struct Content {
    var good: LoadedVersion
    var memory: Memory
    var subscriptions: [Int: Subscription] = [:]
    /// The numbers of subscriptions that are about to start.
    var reserved: Set<Int> = []
    var count = 0
    var isOver = false
  }

  let name: StreamName
  let repository: SharedRepository
  let states: StateBroadcast
  let mail: AsyncStream<SharedStreamWork.Message>.Continuation
  /// A sequence without elements, which ends with the first refresh. For one reader.
  let firstRefresh: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation) =
    AsyncStream.makeStream(of: Void.self)
  /// Whether the version that the repository offers has been read.
  let hasRefreshed = Atomic(false)
  /// Whether `fallback` is a version that the app has built in.
  let hasFallback: Bool
  private let fallback: LoadedVersion
  private let services: HostServices
  /// The coding of the app's own types.
  var coding: ValueCoding { services.coding }
  private let loader: SharedStreamLoader
  private let content: Mutex<Content>
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// - Parameter fallback: The version that is built into the app; nil for a run that waits for a first version.
  init(
    _ name: StreamName, _ repository: SharedRepository, fallback: StreamModel?, _ probation: Probation,
    _ services: HostServices, _ options: CompileOptions
  ) throws(Diagnostics) {
    let options = options.adding(services)
    self.name = name
    self.repository = repository
    self.services = services
    loader = SharedStreamLoader(
      name: name, client: repository.client, targets: repository.targets, options: options, probation: probation)
    hasFallback = fallback != nil
    let first = try LoadedVersion(fallback: fallback ?? StreamModel(source: .never(Source.Never())), options)
    self.fallback = first
    var (good, candidate) = (first, LoadedVersion?.none)
    var state = SharedStreamState(content: good.content, phase: .fallback)
    var record = StreamRecord()
    func load(_ version: StreamRecord.Version) -> LoadedVersion? {
      do throws(TrustError) {
        return try LoadedVersion(version, at: repository.now(), options)
      } catch {
        state.cacheProblem = error
        return nil
      }
    }
    do throws(TrustError) {
      if let stored = try repository.cache.streams.load(name.description) {
        record = try StreamRecord(stored, of: name.description)
        let hasCrashed = repository.cache.takeMark(of: name) && record.trial != nil
        if hasCrashed { record.trial?.crashes += 1 }
        if record.demoteGood(after: probation.attempts, hasFallback: fallback != nil) || hasCrashed {
          try? repository.cache.streams.store(record.bytes, as: name.description)
        }
      }
    } catch {
      state.cacheProblem = error
    }
    state.failures = record.trial?.failures ?? 0
    if let known = record.good.flatMap(load) {
      good = known
      state.version = known.number
      state.content = PublishedParameters.content(of: known.content)
      state.phase = record.isGoodOnTrial && state.failures == 0 ? .first : .cached
    }
    if let trial = record.trial, !record.isGoodOnTrial, trial.crashes < probation.attempts {
      candidate = load(trial.version)
      state.waitingVersion = candidate?.number
    }
    states = StateBroadcast(state)
    content = Mutex(
      Content(
        good: good,
        memory: Memory(trial: record.trial, refusals: record.refused, candidate: candidate?.content)))
    let (messages, mail) = AsyncStream.makeStream(of: SharedStreamWork.Message.self)
    self.mail = mail
    let task = Task { [record, candidate] in
      var work = SharedStreamWork(self, record, candidate, probation)
      for await message in messages {
        await work.take(message)
        if case .cancel = message { break }
      }
      mail.finish()
      for await message in messages { message.release() }
    }
    self.task.withLock { $0 = task }
  }

  var good: LoadedVersion { content.withLock(\.good) }

  /// The subscriptions, in the order of their starts.
  var subscriptions: [Subscription] {
    content.withLock { content in content.subscriptions.values.sorted { $0.number < $1.number } }
  }

  /// The version to which the client returns from the good one: the one before it, or else the fallback.
  func former(of record: StreamRecord) -> LoadedVersion {
    record.good.flatMap { try? LoadedVersion($0, at: repository.now(), loader.options) } ?? fallback
  }

  /// Makes a version the good one.
  func accept(_ loaded: LoadedVersion) { content.withLock { $0.good = loaded } }

  /// Notes the version number under which the good content is offered, and its expiration.
  func confirmGood(_ number: Int, _ expires: Int64) { content.withLock { $0.good.confirm(number, expires) } }

  func remember(_ memory: Memory) { content.withLock { $0.memory = memory } }

  /// Starts a stream with the good version. A version on probation replaces it right after.
  ///
  /// - Parameters:
  ///   - inputs: The feeds of inputs, by name.
  ///   - receive: Receives every value; a failure that it returns is a failure of the version.
  ///   - end: Called at the completion, also when the shared stream is canceled.
  /// - Returns: The number of the subscription; nil if the shared stream is canceled.
  func subscribe(
    _ inputs: [String: any StreamFeed], receive: @escaping @Sendable (Value) -> StreamFailure?,
    end: @escaping @Sendable (Completion) -> Void
  ) -> Int? {
    let reserved = content.withLock { content -> (number: Int, good: LoadedVersion)? in
      guard !content.isOver else { return nil }
      content.count += 1
      content.reserved.insert(content.count)
      return (content.count, content.good)
    }
    guard let (number, good) = reserved else { return nil }
    let stream = Self.start(
      good.version, inputs, services, loader.options, repository.clock, receive: receive,
      end: { [weak self] completion in
        end(completion)
        if case .failure(let failure) = completion { self?.mail.yield(.failed(failure)) }
        self?.unsubscribe(number)
      })
    let isRunning = content.withLock { content in
      guard content.reserved.remove(number) != nil, !content.isOver else { return false }
      content.subscriptions[number] = Subscription(
        number: number, stream: stream, content: good.content, finish: { end(.finished) })
      return true
    }
    if isRunning {
      mail.yield(.joined(nil))
    } else {
      stream.cancel()
      end(.finished)
    }
    return number
  }

  private static func start<C: Clock<Duration>>(
    _ version: StreamVersion, _ inputs: [String: any StreamFeed], _ services: HostServices, _ options: CompileOptions,
    _ clock: C, receive: @escaping @Sendable (Value) -> StreamFailure?, end: @escaping @Sendable (Completion) -> Void
  ) -> ChangingStream {
    ChangingStream(
      version, inputs: inputs, services: services, options: options, clock: clock, receive: receive, end: end)
  }

  /// Adds a run that has begun with the good version. Returns once it runs the version on probation, if there is one.
  func attach(_ run: any SharedRun) async {
    content.withLock { content in
      content.count += 1
      content.subscriptions[content.count] = Subscription(
        number: content.count, stream: AttachedRun(run: run), content: content.good.content, finish: {})
    }
    await post { .joined($0) }
  }

  /// The good version, or else the offered version, which becomes good without a probation; nil if there is neither.
  /// For runs without a fallback.
  func begin() async -> LoadedVersion? {
    await withCheckedContinuation { told in
      if case .terminated = mail.yield(.begin(told)) { told.resume(returning: nil) }
    }
  }

  func unsubscribe(_ number: Int) {
    let subscription = content.withLock { content in
      content.reserved.remove(number)
      return content.subscriptions.removeValue(forKey: number)
    }
    guard let subscription else { return }
    subscription.stream.cancel()
    mail.yield(.left)
  }

  /// Ends all subscriptions, and the task.
  func cancel() {
    let subscriptions = content.withLock { content in
      content.isOver = true
      defer { content.subscriptions = [:] }
      return Array(content.subscriptions.values)
    }
    repository.loop.leave(self)
    firstRefresh.continuation.finish()
    for subscription in subscriptions {
      subscription.stream.cancel()
      subscription.finish()
    }
    mail.yield(.cancel)
    states.finish()
  }

  /// Ends all subscriptions, and returns when everything is recorded.
  func close() async {
    cancel()
    await task.withLock { $0 }?.value
  }

  func take(_ refreshed: Result<RepositoryClient, TrustError>) async {
    do throws(TrustError) {
      let client = try refreshed.get()
      let now = repository.now()
      let expiring = client.expirations.filter { $0.urgency(at: now) > .none }
      let (good, memory) = content.withLock { ($0.good.content, $0.memory) }
      let (offer, problem) = try await loader.load(
        from: client, trial: memory.trial, refusals: memory.refusals,
        isKnown: { $0 == good || $0 == memory.candidate })
      hasRefreshed.store(true, ordering: .relaxed)
      await post { .offered(offer, problem: problem, expiring: expiring, $0) }
    } catch {
      await post { .unreachable(error, $0) }
    }
    firstRefresh.continuation.finish()
  }

  private func post(_ message: (CheckedContinuation<Void, Never>) -> SharedStreamWork.Message) async {
    await withCheckedContinuation { told in
      if case .terminated = mail.yield(message(told)) { told.resume() }
    }
  }
}

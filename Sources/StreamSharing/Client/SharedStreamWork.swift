internal import StreamCore
internal import StreamEngine
internal import StreamKit

/// The decisions of a shared stream: which version runs, and what is recorded and reported about it.
///
/// Used by one task at a time.
struct SharedStreamWork {
  /// A message to the task.
  enum Message: Sendable {
    case offered(
      SharedStreamOffer, problem: TrustError?, expiring: [RoleExpiration], CheckedContinuation<Void, Never>)
    case unreachable(TrustError, CheckedContinuation<Void, Never>)
    /// Asks for a version to begin with.
    case begin(CheckedContinuation<LoadedVersion?, Never>)
    case joined(CheckedContinuation<Void, Never>?)
    case left
    /// A run of the good version has ended with a failure.
    case failed(StreamFailure)
    /// The version on trial has worked on its first value.
    case value(trial: Int)
    case verdict(SwapTrial.Verdict, trial: Int)
    /// The time has come to record the progress of a trial.
    case progress(trial: Int)
    case cancel

    /// Resumes the task that waits for the message.
    func release() {
      switch self {
      case .offered(_, _, _, let told), .unreachable(_, let told): told.resume()
      case .begin(let told): told.resume(returning: nil)
      case .joined(let told): told?.resume()
      case .left, .failed, .value, .verdict, .progress, .cancel: break
      }
    }
  }

  let shared: SharedStreamCore
  let probation: Probation
  var record: StreamRecord
  /// A new version, which runs on trial while there is a subscription.
  var candidate: LoadedVersion?
  /// The trial that runs: of the candidate, or else of the good version.
  var trial: RunningTrial?
  var trialCount = 0
  /// The versions that are refused until the process ends, since the app may be another one in the next.
  private var passingRefusals: [StreamRecord.Refused] = []
  var state: SharedStreamState
  /// The phase while the good version runs.
  var goodPhase: SharedStreamState.Phase
  /// The contents that subscriptions run, where they are not those that they began with.
  private var contents: [Int: String] = [:]
  /// The subscriptions that run the good version on the trial that runs.
  var watched: Set<Int> = []

  init(_ shared: SharedStreamCore, _ record: StreamRecord, _ candidate: LoadedVersion?, _ probation: Probation) {
    self.shared = shared
    self.record = record
    self.candidate = candidate
    self.probation = probation
    state = shared.states.current
    goodPhase = state.phase
  }

  var good: LoadedVersion { shared.good }

  private var refusals: [StreamRecord.Refused] { record.refused + passingRefusals }

  mutating func take(_ message: Message) async {
    switch message {
    case .offered(let offer, let problem, let expiring, _):
      (state.problem, state.isCutOff, state.expiring) = (problem, false, expiring)
      take(offer)
    case .unreachable(let error, _): (state.problem, state.isCutOff) = (error, true)
    case .begin(let told): return told.resume(returning: begin())
    case .joined: startTrial()
    case .left:
      if shared.subscriptions.isEmpty {
        withdraw()
        demoteGood()
      }
    case .failed(let failure): noteEnd(failure)
    case .value(let number): if trial?.number == number { noteFirstValue() }
    case .verdict(let verdict, let number): if trial?.number == number { end(verdict) }
    case .progress(let number):
      guard trial?.number == number else { break }
      if noteProgress() { store() }
      trial?.pause *= 2
      scheduleRecord()
    case .cancel: withdraw()
    }
    await align()
    shared.remember(
      SharedStreamCore.Memory(trial: record.trial, refusals: refusals, candidate: candidate?.content))
    shared.states.send(state)
    message.release()
  }

  /// The version of a run without a fallback. The first one runs without another one to return to.
  private mutating func begin() -> LoadedVersion? {
    if good.number != nil { return good }
    guard let first = candidate, let entry = first.entry else { return nil }
    candidate = nil
    shared.accept(first)
    record.good = entry
    if !record.isGoodOnTrial { record.trial = StreamRecord.Trial(version: entry) }
    store()
    goodPhase = .first
    state.waitingVersion = nil
    show(first, .first)
    shared.states.send(state)
    return first
  }

  // MARK: Offers

  private mutating func take(_ offer: SharedStreamOffer) {
    switch offer {
    case .known(let publication, let expires):
      state.refusal = nil
      if publication.identity == good.content {
        confirmGood(publication, expires)
      } else {
        if trial == nil, candidate?.content == publication.identity {
          candidate?.confirm(publication.version, expires)
        }
        startTrial()
      }
    case .new(let loaded):
      // A decision since the offer was made counts.
      guard loaded.content != candidate?.content, loaded.content != good.content,
        !refusals.contains(where: { $0.content == loaded.content && loaded.number ?? 0 <= $0.version })
      else { break }
      state.refusal = nil
      withdrawCandidate()
      withdraw()
      if loaded.content == record.former?.content, loaded.number ?? .max < good.number ?? 0 {
        goBack(to: loaded)
      } else {
        candidate = loaded
        state.waitingVersion = loaded.number
        startTrial()
      }
    case .refused(let refusal, let isLasting):
      withdrawCandidate()
      refuse(refusal, isLasting: isLasting)
    }
  }

  /// The repository offers the content that is good.
  private mutating func confirmGood(_ publication: Publication, _ expires: Int64) {
    // The publisher has gone back to it: it needs no probation.
    withdrawCandidate()
    let isNewVersion = good.number != publication.version
    shared.confirmGood(publication.version, expires)
    show(good, goodPhase)
    let standing = record.isGoodOnTrial ? trial?.reported ?? .inconclusive : .good
    if isNewVersion { report(publication.version, good.content, standing) }
    guard let entry = good.entry, entry != record.good else { return }
    // The role that signs a file lists the earlier ones as well.
    record.former?.expires = expires
    record.good = entry
    store()
  }

  /// Returns to the version that was good before: the publisher has withdrawn the one after it, so that it needs no
  /// probation.
  private mutating func goBack(to former: LoadedVersion) {
    guard let number = former.number else { return }
    shared.accept(former)
    record.good = former.entry
    (record.former, record.trial) = (nil, nil)
    state.failures = 0
    store()
    goodPhase = .good
    show(former, .good)
    report(number, former.content, .good)
  }

  /// Forgets the candidate: the repository offers another version.
  private mutating func withdrawCandidate() {
    if candidate != nil {
      withdraw()
      candidate = nil
      state.waitingVersion = nil
    }
    guard record.trial != nil, !record.isGoodOnTrial else { return }
    record.trial = nil
    state.failures = 0
    store()
  }

  mutating func refuse(_ refusal: StreamRecord.Refused, isLasting: Bool) {
    state.refusal = SharedStreamState.Refusal(
      version: refusal.version, content: PublishedParameters.content(of: refusal.content), reasons: refusal.reasons)
    guard !refusals.contains(refusal) else { return }
    if isLasting {
      record.refuse(refusal)
      if record.trial?.version.content == refusal.content { record.trial = nil }
      store()
    } else {
      passingRefusals.removeAll { $0.content == refusal.content }
      passingRefusals.append(refusal)
    }
    report(refusal.version, refusal.content, .failed, refusal.reasons)
  }

  // MARK: Subscriptions

  /// Makes the subscriptions that run a version notice that its trial is over.
  mutating func settle(_ loaded: LoadedVersion, now content: String) {
    watched = []
    for subscription in shared.subscriptions
    where contents[subscription.number, default: subscription.content] == loaded.content {
      subscription.stream.settle()
      contents[subscription.number] = content
    }
  }

  /// Brings every subscription to the version that is to run.
  private mutating func align() async {
    let subscriptions = shared.subscriptions
    contents = contents.filter { entry in subscriptions.contains { $0.number == entry.key } }
    let target = trial?.loaded ?? good
    let (isGood, onTrial) = (target.content == good.content, trial?.trial)
    for subscription in subscriptions {
      if contents[subscription.number, default: subscription.content] == target.content {
        if isGood, let onTrial, watched.insert(subscription.number).inserted { subscription.stream.begin(onTrial) }
        continue
      }
      do throws(Diagnostics) {
        try await subscription.stream.swap(to: target, on: isGood ? nil : onTrial)
        contents[subscription.number] = target.content
      } catch {
        // The state of this subscription cannot be saved: it continues with the version that it has.
        if !isGood { onTrial?.fail(StreamFailure(error)) }
      }
    }
  }

  // MARK: Telling

  mutating func show(_ loaded: LoadedVersion, _ phase: SharedStreamState.Phase) {
    state.version = loaded.number
    state.content = PublishedParameters.content(of: loaded.content)
    state.phase = phase
  }

  func report(
    _ version: Int, _ content: String, _ state: StreamReport.State, _ reasons: [String] = []
  ) {
    let client = shared.repository.client
    shared.repository.reports?.send(
      StreamReport(
        client: client.id, stream: shared.name, version: version,
        content: PublishedParameters.content(of: content), state: state, diagnostics: reasons,
        attributes: Value.map(client.attributes).memberNames))
  }

  /// Writes the record. Returns whether that has succeeded.
  @discardableResult
  mutating func store() -> Bool {
    do throws(TrustError) {
      try shared.repository.cache.streams.store(record.bytes, as: shared.name.description)
      state.cacheProblem = nil
      return true
    } catch {
      state.cacheProblem = error
      return false
    }
  }
}

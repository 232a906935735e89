package import StreamCore
package import StreamEngine
package import StreamKit
internal import Synchronization

/// A run that is not part of this module and takes the versions of a shared stream, such as that of a command.
package protocol SharedRun: AnyObject, Sendable {
  /// Continues with another version. Returns once it runs, or the run has ended.
  ///
  /// - Parameters:
  ///   - text: The stream file.
  ///   - parameters: The published values of its parameters.
  ///   - version: The number of the version.
  ///   - trial: The trial of the version; nil if it replaces the one before for good.
  /// - Throws: The reason why the run continues with its version.
  func swap(
    to text: [UInt8], parameters: [String: Value], version: Int, on trial: SwapTrial?
  ) async throws(Diagnostics)

  /// Begins a trial of the version that the run begins with. There is no other one to return to.
  func begin(_ trial: SwapTrial)
}

/// A running stream whose version can be replaced.
protocol VersionRunner: Sendable {
  func swap(to loaded: LoadedVersion, on trial: SwapTrial?) async throws(Diagnostics)

  /// Begins a trial of the version that it runs, without another one to return to.
  func begin(_ trial: SwapTrial)

  /// Makes it notice that its trial is over.
  func settle()

  func cancel()
}

extension ChangingStream: VersionRunner {
  func swap(to loaded: LoadedVersion, on trial: SwapTrial?) async throws(Diagnostics) {
    _ = try await swap(to: loaded.version, on: trial)
  }
}

/// A run that detects the end of its trial itself.
struct AttachedRun: VersionRunner {
  let run: any SharedRun

  func swap(to loaded: LoadedVersion, on trial: SwapTrial?) async throws(Diagnostics) {
    guard let file = loaded.entry else { return }
    try await run.swap(
      to: Array(file.text.utf8), parameters: file.parameters, version: file.number, on: trial)
  }

  func begin(_ trial: SwapTrial) { run.begin(trial) }

  func settle() {}

  func cancel() {}
}

extension SharedStream {
  /// Follows a name without a fallback: waits for a first version unless there is a good one of an earlier process.
  ///
  /// - Parameters:
  ///   - name: The name of the stream.
  ///   - repository: The repository.
  ///   - probation: The conditions under which a later version counts as good.
  ///   - wait: Maximum time to wait for the first refresh if there is a version to run without it.
  ///   - options: Compile options.
  /// - Throws: `TrustError` if there is no version to run, `Diagnostics` if it cannot run here.
  package convenience init(
    running name: StreamName, from repository: SharedRepository, probation: Probation, waiting wait: Duration,
    options: CompileOptions
  ) async throws {
    self.init(try SharedStreamCore(name, repository, fallback: nil, probation, HostServices(), options))
    var first = await core.begin()
    if first == nil {
      await check()
      first = await core.begin()
    }
    guard first == nil else {
      if wait > .zero { await waitForRefresh(within: wait) }
      return
    }
    if let refusal = state.refusal {
      throw TrustError(
        .notFound, name.description, "version \(refusal.version) cannot run: \(refusal.reasons.first ?? "")")
    }
    if let problem = state.problem, problem.kind != .notFound || problem.subject != name.path { throw problem }
    throw TrustError(.notFound, name.description, "the repository has no such stream")
  }

  /// The file of the version that a new run begins with.
  package var text: [UInt8] { Array((core.good.entry?.text ?? "").utf8) }

  /// The published values of its parameters.
  package var parameters: [String: Value] { core.good.entry?.parameters ?? [:] }

  /// The number of the version that a run takes at its start; nil for a fallback.
  package var firstVersion: Int? { state.waitingVersion ?? state.version }

  /// Whether the repository has been read since the start.
  package var hasRefreshed: Bool { core.hasRefreshed.load(ordering: .relaxed) }

  /// Sends versions to a run that has begun with `text`. Returns once it runs the version on probation, if there is
  /// one.
  package func attach(_ run: any SharedRun) async { await core.attach(run) }

  /// Notes the failure with which a run has ended.
  package func noteEnd(_ failure: StreamFailure) { core.mail.yield(.failed(failure)) }

  /// Ends all runs, and returns when the progress of a probation is recorded.
  package func close() async { await core.close() }

  /// Returns when the first refresh has ended, or a time has passed.
  private func waitForRefresh(within time: Duration) async {
    let timer = core.repository.clock.schedule(after: time) { [core] in core.firstRefresh.continuation.finish() }
    for await _ in core.firstRefresh.stream {}
    timer.cancel()
  }
}

internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit
internal import StreamSharing

/// `streamhub run N`: runs a stream of a repository, and follows its versions.
struct RunCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs a stream of a repository, and continues as its new versions.",
    discussion: """
      The stream runs as with 'streamrun run'. A new version replaces it between two values, and valid state is kept. A \
      version that fails on probation is replaced by the one before with its state, and is not tried again. The time and \
      the values of a probation add up over runs. Before it starts, the command looks for a new version, for at most \
      --wait seconds; without the repository, the version of the cache runs, and a warning names it and its age. Standard \
      error has a line about the version at the start, each change, and each time that the repository is lost and found.

      The exit codes are those of 'streamrun run', and \(FollowingRefusal.notRefreshed.rawValue), \
      \(FollowingRefusal.notFresh.rawValue) and \(FollowingRefusal.tooOld.rawValue) if nothing was run because of \
      --refresh-first, --require-fresh or --at-least.

      Examples:
        streamhub run tilt --from http://127.0.0.1:8390 --trust root.json < gravity.ndjson
        streamhub run checkout/fraud --attribute platform=ios --attribute build=420
        streamhub run checkout/fraud --set quiet=10 --seed 7
        streamhub run checkout/report --refresh-first --wait 60 < day.ndjson
        streamhub run checkout/fraud --sandbox --memory 200MB --time-per-value 10ms
      """)

  @Argument(help: "The name of the stream.")
  var name: String

  @OptionGroup var following: FollowingOptions
  @OptionGroup var options: RunOptions
  @OptionGroup var appearance: AppearanceOptions

  var log: LogFormat { options.log }

  func validate() throws {
    if options.format == .marbles {
      throw ValidationError("--format marbles shows a single version of a stream; use 'streamhub pull' and 'streamrun'")
    }
  }

  func perform(_ console: Console) async throws -> Int32 {
    let name = try StreamName(name)
    let repository = try repository()
    if !following.offline, let hub = following.hub {
      repository.listen(to: try HubNotices(hub, token: FollowingOptions.token))
    }
    let request = options.request(name.description)
    request.compile.noteFiles(console.usedFiles)
    let compile = try request.compile.arguments().options(host: request.calls.host)
    let shared = try await SharedStream(
      running: name, from: repository,
      probation: Probation(seconds: following.probation, values: following.probationValues),
      waiting: .seconds(following.offline ? 0 : following.wait),
      options: compile)
    if let refusal = following.refusal(of: shared, refreshed: repository.lastRefresh, at: now) {
      await shared.close()
      console.say("error: \(name): \(refusal.text)")
      return refusal.kind.rawValue
    }
    let texts = NamedTexts([name.description: shared.text])
    let run = await attach(to: shared, name, texts)
    let telling = tell(shared, name, repository.lastRefresh, console)
    let (color, log) = (appearance.color, log)
    let code = await RunThread.run { () -> Int32 in
      var access = FileAccess(isAllowed: false)
      access.refusal = "a stream of a repository cannot refer to files"
      let streamConsole = Console(color: color, access: access, texts: texts, log: log)
      streamConsole.memory = request.memory
      do throws(Diagnostics) {
        return streamConsole.close(try request.perform(streamConsole, watching: run, restarts: false))
      } catch {
        streamConsole.report(error)
        return streamConsole.close(ExitCode.wrong)
      }
    }
    run.close()
    let last = shared.state
    if let failure = run.failure { shared.noteEnd(failure) }
    await shared.close()
    let narration = await telling.value
    if let line = narration.end(last) { console.say(line) }
    await repository.finishReports(within: .seconds(5))
    return code
  }

  /// Attaches a run to the stream. Returns when the version on probation, if there is one, waits for the run.
  private func attach(to shared: SharedStream, _ name: StreamName, _ texts: NamedTexts) async -> FollowedRun {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let run = FollowedRun(
      name.description, texts, parameters: shared.parameters, version: shared.state.version
    ) { end.finish() }
    Task {
      await shared.attach(run)
      end.finish()
    }
    for await _ in ends {}
    return run
  }

  /// Prints the version that runs and, until the stream is closed, its events.
  private func tell(
    _ shared: SharedStream, _ name: StreamName, _ refreshed: Int64?, _ console: Console
  ) -> Task<FollowingNarration, Never> {
    var narration = FollowingNarration(name.description, isOffline: following.offline)
    let isAnswered = shared.hasRefreshed || following.wait == 0
    for line in narration.begin(shared.state, at: now, refreshed: refreshed, isAnswered: isAnswered) {
      console.say(line)
    }
    return Task { [narration, color = appearance.color, log] in
      let console = Console(color: color, log: log)
      var narration = narration
      for await state in shared.states {
        for line in narration.lines(for: state, at: SystemClock.seconds) { console.say(line) }
      }
      return narration
    }
  }

  private func repository() throws(TrustError) -> SharedRepository {
    let location = RepositoryLocation.location(of: following.from)
    var trusted = following.trust.trust
    if trusted == nil, !RepositoryLocation.isAddress(location) {
      trusted = try RepositoryLocation.firstRoot(in: location)
    }
    let folder = try CacheFolder(following.trust.cache, of: location)
    let (_, root) = try folder.open(trusting: trusted)
    var reports: (any ReportReceiver)?
    if following.report, let hub = following.hub {
      guard let token = FollowingOptions.token else {
        throw TrustError(
          .notFound, FollowingOptions.tokenVariable, "--report needs the token of the hub in this variable")
      }
      reports = try HTTPReportReceiver(hub, token: token)
    }
    if following.offline {
      let nothing = OfflineTransport()
      return try SharedRepository(
        metadata: nothing, targets: nothing, trust: root, cache: SharingCache(folder: folder.path),
        attributes: following.attributes)
    }
    return try SharedRepository(
      location, trust: root, cache: folder.path, attributes: following.attributes, reports: reports,
      schedule: RefreshSchedule(
        seconds: following.refresh, firstRetry: min(10, following.refresh), longestRetry: max(600, following.refresh),
        noticeSpread: 0.1), token: following.hub == nil ? nil : FollowingOptions.token)
  }
}

/// A repository that is not asked.
private struct OfflineTransport: RepositoryTransport {
  func read(_ path: String, atMost limit: Int) async throws(TrustError) -> [UInt8]? {
    throw TrustError(.unreachable, path, "the repository is not asked because of --offline")
  }
}

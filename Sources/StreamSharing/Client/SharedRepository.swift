internal import CLibrary
public import StreamCore
internal import StreamFiles
internal import StreamKit
internal import Synchronization

/// A signed repository that an app follows: its address, the trusted root, and the cache.
///
/// ```swift
/// let repository = try SharedRepository("https://hub.example.org/repository", trust: root, cache: folder)
/// ```
///
/// All streams that follow it share its refreshes. They end when the repository and its streams are released.
public final class SharedRepository: Sendable {
  /// The client, whose ID and attributes select candidates of rollouts.
  public let client: SharingClient
  let cache: SharingCache
  let targets: any RepositoryTransport
  let clock: any Clock<Duration>
  let now: @Sendable () -> Int64
  let reports: ReportQueue?
  let loop: RefreshLoop
  private let schedule: RefreshSchedule
  private let task: Task<Void, Never>
  private let listeners = Mutex<[Task<Void, Never>]>([])

  /// Follows a repository on a web server, or in a folder.
  ///
  /// - Parameters:
  ///   - location: The address, `http` or `https`, or the path of a folder. It contains `metadata` and `targets`.
  ///   - root: The root of the repository, which the app ships with.
  ///   - folder: A folder for this repository alone, which is created if necessary.
  ///   - id: The opaque ID of this installation. By default it is made at random and kept in the cache.
  ///   - attributes: The members of `client` in the conditions of rollouts. Default none.
  ///   - reports: Receives reports about versions. By default nothing is reported.
  ///   - schedule: The times of refreshes.
  ///   - limits: Bounds of what is read.
  ///   - token: A token with the scope `read`, for a hub whose files are private. Default none.
  /// - Throws: `malformed` or `unsigned` for bytes that are not a root, `storage` if the cache cannot be written,
  ///   `unreachable` for an address of another kind.
  public convenience init(
    _ location: String, trust root: [UInt8], cache folder: String, id: String? = nil,
    attributes: ValueMap = ValueMap(), reports: (any ReportReceiver)? = nil,
    schedule: RefreshSchedule = RefreshSchedule(), limits: RepositoryLimits = RepositoryLimits(), token: String? = nil
  ) throws(TrustError) {
    try self.init(
      metadata: Self.transport(to: "metadata", in: location, token),
      targets: Self.transport(to: "targets", in: location, token),
      trust: root, cache: SharingCache(folder: folder), id: id, attributes: attributes, reports: reports,
      schedule: schedule, limits: limits)
  }

  /// Follows a repository.
  ///
  /// - Parameters:
  ///   - metadata: Reads the metadata.
  ///   - targets: Reads the stream files.
  ///   - root: The root of the repository, which the app ships with.
  ///   - cache: Keeps the trusted metadata and the last good versions.
  ///   - id: The opaque ID of this installation. By default it is made at random and kept in the cache.
  ///   - attributes: The members of `client` in the conditions of rollouts. Default none.
  ///   - reports: Receives reports about versions. By default nothing is reported.
  ///   - schedule: The times of refreshes.
  ///   - limits: Bounds of what is read.
  ///   - clock: The clock of refreshes, probations and streams. Default the machine's.
  ///   - now: The calendar time, in seconds since 1970, for expirations. Default the machine's.
  /// - Throws: `malformed` or `unsigned` for bytes that are not a root, `storage` if the cache cannot be written.
  public init(
    metadata: any RepositoryTransport, targets: any RepositoryTransport, trust root: [UInt8], cache: SharingCache,
    id: String? = nil, attributes: ValueMap = ValueMap(), reports: (any ReportReceiver)? = nil,
    schedule: RefreshSchedule = RefreshSchedule(), limits: RepositoryLimits = RepositoryLimits(),
    clock: any Clock<Duration> = ContinuousClock(),
    now: (@Sendable () -> Int64)? = nil
  ) throws(TrustError) {
    try cache.trust(root)
    client = SharingClient(id: id ?? cache.clientID(), attributes: attributes)
    self.cache = cache
    self.targets = targets
    self.clock = clock
    let now = now ?? { Int64(time(nil)) }
    self.now = now
    self.schedule = schedule
    self.reports = reports.map(ReportQueue.init)
    let loop = RefreshLoop(schedule, clock) {
      do throws(TrustError) {
        var client = try RepositoryClient(metadata: metadata, store: cache.metadata, limits: limits, now: now())
        try await client.refresh()
        cache.noteRefresh(at: now())
        return .success(client)
      } catch {
        return .failure(error)
      }
    }
    self.loop = loop
    task = Task { await loop.run() }
  }

  deinit {
    for listener in listeners.withLock({ $0 }) { listener.cancel() }
    loop.stop()
    task.cancel()
  }

  /// The time at which the repository was read last, in this process or an earlier one, in seconds since 1970; nil if it
  /// never was, or the cache does not record it.
  package var lastRefresh: Int64? { cache.lastRefresh }

  /// Sends the reports that wait, before the process ends.
  package func finishReports(within time: Duration) async { await reports?.finish(within: time) }

  /// Refreshes at once. Returns when the streams have taken what is new, or the refresh has failed.
  public func check() async { await loop.check() }

  /// Refreshes a short time after each notice, until the repository is released.
  ///
  /// A notice is a hint: its sender can only make the client refresh earlier.
  ///
  /// - Parameter notices: The notices of a hub, such as `HubNotices`.
  public func listen<Notices: AsyncSequence & Sendable>(to notices: Notices)
  where Notices.Element: Sendable, Notices.Failure == Never {
    let task = Task { [loop, clock, schedule] in
      for await _ in notices {
        guard (try? await clock.pause(for: schedule.delay(afterNotice: Double.random(in: 0...1)))) != nil else { break }
        await loop.check()
      }
    }
    listeners.withLock { $0.append(task) }
  }

  private static func transport(
    to part: String, in location: String, _ token: String?
  ) throws(TrustError) -> any RepositoryTransport {
    if location.hasPrefix("http://") || location.hasPrefix("https://") {
      return try HTTPTransport(location + (location.hasSuffix("/") ? "" : "/") + part, token: token)
    }
    return FolderTransport(Path.join(location, part))
  }
}

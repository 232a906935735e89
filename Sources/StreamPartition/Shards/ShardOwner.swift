@_spi(Engine) internal import StreamCore
internal import StreamKit

/// Runs the keys of one shard: reads its log, and commits states, results and the position together.
///
/// After a failure the state in Redis is that of the last commit, and the next owner continues from there. It repeats
/// the work since then, with the same results, since event time depends on the log alone.
final class ShardOwner {
  enum Progress {
    /// Another process owns the shard.
    case waiting
    /// There were no records.
    case idle
    case busy
    /// The input has ended, and all results are stored.
    case ended
  }

  private let file: PartitionFile
  private let former: [PartitionFile]
  private let options: ShardOptions
  private let log: (String) -> Void
  private let shard: ShardLog
  private var stage: PartitionStage
  private var router: Router
  private var meta = ShardMeta()
  private(set) var isOwned = false
  /// The step in which each slot was last used.
  private var uses: [Int] = []
  private var step = 0
  /// Whether Redis may have keys that are not here.
  private var hasAbsent = false

  init(
    _ file: PartitionFile, former: [PartitionFile], _ shard: ShardLog, _ options: ShardOptions,
    log: @escaping (String) -> Void
  ) throws(StageError) {
    self.file = file
    self.former = former
    self.shard = shard
    self.options = options
    self.log = { log("shard \(shard.shard): " + $0) }
    stage = try PartitionStage(file, stage: 0, former: former, skipsErrors: options.skipsErrors, log: self.log)
    router = try Router(file, skipsErrors: options.skipsErrors)
  }

  var number: Int { shard.shard }
  var connection: RedisConnection { shard.connection }
  var hasEnded: Bool { isOwned && meta.isEnded }

  // MARK: Ownership

  /// Acquires the shard if it has no owner, and loads the position of its last owner.
  func acquire() throws {
    guard try shard.acquire(leaseMilliseconds: options.leaseMilliseconds) else { return }
    meta = try shard.load()
    let hash = Self.text(of: file.hash)
    let known = [hash] + former.map { Self.text(of: $0.hash) }
    if !meta.fileHash.isEmpty, !known.contains(meta.fileHash) {
      try shard.release()
      throw StageError.refused(
        "the state of shard \(number) was saved by another version of the file "
          + "(\(String(decoding: meta.fileHash, as: UTF8.self))); add --restore-old and the file of that version, and "
          + "--restore-set if a parameter had another value")
    }
    stage = try PartitionStage(file, stage: 0, former: former, skipsErrors: options.skipsErrors, log: log)
    router = try Router(file, skipsErrors: options.skipsErrors)
    router.watermark.newest = meta.newest ?? Watermark.none
    uses = []
    isOwned = true
    let count = try shard.stateCount()
    hasAbsent = count > 0
    log("owned from \(meta.position) with \(count.counted("key")), epoch \(shard.epoch)")
  }

  private static func text(of hash: UInt64) -> [UInt8] { Array(String(hash, radix: 16).utf8) }

  /// Gives the shard up, so that another process takes it at once.
  func release() throws {
    guard isOwned else { return }
    isOwned = false
    try shard.release()
    log("released after \(ShardTotals(meta).text)")
  }

  /// The totals of the shard since its beginning, as of the last commit; nil if another process owns it.
  var totals: ShardTotals? { isOwned ? ShardTotals(meta) : nil }

  /// The totals and the memory of a shard.
  struct Figures {
    let number: Int
    let totals: ShardTotals
    let keys: Int
    /// Bytes that the keys take.
    let memory: Int
    /// The newest event time, in seconds since 1970; nil before the first one.
    let newest: Double?
  }

  /// The figures as of the last commit; nil if another process owns the shard.
  var figures: Figures? {
    totals.map { totals in
      Figures(
        number: number, totals: totals, keys: stage.keyCount, memory: stage.memory,
        newest: meta.newest.map { Double($0) / 1e9 })
    }
  }

  /// Connects again after an error.
  func reconnect() throws {
    isOwned = false
    try shard.reconnect()
  }

  // MARK: Work

  /// Processes the next records.
  ///
  /// - Parameter wait: The longest wait for records, in milliseconds.
  func work(waitingFor wait: Int) throws -> Progress {
    guard isOwned else { return .waiting }
    if meta.isEnded { return .ended }
    do {
      if let most = options.mostOutputs, try !shard.waitForOutputRoom(maxOutputs: most, milliseconds: 1_000) {
        return .busy
      }
      let entries = try shard.read(after: meta.position, count: options.batch, blockMilliseconds: wait)
      guard !entries.isEmpty else { return .idle }
      try process(entries)
      return meta.isEnded ? .ended : .busy
    } catch RedisError.fenced {
      isOwned = false
      log("another process has taken over")
      return .waiting
    }
  }

  private func process(_ entries: [ShardEntry]) throws {
    step += 1
    var commit = ShardCommit(meta: meta)
    var records: [(key: [UInt8], time: Int64, payload: [UInt8])] = []
    var end: ShardEntry?
    for entry in entries {
      if case .end = entry.content {
        end = entry
        if let newest = entry.newest { router.watermark.newest = max(router.watermark.newest, newest) }
        break
      }
      if let newest = entry.newest { router.watermark.newest = max(router.watermark.newest, newest) }
      if case .record(let payload) = entry.content, let record = try route(payload, &commit) {
        records.append(record)
      }
      commit.meta.position = entry.id
    }
    try bring(Set(records.map(\.key)))
    for record in records {
      let slot = slot(of: record.key)
      record.payload.withUnsafeBytes { stage.hold($0, of: slot, at: record.time) }
    }
    try bringDue()
    stage.advance(to: router.watermark.time)
    try takeResults(&commit)
    try store(&commit)
    if let end { try finish(at: end) }
    forget()
  }

  /// Routes a record. Returns nil for one that reaches no key.
  private func route(
    _ payload: [UInt8], _ commit: inout ShardCommit
  ) throws -> (key: [UInt8], time: Int64, payload: [UInt8])? {
    commit.meta.records += 1
    var key: [UInt8] = []
    let route = try PaddedBytes.with(payload) { try router.route($0, appendingKeyTo: &key) }
    // The text follows its length.
    key.removeFirst(4)
    guard let route else {
      commit.meta.failures += 1
      log("skipped: " + String(decoding: key, as: UTF8.self))
      return nil
    }
    switch route.fate {
    case .onTime: return (key, route.time, payload)
    case .applied:
      commit.meta.late += 1
      return (key, route.time, payload)
    case .dropped:
      commit.meta.late += 1
      return nil
    case .output:
      commit.meta.late += 1
      commit.late.append(ShardCommit.Output(payload: payload, time: route.time))
      return nil
    }
  }

  private func slot(of key: [UInt8]) -> Int {
    let slot = key.withUnsafeBytes { stage.slot(of: $0) ?? stage.add($0) }
    while uses.count <= slot { uses.append(0) }
    uses[slot] = step
    return slot
  }

  /// Loads the states of keys that are not here.
  private func bring(_ keys: Set<[UInt8]>) throws {
    guard hasAbsent else { return }
    let absent = keys.filter { key in key.withUnsafeBytes { stage.slot(of: $0) } == nil }
    guard !absent.isEmpty else { return }
    let names = Array(absent)
    for (key, state) in zip(names, try shard.loadStates(names)) {
      guard let state else { continue }
      let slot = slot(of: key)
      try state.withUnsafeBytes { (bytes) throws in try stage.load(bytes, into: slot) }
    }
    try shard.renewIfDue()
  }

  /// Loads the keys whose records or timers are due.
  private func bringDue() throws {
    guard hasAbsent, router.watermark.time > Watermark.none else { return }
    var offset = 0
    while true {
      let due = try shard.keysDue(before: router.watermark.time, offset: offset, limit: Self.chunk)
      try bring(Set(due.map(\.key)))
      guard due.count == Self.chunk else { return }
      offset += due.count
    }
  }

  private static let chunk = 1_000

  private func takeResults(_ commit: inout ShardCommit) throws {
    while true {
      var bytes: [UInt8] = []
      let (count, hasMore) = try stage.takeResults(&bytes)
      try bytes.withUnsafeBytes { all in
        var reader = ByteReader(all)
        for _ in 0..<count {
          let time: Int64 = try reader.number()
          commit.outputs.append(ShardCommit.Output(payload: Array(try reader.string()), time: time))
        }
      }
      guard hasMore else { break }
      try shard.renewIfDue()
    }
    commit.meta.outputs += Int64(commit.outputs.count)
    commit.meta.failures += Int64(stage.takeSkippedCount())
  }

  /// Commits the results with the states that have changed.
  private func store(_ commit: inout ShardCommit) throws {
    while try stage.takeSnapshots({ key, snapshot in
      if let bytes = snapshot.bytes {
        commit.states.append(
          ShardCommit.State(
            key: Array(key), snapshot: bytes, wake: snapshot.wake == Watermark.never ? nil : snapshot.wake))
      } else {
        commit.removed.append(Array(key))
      }
      return true
    }) {}
    let newest = router.watermark.newest
    commit.meta.newest = newest == Watermark.none ? nil : newest
    commit.meta.watermark = newest == Watermark.none ? nil : router.watermark.time
    commit.meta.fileHash = Self.text(of: file.hash)
    if let kept = options.keptInput { commit.trim = .consumed(keep: kept) }
    try shard.commit(commit)
    meta = commit.meta
  }

  /// Ends the streams of all keys: of those here, then of the others, some at a time. Each commit removes the keys whose
  /// results it has, so that none is ended twice.
  private func finish(at end: ShardEntry) throws {
    var names = try shard.stateKeys()
    while true {
      let part = Array(names.prefix(Self.chunk))
      names.removeFirst(part.count)
      try bring(Set(part))
      var commit = ShardCommit(meta: meta)
      let ended = stage.heldKeys
      stage.finish(at: router.watermark.newest)
      try takeResults(&commit)
      commit.removed = ended
      uses = []
      if names.isEmpty {
        commit.meta.position = end.id
        commit.meta.isEnded = true
      }
      try shard.commit(commit)
      meta = commit.meta
      if names.isEmpty { break }
    }
    log("the input has ended: \(ShardTotals(meta).text)")
  }

  /// Forgets the keys that were used the longest ago, if all of them take too much memory.
  private func forget() {
    guard stage.memory > options.memory, stage.keyCount > 1 else { return }
    let slots = stage.heldSlots.sorted { uses[$0] < uses[$1] }
    // Keys take about the same: the share that is too much, and a quarter more.
    let kept = Int(Double(slots.count) * Double(options.memory) / Double(stage.memory) * 0.75)
    stage.drop(Array(slots.dropLast(kept)))
    hasAbsent = true
  }
}

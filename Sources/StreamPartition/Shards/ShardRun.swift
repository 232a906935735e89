internal import StreamCore
internal import StreamFiles
internal import StreamKit

/// Owns shards of a stream, as many as are free: several processes divide them, and one takes over where another fails.
package final class ShardRun {
  private let file: PartitionFile
  private let former: [PartitionFile]
  private let address: RedisAddress
  private let division: ShardDivision
  private let options: ShardOptions
  private let log: (String) -> Void
  private var owners: [ShardOwner] = []
  private var metrics: ShardMetrics?

  package init(
    _ file: PartitionFile, former: [PartitionFile], _ address: RedisAddress, _ division: ShardDivision,
    _ options: ShardOptions, log: @escaping (String) -> Void
  ) {
    self.file = file
    self.former = former
    self.address = address
    self.division = division
    self.options = options
    self.log = log
    metrics = options.metrics.map {
      ShardMetrics($0, everyMilliseconds: options.metricsMilliseconds, of: file.stream.document.file)
    }
  }

  /// Works until the inputs have ended, a signal asks it to stop, or with `drains` all records are processed.
  package func run() throws {
    try file.requireShards()
    for number in 0..<division.shards {
      owners.append(
        try ShardOwner(file, former: former, try ShardLog(address, division, shard: number), options, log: log))
    }
    let connection = owners[0].connection
    if try connection.keepsPartsOfTransactions() {
      log(
        "warning: after two failures of this Redis, parts of a transaction may take effect; set aof-load-truncated no, and "
          + "run redis-check-aof --fix before a restart that fails")
    }
    if try connection.evictsData() {
      log(
        "warning: this Redis removes keys when its memory is full, and with them states; set maxmemory-policy noeviction"
      )
    }
    // A lease that cannot be given up runs out.
    defer {
      reportLate()
      do throws(Diagnostic) { try metrics?.write(owners) } catch { log("\(error.message)") }
      for owner in owners { try? owner.release() }
    }
    var lastTry = -options.leaseMilliseconds
    var failures = 0
    while !Interruption.hasHappened {
      do {
        let now = MonotonicTime.milliseconds
        if now - lastTry >= options.leaseMilliseconds / 3 {
          lastTry = now
          try acquireFree()
        }
        let owned = owners.filter(\.isOwned)
        var isBusy = false
        for owner in owned {
          let progress = try owner.work(waitingFor: owned.count == 1 ? 100 : 0)
          if case .busy = progress { isBusy = true }
        }
        try metrics?.writeIfDue(owners)
        failures = 0
        if owners.allSatisfy(\.hasEnded) { return }
        if !isBusy {
          if options.drains, !owned.isEmpty, owned.count == owners.count || options.mostShards != nil { return }
          if owned.count != 1 { MonotonicTime.sleep(milliseconds: owned.isEmpty ? 50 : 10) }
        }
      } catch let error as RedisError where error.endsConnection {
        failures += 1
        guard failures <= Self.mostFailures else { throw error }
        log("\(error); connecting again")
        MonotonicTime.sleep(milliseconds: min(100 << failures, 2_000))
        // One that fails is found out by its next command, and counts as another failure.
        for owner in owners { try? owner.reconnect() }
        lastTry = -options.leaseMilliseconds
      }
    }
  }

  /// Logs the late records of the owned shards, and how to avoid them.
  private func reportLate() {
    var totals = ShardTotals()
    for owner in owners { if let shard = owner.totals { totals += shard } }
    guard totals.late > 0 else { return }
    let account = (file.clock.map(Watermark.init) ?? Watermark()).account(
      ofLate: totals.late, "record", output: "the streams 'late' of their shards")
    log(
      "warning: \(account); of \(totals.records.counted("record")) in all. If several inputs were fed one after "
        + "another, merge them by time before; otherwise set 'lateness' in 'partition' to the seconds by which records may "
        + "be out of order")
  }

  /// Attempts in a row after which the run gives up: about a minute.
  private static let mostFailures = 30

  private func acquireFree() throws {
    var count = owners.count(where: \.isOwned)
    for owner in owners where !owner.isOwned {
      if let most = options.mostShards, count >= most { return }
      try owner.acquire()
      if owner.isOwned { count += 1 }
    }
  }
}

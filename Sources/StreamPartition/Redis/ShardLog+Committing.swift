extension ShardLog {
  /// Stores states, outputs and the position in one transaction, and extends the lease.
  ///
  /// - Throws: `RedisError.fenced` if the lease is lost: nothing has been written. `.server` with code `OOM`: nothing
  ///   has been written, and the commit can be repeated. After `.closed` and `.timeout` it is unknown whether all or
  ///   nothing has been written.
  package func commit(_ commit: ShardCommit) throws(RedisError) {
    let trim = trimming(commit)
    _ = try transact { (connection) throws(RedisError) in
      try self.add(commit.states, to: connection)
      try self.remove(commit.removed, connection)
      try self.add(commit.outputs, self.keys.output, to: connection)
      try self.add(commit.late, self.keys.late, to: connection)
      var meta = commit.meta
      meta.epoch = self.epoch
      try connection.add(ShardMeta.argumentCount) { meta.write(to: &$0, key: self.keys.meta) }
      if let trim {
        connection.add(
          "XTRIM", .bytes(self.keys.input), "MINID", "~", .text(trim.id.description), "LIMIT", "0")
      }
    }
    if let trim { batches.removeFirst(trim.batches) }
    if case .none = commit.trim { batches = [] }
  }

  private func add(_ states: [ShardCommit.State], to connection: RedisConnection) throws(RedisError) {
    for chunk in chunks(states, size: { $0.key.count + $0.snapshot.count }) {
      try connection.add(2 + chunk.count * 2) { writer in
        writer.append("HSET")
        writer.append(keys.state)
        for state in chunk {
          writer.append(state.key)
          writer.append(state.snapshot)
        }
      }
    }
    let waking = states.filter { $0.wake != nil }
    for chunk in chunks(waking, size: \.key.count) {
      try connection.add(2 + chunk.count * 2) { writer in
        writer.append("ZADD")
        writer.append(keys.wakes)
        for state in chunk {
          writer.append(ShardWake.milliseconds(state.wake ?? 0))
          writer.append(state.key)
        }
      }
    }
    guard waking.count < states.count else { return }
    try delete("ZREM", keys.wakes, states.filter { $0.wake == nil }.map(\.key), connection)
  }

  private func remove(_ names: [[UInt8]], _ connection: RedisConnection) throws(RedisError) {
    try delete("HDEL", keys.state, names, connection)
    try delete("ZREM", keys.wakes, names, connection)
  }

  private func delete(
    _ command: String, _ key: [UInt8], _ names: [[UInt8]], _ connection: RedisConnection
  ) throws(RedisError) {
    for chunk in chunks(names, size: \.count) {
      try connection.add(2 + chunk.count) { writer in
        writer.append(command)
        writer.append(key)
        for name in chunk { writer.append(name) }
      }
    }
  }

  private func add(
    _ outputs: [ShardCommit.Output], _ key: [UInt8], to connection: RedisConnection
  ) throws(RedisError) {
    for output in outputs {
      try connection.add(7) { writer in
        writer.append("XADD")
        writer.append(key)
        writer.append("*")
        writer.append("v")
        writer.append(output.payload)
        writer.append("t")
        writer.append(output.time)
      }
    }
  }

  /// The ID before which the input can be deleted, and how many batches end before it or there; nil if there is none.
  private func trimming(_ commit: ShardCommit) -> (id: StreamID, batches: Int)? {
    guard case .consumed(let keep) = commit.trim else { return nil }
    let consumed = batches.prefix { $0.last <= commit.meta.position }
    if keep <= 0 { return (commit.meta.position, consumed.count) }
    var kept = 0
    for (index, batch) in consumed.enumerated().reversed() {
      if kept >= keep { return (batch.last, index + 1) }
      kept += batch.count
    }
    return nil
  }
}

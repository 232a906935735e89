extension ShardLog {
  /// Reads entries of the input behind a position. Waits if there are none, and extends the lease meanwhile.
  ///
  /// - Parameters:
  ///   - count: the greatest number of entries. At least 1.
  ///   - blockMilliseconds: the longest wait; 0 does not wait.
  /// - Returns: the entries; none if none has arrived in time.
  /// - Throws: `RedisError.fenced`; `.foreign` if the stream's entries have another form.
  package func read(
    after position: StreamID, count: Int, blockMilliseconds: Int
  ) throws(RedisError) -> [ShardEntry] {
    precondition(count > 0, "at least one entry is read")
    let deadline = MonotonicTime.milliseconds + blockMilliseconds
    while true {
      try renewIfDue()
      let wait = min(deadline - MonotonicTime.milliseconds, waitMilliseconds)
      let reply = try readOnce(after: position, count: count, waitMilliseconds: wait)
      if reply != .null {
        let entries = try entries(reply)
        if let last = entries.last { batches.append((last.id, entries.count)) }
        return entries
      }
      if MonotonicTime.milliseconds >= deadline { return [] }
    }
  }

  private func readOnce(
    after position: StreamID, count: Int, waitMilliseconds: Int
  ) throws(RedisError) -> RESPValue {
    try connection.add(waitMilliseconds > 0 ? 8 : 6) { writer in
      writer.append("XREAD")
      writer.append("COUNT")
      writer.append(Int64(count))
      if waitMilliseconds > 0 {
        writer.append("BLOCK")
        writer.append(Int64(waitMilliseconds))
      }
      writer.append("STREAMS")
      writer.append(keys.input)
      writer.append(position.description)
    }
    try connection.flush()
    return try connection.reply(
      within: max(0, waitMilliseconds) + connection.options.replyMilliseconds
    ).checked()
  }

  /// Reads the reply to XREAD: a map of one stream and its entries.
  private func entries(_ reply: RESPValue) throws(RedisError) -> [ShardEntry] {
    guard let streams = reply.pairs, streams.count == 2, let values = streams[1].elements else {
      throw .malformed("XREAD has no map of one stream")
    }
    var entries: [ShardEntry] = []
    entries.reserveCapacity(values.count)
    for value in values {
      guard let entry = ShardEntry(value) else { throw .malformed("an entry of a stream is damaged") }
      entries.append(entry)
    }
    return entries
  }

  /// The number of entries of the input that are not deleted, consumed ones among them.
  package func inputLength() throws(RedisError) -> Int {
    Int(try connection.call("XLEN", .bytes(keys.input)).integer ?? 0)
  }

  /// The number of outputs that the readers have not deleted.
  package func outputLength() throws(RedisError) -> Int {
    Int(try connection.call("XLEN", .bytes(keys.output)).integer ?? 0)
  }

  /// Waits while the output stream is longer than a limit, and extends the lease meanwhile.
  ///
  /// - Parameter milliseconds: the longest wait.
  /// - Returns: whether there is room.
  /// - Throws: `RedisError.fenced`.
  package func waitForOutputRoom(maxOutputs: Int, milliseconds: Int) throws(RedisError) -> Bool {
    let deadline = MonotonicTime.milliseconds + milliseconds
    var pause = 5
    while try outputLength() > maxOutputs {
      let rest = deadline - MonotonicTime.milliseconds
      guard rest > 0 else { return false }
      MonotonicTime.sleep(milliseconds: min(pause, rest, waitMilliseconds))
      pause = min(pause * 2, 200)
      try renewIfDue()
    }
    return true
  }
}

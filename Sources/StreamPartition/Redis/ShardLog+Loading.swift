extension ShardLog {
  /// Loads what earlier owners have committed. To be called after `acquire`.
  ///
  /// - Throws: `RedisError.foreign` if a key of the shard has another type, or its data another form.
  package func load() throws(RedisError) -> ShardMeta {
    let types: [(key: [UInt8], type: String)] = [
      (keys.input, "stream"), (keys.output, "stream"), (keys.late, "stream"), (keys.meta, "hash"), (keys.state, "hash"),
      (keys.wakes, "zset"),
    ]
    for (key, _) in types { connection.add("TYPE", .bytes(key)) }
    try connection.flush()
    let found = try connection.replies()
    for ((key, type), reply) in zip(types, found) {
      guard let name = reply.text, name == type || name == "none" else {
        throw .foreign(key: String(decoding: key, as: UTF8.self), reason: "it is not a \(type)")
      }
    }
    return try ShardMeta(try connection.call("HGETALL", .bytes(keys.meta)), key: keys.meta)
  }

  /// Loads the snapshots of keys; nil for keys without one.
  ///
  /// - Memory: all of the snapshots.
  package func loadStates(_ names: [[UInt8]]) throws(RedisError) -> [[UInt8]?] {
    for chunk in chunks(names, size: \.count) {
      try connection.add(2 + chunk.count) { writer in
        writer.append("HMGET")
        writer.append(keys.state)
        for name in chunk { writer.append(name) }
      }
    }
    try connection.flush()
    var snapshots: [[UInt8]?] = []
    snapshots.reserveCapacity(names.count)
    for reply in try connection.replies() {
      guard let values = reply.elements else { throw .malformed("HMGET has no array") }
      for value in values { snapshots.append(value.bytes) }
    }
    guard snapshots.count == names.count else { throw .malformed("HMGET has another count of values") }
    return snapshots
  }

  /// All keys that have a snapshot.
  package func stateKeys() throws(RedisError) -> [[UInt8]] {
    guard let names = try connection.call("HKEYS", .bytes(keys.state)).elements else {
      throw .malformed("HKEYS has no array")
    }
    return names.compactMap(\.bytes)
  }

  /// Calls a closure with each result that has not been deleted, in order.
  package func forEachResult(_ body: (String) -> Void) throws(RedisError) {
    var next = "-"
    while true {
      let reply = try connection.call("XRANGE", .bytes(keys.output), .text(next), "+", "COUNT", "1000")
      guard let entries = reply.elements else { throw .malformed("XRANGE has no array") }
      for entry in entries {
        guard let result = ShardEntry(entry), case .record(let payload) = result.content else { continue }
        body(String(decoding: payload, as: UTF8.self))
        next = "(" + result.id.description
      }
      if entries.count < 1_000 { return }
    }
  }

  /// The number of keys that have a snapshot.
  package func stateCount() throws(RedisError) -> Int {
    Int(try connection.call("HLEN", .bytes(keys.state)).integer ?? 0)
  }

  /// Keys that want to be advanced at a time or before, the earliest first; equal times by the keys' bytes.
  ///
  /// Wakes are stored in milliseconds, rounded down: a key may be returned up to a millisecond too early. The exact
  /// wake is in its snapshot.
  ///
  /// - Parameters:
  ///   - time: in nanoseconds since 1970.
  ///   - offset: how many of them are skipped.
  ///   - limit: the greatest number of keys.
  package func keysDue(before time: Int64, offset: Int = 0, limit: Int) throws(RedisError) -> [ShardWake] {
    try wakes(
      connection.call(
        "ZRANGE", .bytes(keys.wakes), "-inf", .integer(ShardWake.milliseconds(time)), "BYSCORE", "LIMIT",
        .integer(Int64(offset)), .integer(Int64(limit)), "WITHSCORES"))
  }

  /// The earliest wake of all keys; nil if none waits.
  package func nextWake() throws(RedisError) -> ShardWake? {
    try wakes(connection.call("ZRANGE", .bytes(keys.wakes), "0", "0", "WITHSCORES")).first
  }

  /// Reads the reply to ZRANGE with scores: an array of pairs.
  private func wakes(_ reply: RESPValue) throws(RedisError) -> [ShardWake] {
    guard let elements = reply.elements else { throw .malformed("ZRANGE has no array") }
    var wakes: [ShardWake] = []
    wakes.reserveCapacity(elements.count)
    for element in elements {
      guard let pair = element.elements, pair.count == 2, let key = pair[0].bytes,
        case .double(let score) = pair[1], let milliseconds = Int64(exactly: score)
      else { throw .malformed("ZRANGE has no keys with scores") }
      wakes.append(ShardWake(key: key, milliseconds: milliseconds))
    }
    return wakes
  }

  /// Cuts arguments into those of commands: at most 500 and, unless one alone exceeds it, 8 MB each.
  func chunks<Element>(_ elements: [Element], size: (Element) -> Int) -> [ArraySlice<Element>] {
    var chunks: [ArraySlice<Element>] = []
    var (start, bytes) = (0, 0)
    for index in elements.indices {
      let next = size(elements[index])
      if index - start == 500 || (bytes + next > 8 << 20 && index > start) {
        chunks.append(elements[start..<index])
        (start, bytes) = (index, 0)
      }
      bytes += next
    }
    if start < elements.count { chunks.append(elements[start...]) }
    return chunks
  }
}

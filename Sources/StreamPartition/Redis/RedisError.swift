/// An error between Redis and an owner of a shard, or a feeder.
package enum RedisError: Error, Hashable, Sendable {
  /// An address or a name is not valid. The reason does not contain the password.
  case invalid(String)
  /// No connection could be made.
  case refused(address: String, reason: String)
  /// The server did not answer, or did not accept bytes, in time. The connection is closed: it is unknown whether the
  /// pending commands have been executed.
  case timeout(milliseconds: Int)
  /// The server has closed the connection, or an error above has. It is unknown whether the pending commands have been
  /// executed.
  case closed
  /// The server has refused a command. The code is its first word, such as `NOSCRIPT`, `WRONGTYPE`, `LOADING`,
  /// `NOAUTH`.
  case server(code: String, message: String)
  /// The reply is not RESP3, or does not have the shape of the command's reply.
  case malformed(String)
  /// The server is older than the commands that are used.
  case version(String)
  /// The lease of the shard has expired or belongs to another owner. Nothing was written.
  case fenced
  /// The name was set up with another number of shards.
  case shardCount(name: String, stored: Int64, requested: Int64)
  /// The name was set up with the other kind of IDs: those of the records, or those of the server's clock.
  case numbering(name: String, isStoredNumbered: Bool)
  /// Another process feeds the stream.
  case feeding(name: String)
  /// The input has ended, and records for it would never be processed. Numbered ones are refused behind a line.
  case ended(name: String, line: UInt64?)
  /// A line is not that of the numbered input which was fed first.
  case otherInput(name: String, line: UInt64)
  /// The end of a numbered input would be before existing records.
  case endsTooEarly(name: String, line: UInt64)
  /// A key holds data that is not of this program.
  case foreign(key: String, reason: String)

  /// Whether the connection can no longer be used.
  package var endsConnection: Bool {
    switch self {
    case .refused, .timeout, .closed, .malformed: true
    default: false
    }
  }

  /// The code of an error of the server; nil for other errors.
  package var code: String? {
    guard case .server(let code, _) = self else { return nil }
    return code
  }
}

extension RedisError: CustomStringConvertible {
  /// The error for people: one line without the period.
  package var description: String {
    switch self {
    case .invalid(let reason): reason
    case .refused(let address, let reason): "cannot connect to \(address): \(reason)"
    case .timeout(let milliseconds): "Redis has not answered within \(milliseconds) ms"
    case .closed: "Redis has closed the connection"
    case .server(let code, let message):
      switch code {
      case "NOAUTH": "Redis requires a password: redis://user:password@host"
      case "WRONGPASS": "Redis refuses the user name or the password"
      case "OOM": "Redis is out of memory (maxmemory): trim streams or raise the limit"
      case "READONLY": "this Redis server is a read-only replica; connect to its primary"
      case "ERR": "Redis reports an error: \(message)"
      default: "Redis reports an error: \(code) \(message)"
      }
    case .malformed(let reason): "the reply is not of Redis: \(reason)"
    case .version(let version): "Redis \(version) is too old; 6.2 or later is required"
    case .fenced: "the lease of the shard has been lost to another owner or has expired"
    case .shardCount(let name, let stored, let requested):
      "'\(name)' is divided into \(stored) shards, not \(requested); resharding is done offline, under another name"
    case .numbering(let name, let isStoredNumbered):
      isStoredNumbered
        ? "'\(name)' is fed with numbered records; number these, too, or use another name"
        : "'\(name)' is fed with records without numbers; omit the numbers or use another name"
    case .feeding(let name):
      "another process feeds '\(name)'; feed it from one process at a time, since the newest time of each makes records of "
        + "the other late. Merge the inputs by time before, or feed them one after another"
    case .ended(let name, let line):
      "the input of '\(name)' has ended\(line.map { " after line \($0)" } ?? ""), and nothing that is fed now would be "
        + "processed; use another --name"
    case .otherInput(let name, let line):
      "line \(line) or one before it is not that of the input which '\(name)' was fed with first; with --numbered a stream "
        + "has one input, which may grow. Use another --name, or feed without numbers"
    case .endsTooEarly(let name, let line):
      "the input of '\(name)' cannot end after line \(line), since later lines are there"
    case .foreign(let key, let reason): "the Redis key '\(key)' holds other data: \(reason)"
    }
  }
}

/// The changes of one transaction to a shard.
package struct ShardCommit: Sendable {
  /// The new state of one key.
  package struct State: Hashable, Sendable {
    package var key: [UInt8]
    package var snapshot: [UInt8]
    /// When the key wants to be advanced next, in nanoseconds since 1970; nil is never.
    package var wake: Int64?

    package init(key: [UInt8], snapshot: [UInt8], wake: Int64?) {
      (self.key, self.snapshot, self.wake) = (key, snapshot, wake)
    }
  }

  /// A value of an output stream. Fields `v` and `t`.
  package struct Output: Hashable, Sendable {
    package var payload: [UInt8]
    /// The event time, in nanoseconds since 1970.
    package var time: Int64

    package init(payload: [UInt8], time: Int64) { (self.payload, self.time) = (payload, time) }
  }

  /// Which entries of the input are deleted after their effects are committed.
  package enum Trim: Hashable, Sendable {
    /// None: the input is kept, or trimmed by others.
    case none
    /// All but at least this many of the newest consumed ones. Redis deletes whole blocks (of 100 entries, unless it is
    /// configured otherwise), so that more may remain.
    case consumed(keep: Int)
  }

  package var meta: ShardMeta
  /// Each key once.
  package var states: [State] = []
  /// Keys whose execution has completed. None of them is in `states`.
  package var removed: [[UInt8]] = []
  package var outputs: [Output] = []
  /// Records that came too late, by the file's policy.
  package var late: [Output] = []
  package var trim: Trim = .none

  package init(meta: ShardMeta) { self.meta = meta }
}

/// The next wake of a key.
package struct ShardWake: Hashable, Sendable {
  package var key: [UInt8]
  /// In milliseconds since 1970, rounded down.
  package var milliseconds: Int64

  package init(key: [UInt8], milliseconds: Int64) { (self.key, self.milliseconds) = (key, milliseconds) }

  /// Milliseconds, rounded down. A `Double`, which Redis uses for scores, represents each of them exactly.
  static func milliseconds(_ nanoseconds: Int64) -> Int64 {
    let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

internal import Synchronization

/// The version that a shared stream runs, and the reason why it runs no other one.
public struct SharedStreamState: Hashable, Sendable {
  /// The reasons to run a version.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// The version is the one built into the app: there is no other one yet, or no other one can be used.
    case fallback
    /// The version is the last good one of an earlier process.
    case cached
    /// The version is the first one that this client has had: it has not passed a probation, and there is no other one to
    /// return to.
    case first
    /// The version is new, and on probation. No value has reached it yet, so that nothing is known about it.
    case inconclusive
    /// The version is new, and on probation, and has had values.
    case probation
    /// The version has passed its probation.
    case good
    /// The version is the last good one, to which the stream has returned: the version in `refusal` failed.
    case restored
  }

  /// A version that is offered and not run.
  public struct Refusal: Hashable, Sendable {
    public let version: Int
    /// The content ID.
    public let content: String
    /// Messages for people.
    public let reasons: [String]
  }

  /// The number of the version; nil for a fallback that the repository does not offer.
  public internal(set) var version: Int?
  /// The content ID of the version.
  public internal(set) var content: String
  public internal(set) var phase: Phase
  /// The newest version, if it is refused.
  public internal(set) var refusal: Refusal?
  /// Number of runs in a row that the newest version has ended with a failure although it had been good, 0 or more. After
  /// `Probation.attempts` of them, it is on probation again, with the version before it at hand.
  public internal(set) var failures = 0
  /// A new version that starts with the first subscription.
  public internal(set) var waitingVersion: Int?
  /// The reason why the last refresh has failed, or why a candidate was not taken; nil if there is none. The stream
  /// continues.
  public internal(set) var problem: TrustError?
  /// Whether the last refresh has failed: the stream runs, and does not learn of new versions.
  public internal(set) var isCutOff = false
  /// The roles whose metadata expire soon, or have expired, according to the last refresh that succeeded.
  public internal(set) var expiring: [RoleExpiration] = []
  /// The reason why the cache cannot be read or written; nil if it can. New versions do not start without it.
  public internal(set) var cacheProblem: TrustError?
}

/// Sends states to any number of readers.
final class StateBroadcast: Sendable {
  private struct Content {
    var current: SharedStreamState
    var readers: [Int: AsyncStream<SharedStreamState>.Continuation] = [:]
    var count = 0
    var isOver = false
  }

  private let content: Mutex<Content>

  init(_ state: SharedStreamState) { content = Mutex(Content(current: state)) }

  var current: SharedStreamState { content.withLock(\.current) }

  /// The current state, then each state that differs from the one before. A slow reader misses the oldest of more than
  /// 100.
  func makeStream() -> AsyncStream<SharedStreamState> {
    let (stream, reader) = AsyncStream.makeStream(of: SharedStreamState.self, bufferingPolicy: .bufferingNewest(100))
    let number = content.withLock { content -> Int? in
      reader.yield(content.current)
      guard !content.isOver else { return nil }
      content.count += 1
      content.readers[content.count] = reader
      return content.count
    }
    guard let number else {
      reader.finish()
      return stream
    }
    reader.onTermination = { [weak self] _ in
      _ = self?.content.withLock { $0.readers.removeValue(forKey: number) }
    }
    return stream
  }

  func send(_ state: SharedStreamState) {
    content.withLock { content in
      guard content.current != state else { return }
      content.current = state
      for reader in content.readers.values { reader.yield(state) }
    }
  }

  func finish() {
    let readers = content.withLock { content in
      content.isOver = true
      defer { content.readers = [:] }
      return Array(content.readers.values)
    }
    for reader in readers { reader.finish() }
  }
}

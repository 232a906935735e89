internal import StreamCore
public import StreamEngine
internal import Synchronization

/// The state of a running stream, which an app saves, and restores when it starts again.
///
/// ```swift
/// var live = try LiveStream(model, inputs: ["taps": taps])
/// live.state = StreamState()
/// var counts = live.values(of: Int.self).makeAsyncIterator()
/// // When the app goes to the background:
/// let stored = try JSONEncoder().encode(try await live.state?.save())
/// // At the next start:
/// live.state = StreamState(restoring: try JSONDecoder().decode(Snapshot.self, from: stored))
/// ```
/// A state belongs to one subscription at a time. The restored stream continues as if no time had passed: a timer that had
/// two seconds left has two seconds left; `now()` returns the current time. Calls without an answer are made again. A `StreamInput`
/// sends its current value again, as to any new subscriber.
public final class StreamState: Sendable {
  private let content: Mutex<Content>

  private struct Content {
    var restored: Snapshot?
    /// The run that is saved.
    weak var run: (any SavableRun)?
  }

  /// Creates a state without a snapshot.
  public init() { content = Mutex(Content()) }

  /// Creates a state with which the next subscription starts. The model must be the one whose state was saved; for
  /// another one the subscription fails (`S412`).
  public init(restoring snapshot: Snapshot) { content = Mutex(Content(restored: snapshot)) }

  /// Returns the state between two events of the running subscription. Before the first subscription, and after the last
  /// one, it is what that one begins with.
  ///
  /// - Throws: `StreamFailure` with code `S412` if there is no state yet, or if it cannot be saved.
  public func save() async throws -> Snapshot {
    let (run, restored) = content.withLock { ($0.run, $0.restored) }
    if let run, let saved = try await run.save() { return saved }
    guard let restored else {
      throw StreamFailure(.snapshotMismatch, "there is no state: no subscription that has it runs")
    }
    return restored
  }

  /// The snapshot with which the next subscription starts, if there is one.
  var restored: Snapshot? { content.withLock(\.restored) }

  /// Makes a run the source of the state. Returns false if another run is.
  func begin(_ run: any SavableRun) -> Bool {
    content.withLock { content in
      guard content.run == nil else { return false }
      content.run = run
      return true
    }
  }

  /// The error of a second run with this state.
  var isTaken: Diagnostics {
    Diagnostics(.snapshotMismatch, "another subscription has the state: each needs one of its own")
  }

  /// Keeps the last snapshot of a run for the next subscription. Has no effect for a run that is not the source of the
  /// state.
  ///
  /// - Parameters:
  ///   - isOver: Whether the stream has completed: the next subscription starts without a snapshot.
  ///   - services: Receive a report if the snapshot cannot be made.
  ///   - snapshot: Makes the snapshot.
  func end(_ run: AnyObject, isOver: Bool, _ services: HostServices, snapshot: () throws -> Snapshot) {
    guard content.withLock({ $0.run === run }) else { return }
    var last: Snapshot?
    do {
      if !isOver { last = try snapshot() }
    } catch {
      services.report(StreamFailure(foreign: error, .snapshotMismatch, "the state of the stream cannot be saved"))
    }
    content.withLock { $0 = Content(restored: last) }
  }
}

/// A running stream whose state can be saved.
protocol SavableRun: AnyObject, Sendable {
  /// Returns the state between two events; nil if the run is over.
  func save() async throws -> Snapshot?
}

#if Sharing
internal import StreamCore
internal import StreamDriving
internal import StreamKit
internal import StreamRuntime
internal import StreamSharing
internal import Synchronization

/// Brings the versions of a shared stream to a run of the command.
///
/// The task of the shared stream hands over a version and waits; the thread of the run takes it between two values.
final class FollowedRun: SharedRun, ChangeWatch {
  private struct State {
    /// The version that waits for the run.
    var pending: Pending?
    /// The version that the run has taken, until its outcome is told.
    var taken: CheckedContinuation<Result<Void, Diagnostics>, Never>?
    var trial: SwapTrial?
    var nextLook: StreamTime
    var isOver = false
  }

  private struct Pending {
    let text: [UInt8]
    let trial: SwapTrial?
    let told: CheckedContinuation<Result<Void, Diagnostics>, Never>
  }

  private let name: String
  private let texts: NamedTexts
  private let clock = LiveClock()
  private let state: Mutex<State>
  /// Nanoseconds between two looks.
  private static let interval: Int64 = 50_000_000

  /// - Parameters:
  ///   - name: The name of the stream among the texts.
  ///   - texts: The texts that the run reads.
  init(_ name: String, _ texts: NamedTexts) {
    self.name = name
    self.texts = texts
    state = Mutex(State(nextLook: .zero))
  }

  // MARK: The task of the shared stream

  func swap(to text: [UInt8], on trial: SwapTrial?) async throws(Diagnostics) {
    let outcome = await withCheckedContinuation { told in
      let isOver = state.withLock { state in
        if !state.isOver { state.pending = Pending(text: text, trial: trial, told: told) }
        return state.isOver
      }
      if isOver { told.resume(returning: .success(())) }
    }
    try outcome.get()
  }

  /// Lets go whoever waits for a swap that will no longer happen.
  func close() {
    let waiting = state.withLock { state in
      state.isOver = true
      defer { (state.pending, state.taken) = (nil, nil) }
      return [state.pending?.told, state.taken].compactMap(\.self)
    }
    for told in waiting { told.resume(returning: .success(())) }
  }

  // MARK: The thread of the run

  func watch(_ paths: [String]) {}

  var exists: Bool { true }

  var trial: SwapTrial? { state.withLock(\.trial) }

  var untilNextLook: Int64 { state.withLock { max(0, ($0.nextLook - clock.now).nanoseconds) } }

  func hasChanged() -> Bool {
    state.withLock { state in
      state.nextLook = clock.now + Interval(nanoseconds: Self.interval)
      guard let pending = state.pending, state.taken == nil else { return false }
      (state.pending, state.taken, state.trial) = (nil, pending.told, pending.trial)
      texts[name] = pending.text
      return true
    }
  }

  func tell(_ outcome: Result<Void, Diagnostics>) {
    let told = state.withLock { state in
      defer { state.taken = nil }
      return state.taken
    }
    told?.resume(returning: outcome)
  }
}
#endif

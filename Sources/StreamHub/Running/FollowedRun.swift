internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit
internal import StreamSharing
internal import Synchronization

/// Brings the versions of a shared stream to a run of the command.
///
/// The task of the shared stream offers a version and waits; the thread of the run takes it between two values.
final class FollowedRun: SharedRun, ChangeWatch {
  private struct State {
    /// The version that waits for the run.
    var pending: Pending?
    /// The continuation of the version that the run has taken, until its outcome is reported.
    var taken: CheckedContinuation<Result<Void, Diagnostics>, Never>?
    var trial: SwapTrial?
    /// The published values of the version that was taken last.
    var parameters: [String: Value]
    /// The number of the version that was taken last.
    var version: Int?
    var isOver = false
    /// The failure with which the run has ended; nil if it has not.
    var failure: StreamFailure?

    /// Whether the run has something to take or, after a verdict, to forget.
    var needsLook: Bool { taken == nil && (pending != nil || trial.map { $0.verdict != .open } ?? false) }
  }

  private struct Pending {
    let text: [UInt8]
    let parameters: [String: Value]
    let version: Int
    let trial: SwapTrial?
    let told: CheckedContinuation<Result<Void, Diagnostics>, Never>
  }

  private let name: String
  private let texts: NamedTexts
  /// A pipe with a byte in it while a version waits for the run; nil if the system has no more of them.
  private let pipe: (reader: FileDescriptor, writer: FileDescriptor)?
  /// Called when a version waits for the run.
  private let offer: @Sendable () -> Void
  private let state: Mutex<State>
  /// Nanoseconds between two looks while nothing is to be seen: a quarter of a second; 50 ms without a pipe.
  ///
  /// NB: A run with timers notices the end of its input only when it looks again.
  private let patience: Int64

  /// - Parameters:
  ///   - name: The name of the stream among the texts.
  ///   - texts: The texts that the run reads.
  ///   - parameters: The published values of the version that it begins with.
  ///   - version: The number of the version that it begins with.
  ///   - offer: Called when a version waits for the run.
  init(
    _ name: String, _ texts: NamedTexts, parameters: [String: Value], version: Int?,
    offer: @escaping @Sendable () -> Void = {}
  ) {
    self.name = name
    self.texts = texts
    self.offer = offer
    pipe = try? FileDescriptor.pipe()
    patience = pipe == nil ? 50_000_000 : 1_000_000_000
    state = Mutex(State(parameters: parameters, version: version))
  }

  deinit {
    pipe?.reader.close()
    pipe?.writer.close()
  }

  // MARK: The task of the shared stream

  func swap(
    to text: [UInt8], parameters: [String: Value], version: Int, on trial: SwapTrial?
  ) async throws(Diagnostics) {
    let outcome = await withCheckedContinuation { told in
      let isOver = state.withLock { state in
        if !state.isOver {
          state.pending = Pending(text: text, parameters: parameters, version: version, trial: trial, told: told)
          try? pipe?.writer.write([1])
        }
        return state.isOver
      }
      if isOver { told.resume(returning: .success(())) }
      offer()
    }
    try outcome.get()
  }

  func begin(_ trial: SwapTrial) { state.withLock { $0.trial = trial } }

  /// The failure with which the run has ended; nil if there was none.
  var failure: StreamFailure? { state.withLock(\.failure) }

  /// Resumes the tasks that wait for a swap that will no longer happen.
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

  var label: String? { state.withLock(\.version).map { "version \($0)" } }

  var parameters: [String: Value] { state.withLock(\.parameters) }

  var untilNextLook: Int64 { state.withLock { $0.needsLook ? 0 : patience } }

  var signal: FileDescriptor? { pipe?.reader }

  func hasChanged() -> Bool {
    state.withLock { state in
      if let trial = state.trial, trial.verdict != .open { state.trial = nil }
      guard let pending = state.pending, state.taken == nil else { return false }
      _ = try? pipe?.reader.read(atMost: 1)
      (state.pending, state.taken, state.trial) = (nil, pending.told, pending.trial)
      (state.version, state.parameters) = (pending.version, pending.parameters)
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

  func noteEnd(_ failure: StreamFailure) { state.withLock { $0.failure = failure } }
}

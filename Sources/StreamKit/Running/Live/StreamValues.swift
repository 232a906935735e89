public import StreamCore
internal import StreamEngine
internal import Synchronization

/// The values of a stream as an asynchronous sequence.
///
/// Each iterator is a separate subscription. It requests one value at a time, so a source is read no faster than values
/// are consumed. Values sent to an input in between wait in its queue, 1,024 by default (`buffer`); one more fails the
/// stream with `S409`, or drops a value if the file has that policy. An input with an initial value keeps its newest
/// value alone, as Combine's subjects do. Dropped values are reported to `HostServices.report` at the end. The
/// subscription ends with the iterator, the awaiting task or the stream.
public struct StreamValues<Output: Decodable & Sendable>: AsyncSequence, Sendable {
  public typealias Element = Output
  public typealias Failure = any Error

  private let makeStream: @Sendable () throws -> (LiveStream, SchedulerAdapter)

  init(_ makeStream: @escaping @Sendable () throws -> (LiveStream, SchedulerAdapter)) { self.makeStream = makeStream }

  public func makeAsyncIterator() -> Iterator { Iterator(Result { try makeStream() }) }

  public struct Iterator: AsyncIteratorProtocol {
    private let reader: ReaderBox<Output>

    init(_ stream: Result<(LiveStream, SchedulerAdapter), any Error>) { reader = ReaderBox(stream) }

    /// Returns the next value, or nil after the end or if the task is canceled.
    ///
    /// - Throws: The `StreamFailure` that ended the stream, once. A value that does not fit `Output` fails with `S414`.
    public mutating func next() async throws -> Output? { try await reader.next() }
  }
}

/// Ends the subscription when the iterator goes.
private final class ReaderBox<Output: Decodable & Sendable>: Sendable {
  private let reader: Result<OutputReader<Output>, any Error>

  init(_ stream: Result<(LiveStream, SchedulerAdapter), any Error>) {
    reader = stream.map { stream, keeper in
      let reader = OutputReader<Output>(stream, keeper)
      reader.begin()
      return reader
    }
  }

  deinit { if case .success(let reader) = reader { reader.cancel() } }

  func next() async throws -> Output? { try await reader.get().next() }
}

/// A subscription whose values are awaited.
fileprivate final class OutputReader<Output: Decodable & Sendable>: TypedExecution<Output>, @unchecked Sendable {
  private let state = Mutex(State())

  fileprivate struct State {
    /// The continuation of the waiting task.
    var waiting: CheckedContinuation<Output?, any Error>?
    /// A value that arrived after its task had been canceled.
    var value: Output?
    var isOver = false
    /// The failure of the stream, until it has been thrown.
    var failure: StreamFailure?
  }

  func next() async throws -> Output? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isAsked = state.withLock { state in
          if state.waiting != nil {
            continuation.resume(throwing: Self.awaitedTwice)
            return false
          }
          if state.value == nil, !state.isOver, !Task.isCancelled {
            state.waiting = continuation
            return true
          }
          continuation.resume(with: state.take())
          return false
        }
        if isAsked { request(Demand(1)) }
      }
    } onCancel: {
      cancel()
      answer { state in state.isOver = true }
    }
  }

  private static var awaitedTwice: StreamFailure {
    StreamFailure(
      .streamFailed, "two tasks await the next value of one iterator",
      help: "make an iterator for each task, or pass the values on from one of them")
  }

  override func handle(_ output: Output) -> Demand {
    answer { state in state.value = output }
    return .none
  }

  override func handle(misfit failure: StreamFailure) { end(failure) }

  override func receive(_ completion: Completion) {
    if case .failure(let failure) = completion { end(failure) } else { end(nil) }
  }

  override func dispose() { end(nil) }

  private func end(_ failure: StreamFailure?) {
    answer { state in
      guard !state.isOver else { return }
      state.isOver = true
      state.failure = failure
    }
  }

  /// Changes the state and resumes the waiting task if there is a result.
  private func answer(_ change: (inout State) -> Void) {
    let resume = state.withLock { state -> (() -> Void)? in
      change(&state)
      guard let waiting = state.waiting, state.value != nil || state.isOver else { return nil }
      state.waiting = nil
      let result = state.take()
      return { waiting.resume(with: result) }
    }
    resume?()
  }
}

extension OutputReader.State {
  /// Returns the result for the next task.
  fileprivate mutating func take() -> Result<Output?, any Error> {
    if let value {
      self.value = nil
      return .success(value)
    }
    defer { failure = nil }
    return failure.map { .failure($0) } ?? .success(nil)
  }
}

extension StreamModel {
  /// Returns the values of the stream, awaited one at a time: `for try await value in model.values()`.
  ///
  /// - Parameters:
  ///   - inputs: The feeds of the inputs, by name. An input without a feed keeps its initial value.
  ///   - services: The functions and hooks that the model can use.
  ///   - options: Compile options; `services` are added to the host.
  ///   - clock: The clock that drives the stream's time. Default the machine's.
  /// - Throws: During iteration, the errors in the model as a `StreamFailure`.
  public func values<C: Clock>(
    inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions(), clock: C = ContinuousClock()
  ) -> StreamValues<Value> where C.Duration == Duration {
    values(of: Value.self, inputs: inputs, services: services, options: options, clock: clock)
  }

  /// Returns the values of the stream decoded as a type. A value that does not fit ends the stream (`S414`).
  public func values<Output: Decodable & Sendable, C: Clock>(
    of type: Output.Type, inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions(), clock: C = ContinuousClock()
  ) -> StreamValues<Output> where C.Duration == Duration {
    StreamValues {
      do throws(Diagnostics) {
        return (
          try LiveStream(self, inputs: inputs, services: services, options: options), ClockKeeper(clock)
        )
      } catch {
        throw StreamFailure(error)
      }
    }
  }
}

extension LiveStream {
  /// Returns the values of the stream decoded as a type.
  public func values<Output: Decodable & Sendable, C: Clock>(
    of type: Output.Type = Value.self, clock: C = ContinuousClock()
  ) -> StreamValues<Output> where C.Duration == Duration {
    StreamValues { (self, ClockKeeper(clock)) }
  }
}

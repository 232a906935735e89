public import StreamCore
internal import StreamEngine

/// The values of a stream as an asynchronous sequence.
///
/// ```swift
/// for try await number in model.values(of: Int.self) { lines.append("\(number)") }
/// ```
///
/// Each iterator is a separate subscription, which starts when the iterator is made. It requests values before it
/// subscribes, so it receives the current value of a `StreamInput`, and keeps what arrives while the loop is busy as its
/// `BufferingPolicy` says. Dropped values are reported to `HostServices.report` at the end. The subscription ends with the
/// iterator, the awaiting task or the stream.
public struct StreamValues<Output: Decodable & Sendable>: AsyncSequence, Sendable {
  public typealias Element = Output
  public typealias Failure = any Error

  private let policy: BufferingPolicy
  private let makeStream: @Sendable () throws -> (LiveStream, SchedulerAdapter)

  init(_ policy: BufferingPolicy, _ makeStream: @escaping @Sendable () throws -> (LiveStream, SchedulerAdapter)) {
    self.policy = policy
    self.makeStream = makeStream
  }

  public func makeAsyncIterator() -> Iterator { Iterator(Result { try makeStream() }, policy) }

  public struct Iterator: AsyncIteratorProtocol {
    private let reader: ReaderBox<Output>

    init(_ stream: Result<(LiveStream, SchedulerAdapter), any Error>, _ policy: BufferingPolicy) {
      reader = ReaderBox(stream, policy)
    }

    /// Returns the next value, or nil after the end or if the task is canceled.
    ///
    /// - Throws: The `StreamFailure` that ended the stream, once. A value that does not fit `Output` fails with `S414`.
    public mutating func next() async throws -> Output? { try await reader.next() }
  }
}

/// Ends the subscription when the iterator goes.
private final class ReaderBox<Output: Decodable & Sendable>: Sendable {
  private let reader: Result<OutputReader<Output>, any Error>

  init(_ stream: Result<(LiveStream, SchedulerAdapter), any Error>, _ policy: BufferingPolicy) {
    reader = stream.map { stream, keeper in
      let reader = OutputReader<Output>(stream, keeper, policy)
      reader.start()
      return reader
    }
  }

  deinit { if case .success(let reader) = reader { reader.cancel() } }

  func next() async throws -> Output? { try await reader.get().next() }
}

/// A subscription whose values are awaited.
private final class OutputReader<Output: Decodable & Sendable>: TypedExecution<Output>, @unchecked Sendable {
  private let policy: BufferingPolicy
  private let queue: ValueQueue<Output>
  /// Number of values that operators have dropped for want of demand. Accessed by the active thread only.
  @exclusivity(unchecked) private var dropCount = 0

  init(_ stream: LiveStream, _ keeper: SchedulerAdapter, _ policy: BufferingPolicy) {
    self.policy = policy
    // Values that were requested before the state was saved come beside those that this loop requests.
    let (ceiling, isOver) = policy.limit.multipliedReportingOverflow(by: 2)
    queue = ValueQueue(policy, ceiling: isOver ? .max : ceiling)
    super.init(stream, keeper)
    dropCount = Self.count(unrequested: execution.drops)
  }

  func start() {
    switch policy {
    case .bounded: request(Demand(isRestored ? 1 : policy.limit))
    case .newest, .oldest: request(.unlimited)
    case .demand: break
    }
    begin()
  }

  func next() async throws -> Output? {
    try await queue.next {
      request(Demand(1))
    } cancel: { [self] in
      cancel()
    }
  }

  override func handle(_ output: Output) -> Demand {
    let isTaken = queue.put(output)
    if case .bounded = policy, isTaken { return Demand(1) }
    return .none
  }

  override func handle(misfit failure: StreamFailure) { queue.end(failure) }

  override func receive(_ completion: Completion) {
    if case .failure(let failure) = completion { queue.end(failure) } else { queue.end() }
  }

  override func dispose() { queue.end() }

  override func failure(for drops: [Execution.DroppedValues]) -> StreamFailure? {
    guard case .bounded = policy else { return nil }
    let count = Self.count(unrequested: drops)
    defer { dropCount = count }
    guard count > dropCount, queue.isFilling, let dropped = drops.last(where: { $0.reason == .unrequested }) else {
      return nil
    }
    return StreamFailure(
      .limitExceeded,
      "\(dropped.subject) dropped a value, since \(policy.limit) values wait for the loop that awaits them",
      pointer: dropped.pointer, help: BufferingPolicy.advice)
  }

  private static func count(unrequested drops: [Execution.DroppedValues]) -> Int {
    drops.reduce(0) { $0 + ($1.reason == .unrequested ? $1.count : 0) }
  }
}

extension StreamModel {
  /// Returns the values of the stream, awaited one at a time: `for try await value in model.values()`.
  ///
  /// - Parameters:
  ///   - inputs: The feeds of the inputs, by name. An input without a feed keeps its initial value.
  ///   - services: The functions and hooks that the model can use.
  ///   - options: Compile options; `services` are added to the host.
  ///   - bufferingPolicy: The values kept while the loop is busy. Default 1,024 values.
  ///   - clock: The clock that drives the stream's time. Default the machine's.
  /// - Throws: During iteration, the errors in the model as a `StreamFailure`.
  public func values<C: Clock>(
    inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions(), bufferingPolicy: BufferingPolicy = .standard,
    clock: C = ContinuousClock()
  ) -> StreamValues<Value> where C.Duration == Duration {
    values(
      of: Value.self, inputs: inputs, services: services, options: options, bufferingPolicy: bufferingPolicy,
      clock: clock)
  }

  /// Returns the values of the stream decoded as a type. A value that does not fit ends the stream (`S414`).
  public func values<Output: Decodable & Sendable, C: Clock>(
    of type: Output.Type, inputs: [String: any StreamFeed] = [:], services: HostServices = HostServices(),
    options: CompileOptions = CompileOptions(), bufferingPolicy: BufferingPolicy = .standard,
    clock: C = ContinuousClock()
  ) -> StreamValues<Output> where C.Duration == Duration {
    StreamValues(bufferingPolicy) {
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
  ///
  /// - Parameters:
  ///   - type: The type of the values. A value that does not fit ends the stream (`S414`).
  ///   - output: The name of one of the file's outputs; with another name the loop fails (`S109`). All outputs run: the
  ///     stream ends when all have ended. Default nil: all values; of a file with outputs, each as an object with the
  ///     output's name as its only member.
  ///   - bufferingPolicy: The values kept while the loop is busy. Default 1,024 values; for a stream with a `state` none
  ///     (`demand`), since values that wait for the loop are not part of its state.
  ///   - clock: The clock that drives the stream's time. Default the machine's.
  public func values<Output: Decodable & Sendable, C: Clock>(
    of type: Output.Type = Value.self, output: String? = nil, bufferingPolicy: BufferingPolicy? = nil,
    clock: C = ContinuousClock()
  ) -> StreamValues<Output> where C.Duration == Duration {
    StreamValues(bufferingPolicy ?? (state == nil ? .standard : .demand)) {
      (try choosing(output), ClockKeeper(clock))
    }
  }
}

public import StreamCore
internal import StreamEngine

extension ChangingStream {
  /// The values of a changing stream as an asynchronous sequence.
  ///
  /// Each iterator receives the values from its making on. The stream runs once for all of them, and starts with the first
  /// one. An iterator keeps the stream running, and ends if the stream is canceled.
  public struct Values<Output: Decodable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Output
    public typealias Failure = any Error

    private let stream: ChangingStream
    private let policy: BufferingPolicy

    init(_ stream: ChangingStream, _ policy: BufferingPolicy) {
      self.stream = stream
      self.policy = policy
    }

    public func makeAsyncIterator() -> Iterator { Iterator(Reader(stream, policy)) }

    public struct Iterator: AsyncIteratorProtocol {
      private let reader: Reader

      fileprivate init(_ reader: Reader) { self.reader = reader }

      /// Returns the next value, or nil after the end or if the task is canceled.
      ///
      /// - Throws: The `StreamFailure` that ended the stream, once. A value that does not fit `Output` fails with `S414`.
      public mutating func next() async throws -> Output? { try await reader.next() }
    }

    /// Ends the subscription when the iterator goes.
    fileprivate final class Reader: Sendable {
      private let queue: ValueQueue<Output>
      private let token: StreamToken

      init(_ stream: ChangingStream, _ policy: BufferingPolicy) {
        let queue = ValueQueue<Output>(policy)
        self.queue = queue
        token = stream.subscribe { (value: Output) in
          queue.put(value)
        } end: { completion in
          if case .failure(let failure) = completion { queue.end(failure) } else { queue.end() }
        }
      }

      deinit { token.cancel() }

      func next() async throws -> Output? { try await queue.next(cancel: { [token] in token.cancel() }) }
    }
  }
}

extension ChangingStream {
  /// Returns the values of the stream, awaited one at a time, on any actor.
  ///
  /// ```swift
  /// for try await total in stream.values(of: Int.self) { label.text = "\(total)" }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the values. A value that does not fit ends the loop (`S414`), not the stream.
  ///   - bufferingPolicy: The values kept while the loop is busy. Default 1,024 values; one more ends the loop with a failure
  ///     (`S409`). The stream does not wait for a loop: `demand` keeps as many.
  public func values<Output: Decodable & Sendable>(
    of type: Output.Type = Value.self, bufferingPolicy: BufferingPolicy = .standard
  ) -> Values<Output> {
    Values(self, bufferingPolicy)
  }

  /// Subscribes to the values from now on, and starts the stream if it is the first subscription. The closures are called
  /// one at a time, in a task of the stream.
  func subscribe<Output: Decodable & Sendable>(
    _ receive: @escaping @Sendable (Output) -> Void, end: @escaping @Sendable (Completion) -> Void
  ) -> StreamToken {
    let reading = ValueReading<Output>()
    let added = subscribers.add(
      ChangingSubscribers.Subscriber(
        receive: { value in
          do throws(StreamFailure) {
            receive(try reading.read(value))
            return nil
          } catch {
            return error
          }
        }, end: end, cancel: { end(.finished) }))
    if added?.isFirst == true { begin() }
    return StreamToken { [self] in if let added { subscribers.remove(added.number) } }
  }
}

@_spi(Engine) public import StreamCore
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
    private let output: String?
    private let policy: BufferingPolicy

    init(_ stream: ChangingStream, _ output: String?, _ policy: BufferingPolicy) {
      self.stream = stream
      self.output = output
      self.policy = policy
    }

    public func makeAsyncIterator() -> Iterator { Iterator(Reader(stream, output, policy)) }

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

      init(_ stream: ChangingStream, _ output: String?, _ policy: BufferingPolicy) {
        let queue = ValueQueue<Output>(policy)
        self.queue = queue
        token = stream.subscribe(to: output) { (value: Output) in
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
  /// A stream with outputs publishes them all in one run, and each can be received separately:
  ///
  /// ```swift
  /// let stream = try ChangingStream(model, outputs: ["alerts", "totals"])
  /// for try await alert in stream.values(of: Alert.self, output: "alerts") { show(alert) }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the values. A value that does not fit ends the loop (`S414`), not the stream.
  ///   - output: The name of an output of the present version or an earlier one; with another name the loop fails
  ///     (`S109`). Default nil: the model's own values, or, of a stream with outputs, the values of all, each as an object
  ///     whose only member has the output's name.
  ///   - bufferingPolicy: The values kept while the loop is busy. Default 1,024 values; one more ends the loop with a failure
  ///     (`S409`). The stream does not wait for a loop: `demand` keeps as many.
  public func values<Output: Decodable & Sendable>(
    of type: Output.Type = Value.self, output: String? = nil, bufferingPolicy: BufferingPolicy = .standard
  ) -> Values<Output> {
    Values(self, output, bufferingPolicy)
  }

  /// Subscribes to the values from now on, and starts the stream if it is the first subscription. The closures are called
  /// one at a time, in a task of the stream.
  ///
  /// - Parameter output: The output; nil for all values.
  func subscribe<Output: Decodable & Sendable>(
    to output: String?, _ receive: @escaping @Sendable (Output) -> Void, end: @escaping @Sendable (Completion) -> Void
  ) -> StreamToken {
    if let output, !knownOutputs.contains(output) {
      end(.failure(StreamFailure(unknownOutput: output, among: knownOutputs)))
      return StreamToken {}
    }
    let reading = ValueReading<Output>(services.coding)
    let added = subscribers.add(
      ChangingSubscribers.Subscriber(
        receive: { value in
          do throws(StreamFailure) {
            guard let output else {
              receive(try reading.read(value))
              return nil
            }
            if let value = value.ofOutput(output) { receive(try reading.read(value)) }
            return nil
          } catch {
            return error
          }
        }, end: end, cancel: { end(.finished) }))
    if added?.isFirst == true { begin() }
    return StreamToken { [self] in if let added { subscribers.remove(added.number) } }
  }
}

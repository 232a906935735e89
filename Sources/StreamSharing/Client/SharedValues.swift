internal import StreamCore
internal import StreamEngine
@_spi(Driving) internal import StreamKit
internal import Synchronization

/// The values of a shared stream as an asynchronous sequence.
///
/// Each iterator is a separate subscription, which ends with the iterator, the awaiting task or the shared stream.
public struct SharedValues<Output: Decodable & Sendable>: AsyncSequence, Sendable {
  public typealias Element = Output
  public typealias Failure = any Error

  private let owner: SharedStream
  private let core: SharedStreamCore
  private let inputs: [String: any StreamFeed]
  private let limit: Int

  init(_ owner: SharedStream, _ core: SharedStreamCore, _ inputs: [String: any StreamFeed], _ limit: Int) {
    self.owner = owner
    self.core = core
    self.inputs = inputs
    self.limit = limit
  }

  public func makeAsyncIterator() -> Iterator {
    let (values, continuation) = AsyncThrowingStream.makeStream(
      of: Output.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(Swift.max(1, limit)))
    let reading = ValueReading<Output>()
    let number = core.subscribe(inputs) { value in
      do throws(StreamFailure) {
        continuation.yield(try reading.read(value))
        return nil
      } catch {
        return error
      }
    } end: { completion in
      if case .failure(let failure) = completion {
        continuation.finish(throwing: failure)
      } else {
        continuation.finish()
      }
    }
    if let number {
      continuation.onTermination = { [weak core] _ in core?.unsubscribe(number) }
    } else {
      continuation.finish()
    }
    return Iterator(owner, values.makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    /// The shared stream lives as long as its iterators.
    private let owner: SharedStream
    private var values: AsyncThrowingStream<Output, any Error>.Iterator

    init(_ owner: SharedStream, _ values: AsyncThrowingStream<Output, any Error>.Iterator) {
      self.owner = owner
      self.values = values
    }

    /// Returns the next value, or nil after the end or if the task is canceled.
    ///
    /// - Throws: The `StreamFailure` that ended the stream, once.
    public mutating func next() async throws -> Output? { try await values.next() }
  }
}

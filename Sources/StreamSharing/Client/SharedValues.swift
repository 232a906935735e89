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
  private let output: String?
  private let inputs: [String: any StreamFeed]
  private let policy: BufferingPolicy

  init(
    _ owner: SharedStream, _ core: SharedStreamCore, _ output: String?, _ inputs: [String: any StreamFeed],
    _ policy: BufferingPolicy
  ) {
    self.output = output
    self.owner = owner
    self.core = core
    self.inputs = inputs
    self.policy = policy
  }

  public func makeAsyncIterator() -> Iterator {
    let queue = ValueQueue<Output>(policy)
    let reading = ValueReading<Output>(core.coding)
    let number = core.subscribe(inputs) { [output] value in
      do throws(StreamFailure) {
        if let value = output.map(value.ofOutput) ?? value { queue.put(try reading.read(value)) }
        return nil
      } catch {
        return error
      }
    } end: { completion in
      if case .failure(let failure) = completion { queue.end(failure) } else { queue.end() }
    }
    if number == nil { queue.end() }
    return Iterator(Reader(owner, core, number, queue))
  }

  public struct Iterator: AsyncIteratorProtocol {
    private let reader: Reader

    fileprivate init(_ reader: Reader) { self.reader = reader }

    /// Returns the next value, or nil after the end or if the task is canceled.
    ///
    /// - Throws: The `StreamFailure` that ended the stream, once.
    public mutating func next() async throws -> Output? { try await reader.next() }
  }

  /// Ends the subscription when the iterator goes.
  fileprivate final class Reader: Sendable {
    /// The shared stream lives as long as its iterators.
    private let owner: SharedStream
    private let core: SharedStreamCore
    /// The number of the subscription; nil if the stream was over.
    private let number: Int?
    private let queue: ValueQueue<Output>

    init(_ owner: SharedStream, _ core: SharedStreamCore, _ number: Int?, _ queue: ValueQueue<Output>) {
      self.owner = owner
      self.core = core
      self.number = number
      self.queue = queue
    }

    deinit { leave() }

    func next() async throws -> Output? { try await queue.next(cancel: { [self] in leave() }) }

    private func leave() { if let number { core.unsubscribe(number) } }
  }
}

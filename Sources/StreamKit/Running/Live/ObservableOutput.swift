public import Observation
public import StreamEngine

/// The newest value of a stream, which SwiftUI observes: a view that reads it is drawn again when it changes.
///
/// It awaits the values on the main actor until it is released, the stream ends, or `cancel` is called. SwiftUI
/// also observes a `StreamInput`.
///
/// ```swift
/// let isValid = ObservableOutput(stream.values(of: Bool.self, bufferingPolicy: .newest(1)))
/// ```
@MainActor @Observable public final class ObservableOutput<Output: Sendable> {
  /// The newest value; nil before the first one.
  public private(set) var value: Output?
  /// The failure that ended the stream; nil if it has none.
  public private(set) var failure: StreamFailure?
  /// Whether the stream has ended.
  public private(set) var isFinished = false
  @ObservationIgnored private var task: Task<Void, Never>?

  /// Subscribes to the values of a live, changing or shared stream.
  public init<Values: AsyncSequence & Sendable>(_ values: Values) where Values.Element == Output {
    // Values that are sent from now on are received.
    let iterator = values.makeAsyncIterator()
    task = Task { [weak self] in
      var iterator = iterator
      do {
        while let value = try await iterator.next(isolation: MainActor.shared) {
          guard let self else { return }
          self.value = value
        }
      } catch {
        self?.failure = error as? StreamFailure ?? StreamFailure(foreign: error, .streamFailed, "the stream failed")
      }
      self?.isFinished = true
    }
  }

  /// Ends the subscription.
  public func cancel() { task?.cancel() }

  deinit { task?.cancel() }
}

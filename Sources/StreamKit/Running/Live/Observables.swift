#if canImport(Observation)
internal import CEL
public import Observation
public import StreamCore
public import StreamEngine

/// An input of a stream that SwiftUI observes: a view that reads `value` is drawn again when it changes.
///
/// ```swift
/// let name = ObservableInput("")
/// let stream = try LiveStream(rules, inputs: ["name": name])
/// ```
///
/// In a view, `TextField("Name", text: $form.name.value)` with `@Bindable var form: Form`.
@Observable public final class ObservableInput<Content: Encodable & Sendable>: StreamFeed {
  @ObservationIgnored private let input: StreamInput<Content>

  /// - Parameters:
  ///   - content: The first value.
  ///   - coding: The coding of the content. Default `standard`.
  public init(_ content: Content, coding: ValueCoding = .standard) { input = StreamInput(content, coding: coding) }

  /// The current value. Setting it sends it, even if it is equal.
  public var value: Content {
    get {
      access(keyPath: \.value)
      return input.value
    }
    set { withMutation(keyPath: \.value) { input.value = newValue } }
  }

  /// Completes the inputs that it feeds.
  public func finish() { input.finish() }

  public var contentType: CELType { input.contentType }
  public func attach(_ receiver: any FeedReceiver, as number: Int) { input.attach(receiver, as: number) }
  public func detach(_ receiver: any FeedReceiver) { input.detach(receiver) }
}

/// The newest value of a stream, which SwiftUI observes: a view that reads it is drawn again when it changes.
///
/// It awaits the values on the main actor until it is released, the stream ends, or `cancel` is called.
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
  @ObservationIgnored private let task: TaskBox

  /// Subscribes to the values of a live, changing or shared stream.
  public init<Values: AsyncSequence & Sendable>(_ values: Values)
  where Values.Element == Output {
    let box = TaskBox()
    task = box
    // Values that are sent from now on are received.
    let iterator = values.makeAsyncIterator()
    box.task = Task { [weak self] in
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
  public func cancel() { task.cancel() }
}

/// Cancels a task when it is released.
@MainActor private final class TaskBox {
  var task: Task<Void, Never>?

  nonisolated init() {}

  func cancel() { task?.cancel() }

  isolated deinit { task?.cancel() }
}
#endif

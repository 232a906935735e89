public import Observation
public import StreamCore

/// A property whose values are sent to an input of a stream.
///
/// ```swift
/// /// A form whose text feeds streams.
/// final class NameForm {
///   @StreamInput var text = ""
///
///   func lengths(_ rules: StreamModel) -> StreamValues<Int> { rules.values(of: Int.self, inputs: ["text": $text]) }
/// }
/// ```
///
/// A subscription receives the current value first, then every new value, including one equal to the previous value. A
/// value set during a delivery is delivered afterward; a value set after the input has ended is not delivered.
///
/// An input is observable: a view of SwiftUI that reads the value, or binds a control to it, is updated by every change.
/// In an `@Observable` class an input is a constant, or has `@ObservationIgnored`.
///
/// - SeeAlso: `PassthroughInput`, which keeps no value.
@propertyWrapper
public final class StreamInput<Content: Encodable & Sendable>: InputFeed<Content>, @unchecked Sendable {
  /// Protected by the lock.
  private var content: Content
  /// Made by the first read, so that an input that is only set has none. Protected by the lock.
  private var registrar: ObservationRegistrar?

  /// Creates the input of a property: `@StreamInput(coding: dates) var start = Date.now`.
  ///
  /// - Parameters:
  ///   - wrappedValue: The first value.
  ///   - coding: The coding of the content. Default `standard`.
  public init(wrappedValue: Content, coding: ValueCoding = .standard) {
    content = wrappedValue
    super.init(coding)
  }

  /// Creates an input without a property wrapper.
  public convenience init(_ content: Content, coding: ValueCoding = .standard) {
    self.init(wrappedValue: content, coding: coding)
  }

  public var wrappedValue: Content {
    get {
      noteRead()
      return withLock { content }
    }
    set { send(newValue) }
  }

  /// The current value, as of a `CurrentValueSubject`: setting it sends it.
  public var value: Content {
    get { wrappedValue }
    set { wrappedValue = newValue }
  }

  /// The input itself, for passing it to a stream or observing it.
  public var projectedValue: StreamInput<Content> { self }

  override public func send(_ content: Content) {
    notingChange { tell(content) { self.content = content } }
  }

  override var current: Content? { content }
}

extension StreamInput: Observable {
  private func noteRead() {
    let used = withLock {
      let used = registrar ?? ObservationRegistrar()
      registrar = used
      return used
    }
    used.access(self, keyPath: \.value)
  }

  private func notingChange(_ change: () -> Void) {
    guard let used = withLock({ registrar }) else { return change() }
    used.withMutation(of: self, keyPath: \.value, change)
  }
}

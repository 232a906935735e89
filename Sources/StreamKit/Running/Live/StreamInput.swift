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
/// - SeeAlso: `PassthroughInput`, which keeps no value.
@propertyWrapper
public final class StreamInput<Content: Encodable & Sendable>: InputFeed<Content>, @unchecked Sendable {
  /// Protected by the lock.
  private var content: Content

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
    get { withLock { content } }
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
    tell(content) { self.content = content }
  }

  override var current: Content? { content }
}

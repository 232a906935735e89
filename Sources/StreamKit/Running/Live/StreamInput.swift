/// A value that an app changes and streams hear of: binds a property to an input of a stream file.
///
/// ```swift
/// final class NameForm {
///   @StreamInput var text = ""
///   lazy var isValid = model.publisher(of: Bool.self, inputs: ["text": $text])
/// }
/// ```
/// Every subscription is told the value that the property has at its beginning, then every new one, also one that equals
/// the one before. A value that is set while another is told comes after it; one that is set after the input has ended
/// is not told.
///
/// - SeeAlso: `PassthroughInput`, which keeps nothing.
@propertyWrapper
public final class StreamInput<Content: Encodable & Sendable>: InputFeed<Content>, @unchecked Sendable {
  /// Protected by the lock.
  private var content: Content

  public init(wrappedValue: Content) { content = wrappedValue }

  /// An input with this value, where no property is bound.
  public convenience init(_ content: Content) { self.init(wrappedValue: content) }

  public var wrappedValue: Content {
    get { withLock { content } }
    set { send(newValue) }
  }

  /// The input itself: what a stream is given, and what is observed.
  public var projectedValue: StreamInput<Content> { self }

  override public func send(_ content: Content) {
    tell(content) { self.content = content }
  }

  override var current: Content? { content }
}

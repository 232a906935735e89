public import CEL
internal import StreamCore
public import StreamEngine

/// The common base of `StreamInput` and `PassthroughInput`: typed content sent by an app.
///
/// ```swift
/// func connect<Content>(_ input: InputFeed<Content>, to label: Label) -> StreamToken {
///   input.observe { content in label.set("\(content)") }
/// }
/// ```
///
/// One thread at a time delivers content, in the order it was sent; content sent from within a delivery follows it.
/// While 1,024 values are waiting, the sender of another value waits too, unless a stream is calling it.
public class InputFeed<Content: Encodable & Sendable>: AnyInputFeed, @unchecked Sendable {  // see `AnyInputFeed`
  private let writing: ValueWriting<Content>

  init(_ coding: ValueCoding) { writing = ValueWriting(coding) }

  /// Sends content to all receivers. Content that cannot be encoded makes the input fail (`S414`).
  public func send(_ content: Content) { tell(content, keep: nil) }

  /// Calls a closure with everything that is sent, beginning with the current value if there is one, until the token is
  /// canceled or released. Content sent from within the closure is delivered after it has returned.
  ///
  /// - Parameters:
  ///   - closure: Called with each content, one at a time.
  ///   - end: Called at the end. Default: does nothing.
  public final func observe(
    with closure: @escaping @Sendable (Content) -> Void, end: @escaping @Sendable (Completion) -> Void = { _ in }
  ) -> StreamToken {
    let observer = Observer(tell: { if let content = $0 as? Content { closure(content) } }, end: end)
    add(observer) { current.map { .value(.null, $0) } }
    return StreamToken { [weak self] in
      observer.leave()
      self?.remove(observer)
    }
  }

  override public final var contentType: CELType { CELType(of: Content.self) }

  /// The newest content, if it is kept. Asked for under the lock.
  var current: Content? { nil }

  override final var currentValue: Result<Value, StreamFailure>? {
    current.map { content in
      Result { () throws(StreamFailure) in try writing.write(content) }
    }
  }

  /// - Parameter keep: done under the lock.
  final func tell(_ content: Content, keep: (() -> Void)?) {
    do throws(StreamFailure) {
      let value = try writing.write(content)
      if keep != nil || !sendDirectly(value) { send(value, keep: keep) { content } }
    } catch {
      if let keep { withLock(keep) }
      fail(error)
    }
  }
}

internal import StreamCore
public import StreamRuntime

/// What `StreamInput` and `PassthroughInput` have in common: content of one type that an app sends.
///
/// Content is told by one thread at a time, in the order in which it was sent; what is sent from within a delivery comes
/// after it. Where 1,024 values wait to be told, who sends one more waits too, unless a stream has called it.
public class InputFeed<Content: Encodable & Sendable>: AnyInputFeed, @unchecked Sendable {  // see `AnyInputFeed`
  /// Tells everybody who listens. Content that cannot be encoded makes the input fail (`S414`).
  public func send(_ content: Content) { tell(content, keep: nil) }

  /// Calls a closure with everything that is sent, and with the newest content first where it is kept, until the token
  /// is canceled or released. What is sent from within the closure comes after it has returned.
  ///
  /// - Parameter closure: receives the contents.
  /// - Parameter end: hears of the end. Default nobody.
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

  /// The newest content, if it is kept. Asked for under the lock.
  var current: Content? { nil }

  /// What cannot be encoded has made the input fail.
  override final var currentValue: Value? { current.flatMap { try? ValueWriting<Content>().write($0) } }

  /// - Parameter keep: done under the lock.
  final func tell(_ content: Content, keep: (() -> Void)?) {
    do throws(StreamFailure) {
      let value = try ValueWriting<Content>().write(content)
      if keep != nil || !sendDirectly(value) { send(value, keep: keep) { content } }
    } catch {
      if let keep { withLock(keep) }
      fail(error)
    }
  }
}

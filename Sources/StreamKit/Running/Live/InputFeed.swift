internal import StreamCore
public import StreamRuntime

/// What `StreamInput` and `PassthroughInput` have in common: content that an app sends, and who hears of it.
///
/// Content is told by one thread at a time, in the order in which it was sent; what is sent from within a delivery comes
/// after it. Where 1,024 values wait to be told, who sends one more waits too, unless a stream has called it.
public class InputFeed<Content: Encodable & Sendable>: StreamFeed, @unchecked Sendable {  // see `FeedCore`
  final let core = FeedCore()

  init() {}

  /// Whether it has ended: nothing that is sent is told any more.
  public final var isEnded: Bool { core.isEnded }

  /// Tells everybody who listens. Content that cannot be encoded makes the input fail (`S414`).
  public func send(_ content: Content) { tell(content) {} }

  /// Ends what the streams hear.
  public final func finish() { core.end(.finished) }

  /// Makes the streams' inputs fail.
  public final func fail(_ failure: StreamFailure) { core.end(.failure(failure)) }

  /// Calls a closure with everything that is sent, and with the newest content first where it is kept, until the token
  /// is cancelled or released. What is sent from within the closure comes after it has returned.
  ///
  /// - Parameter end: hears of the end. Default nobody.
  public final func observe(
    with closure: @escaping @Sendable (Content) -> Void, end: @escaping @Sendable (Completion) -> Void = { _ in }
  ) -> StreamToken {
    let observer = Observer(tell: { if let content = $0 as? Content { closure(content) } }, end: end)
    core.add(observer) { current.map { .value(.null, $0) } }
    return StreamToken { [weak core] in
      observer.leave()
      core?.remove(observer)
    }
  }

  public final func attach(_ receiver: any FeedReceiver, as number: Int) {
    core.add(receiver, as: number) {
      // What cannot be encoded has made the input fail.
      current.flatMap { try? ValueWriting<Content>().write($0) }
    }
  }

  public final func detach(_ receiver: any FeedReceiver) { core.remove(receiver) }

  /// The newest content, if it is kept. Asked for under the core's lock.
  var current: Content? { nil }

  /// - Parameter keep: done under the core's lock.
  final func tell(_ content: Content, keep: () -> Void) {
    do throws(StreamFailure) {
      core.send(try ValueWriting<Content>().write(content), keep: keep) { content }
    } catch {
      core.withLock(keep)
      core.end(.failure(error))
    }
  }
}

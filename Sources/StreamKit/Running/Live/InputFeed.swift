internal import DequeModule
internal import StreamCore
public import StreamRuntime
internal import Synchronization

/// What `StreamInput` and `PassthroughInput` have in common: content that an app sends, and who hears of it.
///
/// What is sent is told by one thread at a time, in the order in which it was sent: whoever sends while another thread
/// tells, or from within a delivery, leaves it to that one, and waits only where too much is left already. Nobody's code
/// is called under the lock.
public class InputFeed<Content: Encodable & Sendable>: StreamFeed, @unchecked Sendable {  // all it has is `state`
  private let state: Mutex<State>

  fileprivate struct State {
    /// The newest, where new listeners are told it.
    var current: Content?
    var completion: Completion?
    /// In the order in which they came.
    var listeners: [Listener] = []
    /// What is to be told when the thread that tells has done.
    var waiting: Deque<Event> = []
    var isTelling = false
    /// Opens when less waits again.
    var relief: Latch?
  }

  fileprivate enum Listener {
    case stream(any FeedReceiver, Int)
    case closure(ObserverKey, @Sendable (Content) -> Void, end: @Sendable (Completion) -> Void)

    func isOf(_ other: AnyObject) -> Bool {
      switch self {
      case .stream(let receiver, _): receiver === other
      case .closure(let key, _, _): key === other
      }
    }
  }

  fileprivate enum Event {
    case content(Content, [Listener])
    case completion(Completion, [Listener])
  }

  init(current: Content?) { state = Mutex(State(current: current)) }

  /// Whether it has ended: nothing that is sent is told any more.
  public final var isEnded: Bool { state.withLock { $0.completion != nil } }

  /// The newest content, if it is kept.
  final var current: Content? { state.withLock(\.current) }

  /// Tells everybody who listens.
  public func send(_ content: Content) {
    let turn = state.withLock { state -> Turn in
      if state.current != nil { state.current = content }
      guard state.completion == nil else { return .none }
      return state.take(.content(content, state.listeners))
    }
    carryOut(turn)
  }

  /// Ends what the streams hear.
  public final func finish() { end(.finished) }

  /// Makes the streams' inputs fail.
  public final func fail(_ failure: StreamFailure) { end(.failure(failure)) }

  private func end(_ completion: Completion) {
    let turn = state.withLock { state -> Turn in
      guard state.completion == nil else { return .none }
      state.completion = completion
      return state.take(.completion(completion, state.listeners))
    }
    carryOut(turn)
  }

  /// Calls a closure with everything that is sent, and with the newest content first where it is kept, until the token
  /// is cancelled or released. What is sent from within the closure comes after it has returned.
  ///
  /// - Parameter end: hears of the end. Default nobody.
  public final func observe(
    with closure: @escaping @Sendable (Content) -> Void, end: @escaping @Sendable (Completion) -> Void = { _ in }
  ) -> StreamToken {
    let key = ObserverKey()
    let listener = Listener.closure(key, closure, end: end)
    let turns = state.withLock { state -> [Turn] in
      state.listeners.append(listener)
      let current = state.current.map { state.take(.content($0, [listener])) }
      let completion = state.completion.map { state.take(.completion($0, [listener])) }
      return [current, completion].compactMap(\.self)
    }
    for turn in turns { carryOut(turn) }
    return StreamToken { [weak self] in self?.remove(key) }
  }

  public final func attach(_ receiver: any FeedReceiver, as number: Int) {
    state.withLock { state in
      state.listeners.append(.stream(receiver, number))
      // NB: under the lock, so that nothing newer comes first. A receiver that joins is at work, and takes it as mail.
      if let current = state.current { Self.tell(current, receiver, number) }
      if let completion = state.completion { receiver.receive(completion, on: number) }
    }
  }

  public final func detach(_ receiver: any FeedReceiver) { remove(receiver) }

  private func remove(_ listener: AnyObject) {
    state.withLock { state in state.listeners.removeAll { $0.isOf(listener) } }
  }

  // MARK: Telling

  /// What somebody who sends has to do.
  fileprivate enum Turn {
    /// Nothing: another tells it, or there is nothing to tell.
    case none
    /// Tell it, and what else there will be.
    case tell(Event)
    /// Wait until less is left to be told.
    case wait(Latch)
  }

  private func carryOut(_ turn: Turn) {
    switch turn {
    case .none: break
    case .tell(let event): tell(event)
    case .wait(let latch): latch.wait()
    }
  }

  private func tell(_ first: Event) {
    var event = first
    while true {
      switch event {
      case .content(let content, let listeners):
        for listener in listeners { tell(content, listener) }
      case .completion(let completion, let listeners):
        for listener in listeners { tell(completion, listener) }
      }
      guard let next = state.withLock({ $0.next() }) else { return }
      event = next
    }
  }

  private func tell(_ content: Content, _ listener: Listener) {
    switch listener {
    case .stream(let receiver, let number): Self.tell(content, receiver, number)
    case .closure(let key, let closure, _): if isListening(key) { closure(content) }
    }
  }

  private func tell(_ completion: Completion, _ listener: Listener) {
    switch listener {
    case .stream(let receiver, let number): receiver.receive(completion, on: number)
    case .closure(let key, _, let end): if isListening(key) { end(completion) }
    }
  }

  /// Whether an observer has not been cancelled since something was to be told.
  private func isListening(_ key: ObserverKey) -> Bool {
    state.withLock { state in state.listeners.contains { $0.isOf(key) } }
  }

  private static func tell(_ content: Content, _ receiver: any FeedReceiver, _ number: Int) {
    do throws(StreamFailure) {
      receiver.receive(try ValueWriting<Content>().write(content), on: number)
    } catch {
      receiver.receive(.failure(error), on: number)
    }
  }
}

extension InputFeed.State {
  /// How much waits at most before those who send wait too.
  private static var limit: Int { 1_024 }

  /// Takes something to be told; says what the caller has to do for it. Who is called by a stream never waits.
  fileprivate mutating func take(_ event: InputFeed.Event) -> InputFeed.Turn {
    guard isTelling else {
      isTelling = true
      return .tell(event)
    }
    waiting.append(event)
    guard waiting.count >= Self.limit, DeliveryDepth.current == 0 else { return .none }
    let latch = relief ?? Latch()
    relief = latch
    return .wait(latch)
  }

  /// What is to be told next; nil ends the telling.
  fileprivate mutating func next() -> InputFeed.Event? {
    let event = waiting.popFirst()
    if event == nil { isTelling = false }
    if let latch = relief, waiting.count <= Self.limit / 2 {
      latch.open()
      relief = nil
    }
    return event
  }
}

/// Tells one observer from the others.
private final class ObserverKey: Sendable {}

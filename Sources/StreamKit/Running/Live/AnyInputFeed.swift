public import CEL
internal import DequeModule
internal import StreamCore
public import StreamEngine

/// The untyped base of inputs: sends values to the streams and observers that listen.
///
/// ```swift
/// let inputs: [AnyInputFeed] = [StreamInput("Ada"), PassthroughInput<Int>()]
/// for input in inputs { input.finish() }
/// ```
///
/// One thread at a time delivers values, in the order they were sent. A sender on another thread, or within a delivery,
/// enqueues its value for that thread and waits only if the queue is full. No foreign code is called under the lock.
///
/// It handles values instead of the app's types, because code that is not specialized for a type is slow.
///
/// NB: Exclusivity is not checked here: `lock` serializes all accesses.
public class AnyInputFeed: StreamFeed, @unchecked Sendable {  // `lock` protects what is `var`
  private let lock = Lock()
  @exclusivity(unchecked) private var isTelling = false
  /// The number by which `only` identifies the feed.
  @exclusivity(unchecked) private var onlyNumber: Int32 = 0
  /// The single listening stream, which is the common case; used instead of `listeners`, and delivered to directly.
  @exclusivity(unchecked) private var only: LiveExecution?
  @exclusivity(unchecked) private var coldState: ColdState?

  /// Rarely needed state, kept separately so that most feeds stay small.
  private final class ColdState {
    @exclusivity(unchecked) var listeners = FeedListeners()
    /// Events to deliver after the current one.
    @exclusivity(unchecked) var waiting: Deque<Event> = []
    @exclusivity(unchecked) var completion: Completion?
    /// Opens when less waits again.
    @exclusivity(unchecked) var relief: Latch?
    /// Whether the thread that delivers has done its turn, so that the next sender takes over.
    @exclusivity(unchecked) var wantsRelief = false
    /// Opens when its thread takes over the delivery.
    @exclusivity(unchecked) var successor: Latch?
  }

  private func ensureColdState() -> ColdState {
    if let coldState { return coldState }
    let made = ColdState()
    coldState = made
    return made
  }

  private var completion: Completion? { coldState?.completion }

  /// Maximum number of queued events before senders wait.
  private static let limit = 1_024

  /// Something that happened, in the forms that listeners want.
  enum Told {
    /// The value for streams and the content for observers; nil if there were no observers.
    case value(Value, (any Sendable)?)
    case completion(Completion)
  }

  private struct Event {
    let content: Told
    let listeners: [FeedListener?]
  }

  /// The action required of a sender.
  private enum Turn {
    /// Nothing: another thread delivers the event, or there is none.
    case none
    /// Deliver it, and the events queued in the meantime.
    case tell(Event)
    /// Wait until the queue is shorter.
    case wait(Latch)
    /// Wait, and then deliver the queued events.
    case takeOver(Latch)
  }

  init() {}

  public var contentType: CELType { .dyn }

  /// Whether the feed has ended. Later values are ignored.
  public final var isEnded: Bool { lock.withLock { completion != nil } }

  /// Finishes the inputs that the feed feeds.
  public final func finish() { end(.finished) }

  /// Fails the inputs that the feed feeds.
  public final func fail(_ failure: StreamFailure) { end(.failure(failure)) }

  public final func attach(_ receiver: any FeedReceiver, as number: Int) {
    lock.withLock {
      join(.stream(receiver, number))
      // NB: Under the lock, so that no newer event comes first. A joining receiver is active, and enqueues it as mail.
      switch currentValue {
      case .success(let value): receiver.receive(value, on: number)
      case .failure(let failure): receiver.receive(.failure(failure), on: number)
      case nil: break
      }
      if let completion { receiver.receive(completion, on: number) }
    }
  }

  public final func detach(_ receiver: any FeedReceiver) { remove(receiver) }

  /// The newest value, if it is kept, or the failure of content that cannot be encoded. Read under the lock.
  var currentValue: Result<Value, StreamFailure>? { nil }

  /// Performs an action under the lock, so that changes and deliveries have the same order for all listeners.
  final func withLock<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }

  /// Delivers directly to the single listening stream, if there is one and no delivery is in progress; the stream keeps
  /// the order of values sent during its work. For values that are not kept. Returns false if the full path is needed.
  final func sendDirectly(_ value: Value) -> Bool {
    lock.lock()
    guard let only, !isTelling, coldState?.completion == nil else {
      lock.unlock()
      return false
    }
    let number = Int(onlyNumber)
    lock.unlock()
    only.receive(value, on: number)
    return true
  }

  /// Sends to all listeners.
  ///
  /// - Parameters:
  ///   - keep: Performed under the lock.
  ///   - content: The content for observers; created only if there are some.
  final func send(_ value: Value, keep: (() -> Void)? = nil, content: () -> any Sendable) {
    lock.lock()
    keep?()
    guard completion == nil else { return lock.unlock() }
    if let only, !isTelling {
      isTelling = true
      let number = Int(onlyNumber)
      lock.unlock()
      only.receive(value, on: number)
      return tellRest()
    }
    let everybody = allListeners
    guard !everybody.isEmpty else { return lock.unlock() }
    let hasObservers = everybody.contains { if case .observer? = $0 { true } else { false } }
    let turn = take(Event(content: .value(value, hasObservers ? content() : nil), listeners: everybody))
    lock.unlock()
    carryOut(turn)
  }

  final func end(_ completion: Completion) {
    let turn = lock.withLock { () -> Turn in
      guard self.completion == nil else { return .none }
      ensureColdState().completion = completion
      return take(Event(content: .completion(completion), listeners: allListeners))
    }
    carryOut(turn)
  }

  /// - Parameter current: The first event for the observer, if any, delivered under the lock.
  final func add(_ observer: Observer, current: () -> Told?) {
    let turns = lock.withLock { () -> [Turn] in
      let listener = FeedListener.observer(observer)
      join(listener)
      let contents = [current(), completion.map(Told.completion)].compactMap(\.self)
      return contents.map { take(Event(content: $0, listeners: [listener])) }
    }
    for turn in turns { carryOut(turn) }
  }

  final func remove(_ listener: AnyObject) {
    // NB: Released outside the lock: a listener's deinitializer may run any code.
    let gone = lock.withLock { () -> [FeedListener] in
      if let only, only === listener {
        defer { self.only = nil }
        return [.stream(only, Int(onlyNumber))]
      }
      let gone = coldState?.listeners.remove(listener) ?? []
      if let last = coldState?.listeners.only, deliverDirectly(to: last) { coldState?.listeners.removeAll() }
      return gone
    }
    _ = gone
  }

  /// Under the lock.
  private func join(_ listener: FeedListener) {
    if only == nil, coldState?.listeners.count ?? 0 == 0, deliverDirectly(to: listener) { return }
    let coldState = ensureColdState()
    if let only {
      coldState.listeners.add(.stream(only, Int(onlyNumber)))
      self.only = nil
    }
    coldState.listeners.add(listener)
  }

  /// Delivers to a listener directly from now on, as to the only one. Returns false if it is not a live stream.
  private func deliverDirectly(to listener: FeedListener) -> Bool {
    guard case .stream(let receiver as LiveExecution, let number) = listener else { return false }
    only = receiver
    onlyNumber = Int32(truncatingIfNeeded: number)
    return true
  }

  /// All listeners in the order they were added; nil for those that have been removed.
  private var allListeners: [FeedListener?] {
    if let only { [.stream(only, Int(onlyNumber))] } else { coldState?.listeners.all ?? [] }
  }

  // MARK: Telling

  /// Enqueues an event and returns the action required of the caller. A caller within a delivery never waits.
  private func take(_ event: Event) -> Turn {
    guard isTelling else {
      isTelling = true
      return .tell(event)
    }
    let coldState = ensureColdState()
    coldState.waiting.append(event)
    if coldState.wantsRelief, coldState.successor == nil, DeliveryDepth.current == 0 {
      let latch = Latch()
      coldState.successor = latch
      return .takeOver(latch)
    }
    guard coldState.waiting.count >= Self.limit, DeliveryDepth.current == 0 else { return .none }
    let latch = coldState.relief ?? Latch()
    coldState.relief = latch
    return .wait(latch)
  }

  private func carryOut(_ turn: Turn) {
    switch turn {
    case .none: break
    case .wait(let latch): latch.wait()
    case .takeOver(let latch):
      latch.wait()
      tellRest()
    case .tell(let first):
      tell(first)
      tellRest()
    }
  }

  /// Delivers the queued events until none is left, or another thread takes over.
  private func tellRest() {
    var turn = WorkTurn()
    while let event = next(isTurnOver: turn.isOver()) { tell(event) }
  }

  /// Returns the next queued event; nil if none is left, or another thread delivers it.
  private func next(isTurnOver: Bool) -> Event? {
    lock.withLock {
      if let coldState, let successor = coldState.successor {
        coldState.successor = nil
        coldState.wantsRelief = false
        successor.open()
        return nil
      }
      if isTurnOver { coldState?.wantsRelief = true }
      guard let coldState, let event = coldState.waiting.popFirst() else {
        isTelling = false
        coldState?.wantsRelief = false
        return nil
      }
      if let latch = coldState.relief, coldState.waiting.count <= Self.limit / 2 {
        latch.open()
        coldState.relief = nil
      }
      return event
    }
  }

  private func tell(_ event: Event) {
    for case let listener? in event.listeners {
      switch (listener, event.content) {
      case (.stream(let receiver, let number), .value(let value, _)): receiver.receive(value, on: number)
      case (.stream(let receiver, let number), .completion(let end)): receiver.receive(end, on: number)
      case (.observer(let observer), .value(_, let content)): if let content { tell(observer) { $0.tell(content) } }
      case (.observer(let observer), .completion(let end)): tell(observer) { $0.end(end) }
      }
    }
  }

  /// Calls an observer. It may send more values than wait at most, since it is within a delivery.
  private func tell(_ observer: Observer, _ call: (Observer) -> Void) {
    if observer.isGone { return }
    DeliveryDepth.enter()
    defer { DeliveryDepth.leave() }
    call(observer)
  }
}

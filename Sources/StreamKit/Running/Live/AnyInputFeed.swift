internal import DequeModule
internal import StreamCore
public import StreamRuntime

/// What an app tells streams, whatever its content: who hears of it, and what they have still to be told.
///
/// What is sent is told by one thread at a time, in the order in which it was sent: whoever sends while another thread
/// tells, or from within a delivery, leaves it to that one, and waits only where too much is left already. Nobody's code
/// is called under the lock.
///
/// Knows values, not the types that an app works with: code that is not specialised for a type is slow.
///
/// NB: no check of exclusivity here: `lock` is what keeps accesses apart.
public class AnyInputFeed: StreamFeed, @unchecked Sendable {  // `lock` protects what is `var`
  private let lock = Lock()
  @exclusivity(unchecked) private var isTelling = false
  /// What `only` knows it by.
  @exclusivity(unchecked) private var onlyNumber: Int32 = 0
  /// The stream that is the only listener, as most are, in place of `listeners`: it is told without further ado.
  @exclusivity(unchecked) private var only: LiveExecution?
  @exclusivity(unchecked) private var aside: ColdStorage?

  /// What few feeds need, beside it so that the others are light.
  private final class ColdStorage {
    /// In the order in which they came.
    @exclusivity(unchecked) var listeners: [Listener] = []
    /// What is to be told when the thread that tells has done.
    @exclusivity(unchecked) var waiting: Deque<Event> = []
    @exclusivity(unchecked) var completion: Completion?
    /// Opens when less waits again.
    @exclusivity(unchecked) var relief: Latch?
  }

  private var coldState: ColdStorage {
    if let aside { return aside }
    let made = ColdStorage()
    aside = made
    return made
  }

  private var completion: Completion? { aside?.completion }

  /// How much waits at most before those who send wait too.
  private static let limit = 1_024

  /// Who hears.
  private enum Listener {
    case stream(any FeedReceiver, Int)
    case observer(Observer)

    func isOf(_ other: AnyObject) -> Bool {
      switch self {
      case .stream(let receiver, _): receiver === other
      case .observer(let observer): observer === other
      }
    }
  }

  /// Something that happened, in the forms that listeners want.
  enum Told {
    /// What streams hear, and what observers do: nil where there were none.
    case value(Value, (any Sendable)?)
    case completion(Completion)
  }

  private struct Event {
    let content: Told
    let listeners: [Listener]
  }

  /// What somebody who sends has to do.
  private enum Turn {
    /// Nothing: another tells it, or there is nothing to tell.
    case none
    /// Tell it, and what else there will be.
    case tell(Event)
    /// Wait until less is left to be told.
    case wait(Latch)
  }

  init() {}

  /// Whether the feed has ended. Later values are ignored.
  public final var isEnded: Bool { lock.withLock { completion != nil } }

  /// Finishes the inputs that the feed feeds.
  public final func finish() { end(.finished) }

  /// Fails the inputs that the feed feeds.
  public final func fail(_ failure: StreamFailure) { end(.failure(failure)) }

  public final func attach(_ receiver: any FeedReceiver, as number: Int) {
    lock.withLock {
      join(.stream(receiver, number))
      // NB: under the lock, so that nothing newer comes first. A receiver that joins is at work, and takes it as mail.
      if let value = currentValue { receiver.receive(value, on: number) }
      if let completion { receiver.receive(completion, on: number) }
    }
  }

  public final func detach(_ receiver: any FeedReceiver) { remove(receiver) }

  /// The newest, if it is kept. Asked for under the lock.
  var currentValue: Value? { nil }

  /// Does something under the lock: what it changes and what is told are in the same order for everybody.
  final func withLock<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }

  /// Tells the stream that is the only listener, if there is one and nothing else is being told: it keeps the order of
  /// what comes while it is at work. For values that nobody keeps; false where it has to be told the long way.
  final func sendDirectly(_ value: Value) -> Bool {
    lock.lock()
    guard let only, !isTelling, aside?.completion == nil else {
      lock.unlock()
      return false
    }
    let number = Int(onlyNumber)
    lock.unlock()
    only.receive(value, on: number)
    return true
  }

  /// Tells everybody.
  ///
  /// - Parameters:
  ///   - keep: done under the lock.
  ///   - content: what observers hear; made only where there are some.
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
    let hasObservers = everybody.contains { if case .observer = $0 { true } else { false } }
    let turn = take(Event(content: .value(value, hasObservers ? content() : nil), listeners: everybody))
    lock.unlock()
    carryOut(turn)
  }

  final func end(_ completion: Completion) {
    let turn = lock.withLock { () -> Turn in
      guard self.completion == nil else { return .none }
      coldState.completion = completion
      return take(Event(content: .completion(completion), listeners: allListeners))
    }
    carryOut(turn)
  }

  /// - Parameter current: what the observer hears first, if anything, told under the lock.
  final func add(_ observer: Observer, current: () -> Told?) {
    let turns = lock.withLock { () -> [Turn] in
      let listener = Listener.observer(observer)
      join(listener)
      let contents = [current(), completion.map(Told.completion)].compactMap(\.self)
      return contents.map { take(Event(content: $0, listeners: [listener])) }
    }
    for turn in turns { carryOut(turn) }
  }

  final func remove(_ listener: AnyObject) {
    // NB: let go outside of the lock: what goes with a listener may be anybody's.
    let gone = lock.withLock {
      let everybody = allListeners
      setListeners(everybody.filter { !$0.isOf(listener) })
      return everybody
    }
    _ = gone
  }

  /// Under the lock.
  private func join(_ listener: Listener) { setListeners(allListeners + [listener]) }

  private func setListeners(_ listeners: [Listener]) {
    only = nil
    if listeners.count == 1, case .stream(let receiver as LiveExecution, let number) = listeners[0] {
      only = receiver
      onlyNumber = Int32(truncatingIfNeeded: number)
      aside?.listeners = []
    } else if aside != nil || !listeners.isEmpty {
      coldState.listeners = listeners
    }
  }

  /// In the order in which they came.
  private var allListeners: [Listener] {
    if let only { [.stream(only, Int(onlyNumber))] } else { aside?.listeners ?? [] }
  }

  // MARK: Telling

  /// Takes something to be told; says what the caller has to do for it. Who is called by a stream never waits.
  private func take(_ event: Event) -> Turn {
    guard isTelling else {
      isTelling = true
      return .tell(event)
    }
    let aside = coldState
    aside.waiting.append(event)
    guard aside.waiting.count >= Self.limit, DeliveryDepth.current == 0 else { return .none }
    let latch = aside.relief ?? Latch()
    aside.relief = latch
    return .wait(latch)
  }

  private func carryOut(_ turn: Turn) {
    switch turn {
    case .none: break
    case .wait(let latch): latch.wait()
    case .tell(let first):
      tell(first)
      tellRest()
    }
  }

  /// Tells what has been sent meanwhile, and ends the telling.
  private func tellRest() {
    while let event = next() { tell(event) }
  }

  /// What is to be told next; nil ends the telling.
  private func next() -> Event? {
    lock.withLock {
      guard let aside, let event = aside.waiting.popFirst() else {
        isTelling = false
        return nil
      }
      if let latch = aside.relief, aside.waiting.count <= Self.limit / 2 {
        latch.open()
        aside.relief = nil
      }
      return event
    }
  }

  private func tell(_ event: Event) {
    for listener in event.listeners {
      switch (listener, event.content) {
      case (.stream(let receiver, let number), .value(let value, _)): receiver.receive(value, on: number)
      case (.stream(let receiver, let number), .completion(let end)): receiver.receive(end, on: number)
      case (.observer(let observer), .value(_, let content)):
        if let content, !observer.isGone { observer.tell(content) }
      case (.observer(let observer), .completion(let end)): if !observer.isGone { observer.end(end) }
      }
    }
  }
}

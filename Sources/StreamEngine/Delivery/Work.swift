internal import StreamCore

/// An item of work. It is moved, never copied: a copy would cost reference counting.
struct Work: ~Copyable {
  enum Kind: UInt8, Codable {
    case publish, finish, fail, subscribe, request, cancel, resume, start, demand, fire, input
    case subscribeInner, feed, endFeed, call, note, skip

    /// Whether it is a signal that a stage sends downstream.
    var isSaid: Bool { self == .publish || self == .finish || self == .fail }
  }

  var value: Value
  let kind: Kind
  private let place: Int32
  /// The stage of the work. For `publish`, `finish` and `fail`, the sender, not the receiver.
  unowned(unsafe) var stage: Stage
  /// The upstream index for subscriptions, the demand for requests.
  private let count: Int
  var failure: StreamFailure?

  /// The number of a port or a timer.
  var number: Int { Int(place) }

  /// For `subscribe` and `subscribeInner`: the index among the node's upstreams.
  var upstream: Int { kind == .subscribe || kind == .subscribeInner ? count : 0 }

  /// For `request` and `demand`: the demand.
  var demand: Demand { kind == .request || kind == .demand ? Demand(count) : .none }

  init(
    _ kind: Kind, _ stage: Stage, number: Int = 0, upstream: Int = 0, demand: Demand = .none, value: Value = .null,
    failure: StreamFailure? = nil
  ) {
    self.kind = kind
    self.stage = stage
    place = Int32(truncatingIfNeeded: number)
    count = kind == .request || kind == .demand ? demand.count : upstream
    self.value = value
    self.failure = failure
  }
}

/// The work stack, with the next item on top: delivery is depth first without recursion, so a pipeline may have any
/// length.
///
/// Items are moved into and out of manually allocated memory: an array would copy each item.
struct WorkStack: ~Copyable {
  /// NB: Unallocated until there is work, and again after the stack is empty for the first time: most executions then
  /// wait for values that bypass the stack.
  private var base: UnsafeMutablePointer<Work>
  private var size: Int32 = 0
  private var capacity: Int32 = 0

  init() { base = UnsafeMutablePointer(bitPattern: MemoryLayout<Work>.alignment).unsafelyUnwrapped }

  deinit {
    base.deinitialize(count: count)
    if capacity > 0 { base.deallocate() }
  }

  /// Number of items.
  private(set) var count: Int {
    get { Int(size) }
    set { size = Int32(truncatingIfNeeded: newValue) }
  }

  /// Deallocates the memory of an empty stack. Returns whether there was memory to deallocate.
  mutating func rest() -> Bool {
    guard count == 0, capacity > 0 else { return false }
    base.deallocate()
    capacity = 0
    return true
  }

  /// Calls `body` with each item, from the bottom to the top.
  func forEach<Failure: Error>(_ body: (borrowing Work) throws(Failure) -> Void) throws(Failure) {
    for index in 0..<count { try body(base[index]) }
  }

  mutating func push(_ work: consuming Work) {
    if size == capacity { grow() }
    (base + count).initialize(to: work)
    count += 1
  }

  /// Removes and returns the top item. The stack must not be empty.
  mutating func pop() -> Work {
    precondition(count > 0, "work is taken off only where there is some")
    count -= 1
    return (base + count).move()
  }

  /// Removes and returns the value that a stage has published, if that is the only item pushed since the stack had
  /// `mark` items; nil otherwise.
  @inline(__always)
  mutating func takePublication(of stage: Stage, since mark: Int) -> Value? {
    guard count == mark + 1, base[mark].kind == .publish, base[mark].stage === stage else { return nil }
    count = mark
    return (base + mark).move().value
  }

  /// Whether the top item starts this stage.
  func isAboutToStart(_ stage: Stage) -> Bool {
    count > 0 && base[count - 1].kind == .start && base[count - 1].stage === stage
  }

  /// Whether the top item requests values of this stage, or of one downstream that forwards the request at once: one
  /// that has not subscribed to another stream before, or a shared stream that this subscriber has connected.
  func isAboutToRequest(_ stage: Stage) -> Bool {
    guard count > 0 else { return false }
    let kind = base[count - 1].kind
    let requested = base[count - 1].stage
    let port = base[count - 1].number
    var stage = stage
    while true {
      if kind == .demand, requested === stage { return true }
      guard let downstream = stage.downstream ?? stage.connector else { return false }
      if downstream.isProbe {
        stage = downstream
        continue
      }
      if kind == .request, requested === downstream { return port == stage.port }
      guard stage.port == 0 || downstream.upstream(on: 0) == nil else { return false }
      stage = downstream
    }
  }

  /// Reverses the items pushed since the stack had `mark` items, so that the first one pushed is on top.
  mutating func arrange(since mark: Int) {
    guard count - mark > 1 else { return }
    var (low, high) = (base + mark, base + count - 1)
    while low < high {
      let work = low.move()
      low.moveInitialize(from: high, count: 1)
      high.initialize(to: work)
      low += 1
      high -= 1
    }
  }

  /// Discards the items pushed since the stack had `mark` items.
  mutating func truncate(to mark: Int) {
    guard count > mark else { return }
    for index in mark..<count where base[index].kind.isSaid { base[index].stage.unheardCount -= 1 }
    (base + mark).deinitialize(count: count - mark)
    count = mark
  }

  mutating func removeAll() {
    base.deinitialize(count: count)
    count = 0
  }

  private mutating func grow() {
    let room = max(count * 2, 8)
    let larger = UnsafeMutablePointer<Work>.allocate(capacity: room)
    larger.moveInitialize(from: base, count: count)
    if capacity > 0 { base.deallocate() }
    base = larger
    capacity = Int32(room)
  }
}

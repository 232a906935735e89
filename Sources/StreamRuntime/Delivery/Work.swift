internal import StreamCore

/// One thing that is to be done next. Moved, never copied: a copy would count references for nothing.
struct Work: ~Copyable {
  enum Kind: UInt8, Codable {
    case publish, finish, fail, subscribe, request, cancel, resume, start, demand, fire, input
    case subscribeInner, feed, endFeed, call, note, skip

    /// Whether it is something that a stage says.
    var isSaid: Bool { self == .publish || self == .finish || self == .fail }
  }

  var value: Value
  let kind: Kind
  private let place: Int32
  /// Whose work it is. For `publish`, `finish` and `fail` the stage that speaks, not the one that hears.
  unowned(unsafe) var stage: Stage
  /// Of what subscribes which of the node's upstreams, of what asks how much.
  private let count: Int
  var failure: StreamFailure?

  /// A port, or a timer.
  var number: Int { Int(place) }

  /// Of `subscribe` and `subscribeInner`: which of the node's upstreams.
  var upstream: Int { kind == .subscribe || kind == .subscribeInner ? count : 0 }

  /// Of `request` and `demand`: how much.
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

/// What is to be done, the next on top: delivery is depth first without recursion, so a pipeline may be of any length.
///
/// Memory of its own, into which work is moved and out of which it is moved: an array costs a copy for each piece of
/// work.
struct WorkStack: ~Copyable {
  /// NB: of no memory at all until there is work, and again after the first time that all is done: most executions then
  /// wait for values that go straight on.
  private var base: UnsafeMutablePointer<Work>
  private var size: Int32 = 0
  private var capacity: Int32 = 0

  init() { base = UnsafeMutablePointer(bitPattern: MemoryLayout<Work>.alignment).unsafelyUnwrapped }

  deinit {
    base.deinitialize(count: count)
    if capacity > 0 { base.deallocate() }
  }

  /// How much there is.
  private(set) var count: Int {
    get { Int(size) }
    set { size = Int32(truncatingIfNeeded: newValue) }
  }

  /// Gives memory back, if there is any and nothing is to be done; says whether that is so.
  mutating func rest() -> Bool {
    guard count == 0, capacity > 0 else { return false }
    base.deallocate()
    capacity = 0
    return true
  }

  /// Looks at what is to be done, from the bottom to the top.
  func forEach<Failure: Error>(_ body: (borrowing Work) throws(Failure) -> Void) throws(Failure) {
    for index in 0..<count { try body(base[index]) }
  }

  mutating func push(_ work: consuming Work) {
    if size == capacity { grow() }
    (base + count).initialize(to: work)
    count += 1
  }

  /// Takes the next off; there must be one.
  mutating func pop() -> Work {
    precondition(count > 0, "work is taken off only where there is some")
    count -= 1
    return (base + count).move()
  }

  /// Takes back what a stage has said, where that is one value, and all that was pushed since the stack had `mark` items.
  @inline(__always)
  mutating func takePublication(of stage: Stage, since mark: Int) -> Value? {
    guard count == mark + 1, base[mark].kind == .publish, base[mark].stage === stage else { return nil }
    count = mark
    return (base + mark).move().value
  }

  /// The stage that goes on, where that is all there is to do.
  var onlyResumed: Stage? { count == 1 && base[0].kind == .resume ? base[0].stage : nil }

  /// Whether what is done next is the start of this stage.
  func isAboutToStart(_ stage: Stage) -> Bool {
    count > 0 && base[count - 1].kind == .start && base[count - 1].stage === stage
  }

  /// Whether all that is to be done is to start this stage, and then to ask it for everything.
  func startsForEverything(_ stage: Stage) -> Bool {
    count == 2 && isAboutToStart(stage) && base[0].kind == .demand && base[0].stage === stage
      && base[0].demand.isUnlimited
  }

  /// Turns round what was pushed since the stack had `mark` items, so that the first said is the first done.
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

  /// Takes back what was pushed since the stack had `mark` items.
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

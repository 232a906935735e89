internal import HeapModule

/// The timers of an execution, by deadline, then by ticket.
///
/// A timer that is set for later than its entry in the queue (each value restarts `debounce`; `delay` continues with
/// the next waiting value) keeps the entry unchanged; the entry is moved when its deadline comes. So a timer gets
/// another entry only if it is set for earlier, however often it is set.
struct Timers {
  /// The entry of a timer in the queue.
  private struct Entry: Comparable {
    let deadline: StreamTime
    let ticket: Int64
    let place: Int32
    /// Generation counter of the timer: an entry is stale unless it has the timer's current generation.
    let generation: UInt32

    static let none = Entry(deadline: .distantFuture, ticket: .max, place: -1, generation: 0)

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.deadline != rhs.deadline ? lhs.deadline < rhs.deadline : lhs.ticket < rhs.ticket
    }

    static func == (lhs: Entry, rhs: Entry) -> Bool { lhs.ticket == rhs.ticket && lhs.deadline == rhs.deadline }
  }

  private struct Timer {
    var deadline: StreamTime
    var ticket: Int64
    /// NB: Not retained: a stage's timers are released before the stage.
    var stage: Unmanaged<Stage>?
    var number: Int32
    var generation: UInt32 = 0
    var isArmed = false
    /// Whether an entry of this generation is in the queue, with its deadline and ticket.
    var isQueued = false
    var queuedDeadline = StreamTime.zero
    var queuedTicket: Int64 = 0

    /// Sets the timer; returns false if it has no entry in the queue, or one that would come too late.
    mutating func arm(at deadline: StreamTime, ticket: Int64) -> Bool {
      self.deadline = deadline
      self.ticket = ticket
      isArmed = true
      guard isQueued else { return false }
      return queuedDeadline != deadline ? queuedDeadline < deadline : queuedTicket <= ticket
    }

    /// Returns a new entry for the queue, which makes any older entry stale.
    mutating func enqueue(at place: Int) -> Entry {
      generation &+= 1
      isQueued = true
      queuedDeadline = deadline
      queuedTicket = ticket
      return Entry(
        deadline: deadline, ticket: ticket, place: Int32(truncatingIfNeeded: place), generation: generation)
    }

    mutating func forget() {
      generation &+= 1
      isQueued = false
      isArmed = false
    }
  }

  /// The first entry of the queue: a single timer that is set repeatedly does not access the heap.
  private var first = Entry.none
  private var others = Heap<Entry>()
  private var timers: [Timer] = []
  /// Index of the timer that fired last: it is usually the next to be set.
  private var latest = -1
  /// Free list: indices of timers that have been released.
  private var free: [Int32] = []
  /// Number of stale entries, of timers released or set for earlier; `release` removes them when they are too many.
  private var staleCount = 0

  /// Whether the queue has no entries, not even stale ones.
  var isEmpty: Bool { first.place < 0 }

  /// Number of timers that are set.
  var count: Int { isEmpty ? 0 : 1 + others.count - staleCount }

  mutating func set(_ number: Int, of stage: Stage, at deadline: StreamTime, ticket: Int64) {
    let place = isLatest(number, of: stage) ? latest : place(of: number, stage)
    if timers[place].arm(at: deadline, ticket: ticket) { return }
    if first.place == place, timers[place].generation == first.generation {
      first = timers[place].enqueue(at: place)
    } else {
      if timers[place].isQueued { staleCount += 1 }
      insert(timers[place].enqueue(at: place))
    }
  }

  private func isLatest(_ number: Int, of stage: Stage) -> Bool {
    guard latest >= 0, timers[latest].number == number, let owner = timers[latest].stage else { return false }
    return owner.toOpaque() == Unmanaged.passUnretained(stage).toOpaque()
  }

  /// Moves the timers of some stages.
  ///
  /// - Parameters:
  ///   - time: The time by which they fire earlier; later if it is negative.
  ///   - present: The earliest time at which they fire.
  mutating func move(earlierBy time: Interval, notBefore present: StreamTime, of isMoved: (Stage) -> Bool) {
    guard time.nanoseconds != 0 else { return }
    for timer in timers where timer.isArmed {
      guard let stage = timer.stage?.takeUnretainedValue(), isMoved(stage) else { continue }
      set(Int(timer.number), of: stage, at: max(present, timer.deadline - time), ticket: timer.ticket)
    }
  }

  mutating func cancel(_ number: Int, of stage: Stage) {
    guard let coldState = stage.coldState, number < coldState.timers.count, coldState.timers[number] >= 0 else {
      return
    }
    timers[Int(coldState.timers[number])].isArmed = false
  }

  /// Releases the timers of a stage that has ended.
  mutating func release(_ stage: Stage) {
    guard let coldState = stage.coldState, !coldState.timers.isEmpty else { return }
    for place in coldState.timers where place >= 0 {
      if timers[Int(place)].isQueued { staleCount += 1 }
      timers[Int(place)].forget()
      timers[Int(place)].stage = nil
      free.append(place)
    }
    coldState.timers = []
    if staleCount > 64, staleCount > others.count / 2 {
      others = Heap(others.unordered.filter { timers[Int($0.place)].generation == $0.generation })
      staleCount = 0
    }
  }

  /// Returns the armed timers of a stage.
  func armed(of stage: Stage) -> [SavedExecution.SavedTimer] {
    stage.timers.indices.compactMap { armed($0, of: stage) }
  }

  /// Returns a timer of a stage; nil if it is not armed.
  func armed(_ number: Int, of stage: Stage) -> SavedExecution.SavedTimer? {
    guard let coldState = stage.coldState, coldState.timers.indices.contains(number), coldState.timers[number] >= 0
    else { return nil }
    let timer = timers[Int(coldState.timers[number])]
    guard timer.isArmed else { return nil }
    return SavedExecution.SavedTimer(timer: number, deadline: timer.deadline, ticket: timer.ticket)
  }

  /// Returns the deadline of the next timer; nil if no timer is armed.
  mutating func nextDeadline() -> StreamTime? {
    settle()
    return isEmpty ? nil : first.deadline
  }

  /// Whether a timer may be due before or at an instant; if false, none is.
  @inline(__always)
  func mayBeDue(through time: StreamTime) -> Bool { first.deadline <= time && first.place >= 0 }

  /// Whether a timer is due before an instant.
  @inline(__always)
  mutating func areDue(before time: StreamTime) -> Bool {
    // The deadline of an entry is never later than that of its timer.
    guard first.deadline < time else { return false }
    settle()
    return first.deadline < time
  }

  /// Whether a timer is due before or at an instant.
  @inline(__always)
  mutating func areDue(through time: StreamTime) -> Bool {
    guard first.deadline <= time, first.place >= 0 else { return false }
    settle()
    return first.deadline <= time && first.place >= 0
  }

  /// Disarms the next timer that is due before or at an instant, and returns it with its stage; nil if none is due. The
  /// entry stays in the queue: most timers that fire are set again at once.
  @inline(__always)
  mutating func popNext(
    through time: StreamTime
  ) -> (stage: Unmanaged<Stage>, timer: Int, deadline: StreamTime, ticket: Int64)? {
    guard areDue(through: time) else { return nil }
    latest = Int(first.place)
    guard let stage = timers[latest].stage else { return nil }
    timers[latest].isArmed = false
    return (stage, Int(timers[latest].number), first.deadline, first.ticket)
  }

  mutating func removeAll() {
    first = .none
    others = Heap()
    staleCount = 0
    for place in timers.indices { timers[place].forget() }
  }

  /// Returns the index of a stage's timer, which is created on first use.
  private mutating func place(of number: Int, _ stage: Stage) -> Int {
    let coldState = stage.ensureColdState()
    if number < coldState.timers.count, coldState.timers[number] >= 0 { return Int(coldState.timers[number]) }
    while coldState.timers.count <= number { coldState.timers.append(-1) }
    let place: Int
    if let used = free.popLast() {
      place = Int(used)
      timers[place].stage = .passUnretained(stage)
      timers[place].number = Int32(truncatingIfNeeded: number)
    } else {
      place = timers.count
      timers.append(
        Timer(
          deadline: .zero, ticket: 0, stage: .passUnretained(stage), number: Int32(truncatingIfNeeded: number)))
    }
    coldState.timers[number] = Int32(truncatingIfNeeded: place)
    return place
  }

  private mutating func insert(_ entry: Entry) {
    if entry < first || first.place < 0 { swap(entry) } else { others.insert(entry) }
  }

  /// Inserts an entry before the first.
  private mutating func swap(_ entry: Entry) {
    if first.place >= 0 { others.insert(first) }
    first = entry
  }

  /// Updates or removes outdated entries until the first entry matches its timer.
  private mutating func settle() {
    while first.place >= 0 {
      let place = Int(first.place)
      if timers[place].generation != first.generation {
        first = others.popMin() ?? .none
        staleCount = max(0, staleCount - 1)
      } else if !timers[place].isArmed {
        timers[place].isQueued = false
        first = others.popMin() ?? .none
      } else if timers[place].deadline == first.deadline, timers[place].ticket == first.ticket {
        return
      } else {
        let entry = timers[place].enqueue(at: place)
        if let next = others.min, next < entry {
          others.replaceMin(with: entry)
          first = next
        } else {
          first = entry
        }
      }
    }
  }
}

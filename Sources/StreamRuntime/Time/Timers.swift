internal import HeapModule

/// The timers of an execution, by deadline, then by ticket.
///
/// A timer that is set for later than its entry in the queue (each value restarts `debounce`; `delay` goes on to what waits
/// next) leaves the entry where it is; the entry is put in its new place when its time comes. So a timer has at most a few
/// entries, however often it is set.
struct Timers {
  /// What stands in the queue for a timer.
  private struct Entry: Comparable {
    let deadline: StreamTime
    let ticket: Int64
    let place: Int32
    /// Which of the entries that there have been at the place: only the newest counts.
    let generation: UInt32

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.deadline != rhs.deadline ? lhs.deadline < rhs.deadline : lhs.ticket < rhs.ticket
    }

    static func == (lhs: Entry, rhs: Entry) -> Bool { lhs.ticket == rhs.ticket && lhs.deadline == rhs.deadline }
  }

  private struct Timer {
    var deadline: StreamTime
    var ticket: Int64
    /// NB: not counted: a stage's timers are released before it is.
    var stage: Unmanaged<Stage>?
    var number: Int32
    var generation: UInt32 = 0
    var isArmed = false
    /// Whether an entry of this generation is in the queue, and what it is due.
    var isQueued = false
    var queuedDeadline = StreamTime.zero
    var queuedTicket: Int64 = 0
  }

  private var heap = Heap<Entry>()
  private var timers: [Timer] = []
  /// Places of timers that have been released.
  private var free: [Int32] = []
  /// Entries of timers that have been released or set for earlier; swept out when they outnumber the others.
  private var staleCount = 0

  /// Whether none is set, and none that was is left.
  var isEmpty: Bool { heap.isEmpty }

  mutating func set(_ number: Int, of stage: Stage, at deadline: StreamTime, ticket: Int64) {
    let place = place(of: number, stage)
    timers[place].deadline = deadline
    timers[place].ticket = ticket
    timers[place].isArmed = true
    if timers[place].isQueued {
      if (timers[place].queuedDeadline, timers[place].queuedTicket) <= (deadline, ticket) { return }
      staleCount += 1
    }
    heap.insert(newEntry(place))
  }

  mutating func cancel(_ number: Int, of stage: Stage) {
    guard let aside = stage.aside, number < aside.timers.count, aside.timers[number] >= 0 else { return }
    timers[Int(aside.timers[number])].isArmed = false
  }

  /// Forgets the timers of a stage that has ended.
  mutating func release(_ stage: Stage) {
    guard let aside = stage.aside, !aside.timers.isEmpty else { return }
    for place in aside.timers where place >= 0 {
      if timers[Int(place)].isQueued { staleCount += 1 }
      timers[Int(place)].generation &+= 1
      timers[Int(place)].isQueued = false
      timers[Int(place)].isArmed = false
      timers[Int(place)].stage = nil
      free.append(place)
    }
    aside.timers = []
    if staleCount > 64, staleCount > heap.count / 2 {
      heap = Heap(heap.unordered.filter { timers[Int($0.place)].generation == $0.generation })
      staleCount = 0
    }
  }

  /// Those of a stage that are set.
  func armed(of stage: Stage) -> [Snapshot.SavedTimer] {
    stage.timers.enumerated().compactMap { number, place in
      guard place >= 0, timers[Int(place)].isArmed else { return nil }
      return Snapshot.SavedTimer(
        timer: number, deadline: timers[Int(place)].deadline, ticket: timers[Int(place)].ticket)
    }
  }

  /// When the next timer is due.
  mutating func nextDeadline() -> StreamTime? {
    settle()
    return heap.min?.deadline
  }

  /// Whether a timer is due before an instant.
  @inline(__always)
  mutating func areDue(before time: StreamTime) -> Bool {
    // An entry stands no later than its timer.
    guard let first = heap.min, first.deadline < time else { return false }
    settle()
    return heap.min.map { $0.deadline < time } ?? false
  }

  /// Whether a timer is due before or at an instant.
  @inline(__always)
  mutating func areDue(through time: StreamTime) -> Bool {
    guard let first = heap.min, first.deadline <= time else { return false }
    settle()
    return heap.min.map { $0.deadline <= time } ?? false
  }

  /// Disarms the next timer, and tells whose it is. Its entry stays: most timers that are due are set again at once.
  mutating func popNext() -> (stage: Unmanaged<Stage>, timer: Int, deadline: StreamTime)? {
    settle()
    guard let entry = heap.min, let stage = timers[Int(entry.place)].stage else { return nil }
    timers[Int(entry.place)].isArmed = false
    return (stage, Int(timers[Int(entry.place)].number), entry.deadline)
  }

  mutating func removeAll() {
    heap = Heap()
    staleCount = 0
    for place in timers.indices {
      timers[place].generation &+= 1
      timers[place].isQueued = false
      timers[place].isArmed = false
    }
  }

  /// The place of a stage's timer, which is made for the first need.
  private mutating func place(of number: Int, _ stage: Stage) -> Int {
    let aside = stage.rare
    if number < aside.timers.count, aside.timers[number] >= 0 { return Int(aside.timers[number]) }
    while aside.timers.count <= number { aside.timers.append(-1) }
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
    aside.timers[number] = Int32(truncatingIfNeeded: place)
    return place
  }

  /// What stands in the queue for a timer from now on.
  private mutating func newEntry(_ place: Int) -> Entry {
    let (deadline, ticket) = (timers[place].deadline, timers[place].ticket)
    timers[place].generation &+= 1
    timers[place].isQueued = true
    timers[place].queuedDeadline = deadline
    timers[place].queuedTicket = ticket
    return Entry(
      deadline: deadline, ticket: ticket, place: Int32(truncatingIfNeeded: place), generation: timers[place].generation)
  }

  /// Brings a timer that is really due to the top.
  private mutating func settle() {
    while let entry = heap.min {
      let place = Int(entry.place)
      if timers[place].generation != entry.generation {
        heap.removeMin()
        staleCount = max(0, staleCount - 1)
      } else if !timers[place].isArmed {
        heap.removeMin()
        timers[place].isQueued = false
      } else if timers[place].deadline == entry.deadline, timers[place].ticket == entry.ticket {
        return
      } else {
        heap.replaceMin(with: newEntry(place))
      }
    }
  }
}

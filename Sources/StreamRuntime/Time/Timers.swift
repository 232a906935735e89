internal import HeapModule

/// A timer of a stage.
struct TimerSlot {
  var deadline = StreamTime.zero
  var ticket: Int64 = 0
  var isArmed = false
  /// The entry of the queue that stands for this timer, if one does.
  var queued: (deadline: StreamTime, ticket: Int64)?
}

/// The timers of an execution, by deadline, then by ticket.
///
/// A timer that is moved back (each value restarts `debounce`) leaves its entry where it is; the entry is put in its
/// new place when its time comes. So a timer has at most a few entries, however often it is set.
struct Timers {
  struct Entry: Comparable {
    let deadline: StreamTime
    let ticket: Int64
    let stage: Stage
    let timer: Int

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.deadline != rhs.deadline ? lhs.deadline < rhs.deadline : lhs.ticket < rhs.ticket
    }

    static func == (lhs: Entry, rhs: Entry) -> Bool { lhs.ticket == rhs.ticket && lhs.deadline == rhs.deadline }
  }

  private var heap = Heap<Entry>()
  /// Entries of stages that have ended; they are swept out when they outnumber the others.
  private var staleCount = 0

  /// Whether none is set, and none that was is left.
  var isEmpty: Bool { heap.isEmpty }

  mutating func set(_ timer: Int, of stage: Stage, at deadline: StreamTime, ticket: Int64) {
    while stage.timers.count <= timer { stage.timers.append(TimerSlot()) }
    stage.timers[timer].deadline = deadline
    stage.timers[timer].ticket = ticket
    stage.timers[timer].isArmed = true
    if let queued = stage.timers[timer].queued {
      if (queued.deadline, queued.ticket) <= (deadline, ticket) { return }
      staleCount += 1
    }
    enqueue(timer, of: stage)
  }

  mutating func cancel(_ timer: Int, of stage: Stage) {
    if timer < stage.timers.count { stage.timers[timer].isArmed = false }
  }

  /// Forgets the timers of a stage that has ended.
  mutating func release(_ stage: Stage) {
    guard !stage.timers.isEmpty else { return }
    staleCount += stage.timers.count { $0.queued != nil }
    stage.timers.removeAll()
    if staleCount > 64, staleCount > heap.count / 2 {
      heap = Heap(heap.unordered.filter { Self.isCurrent($0) })
      staleCount = 0
    }
  }

  /// When the next timer is due.
  mutating func nextDeadline() -> StreamTime? {
    settle()
    return heap.min?.deadline
  }

  /// Takes the next timer off, and disarms it.
  mutating func popNext() -> Entry? {
    settle()
    guard let entry = heap.popMin() else { return nil }
    entry.stage.timers[entry.timer].queued = nil
    entry.stage.timers[entry.timer].isArmed = false
    return entry
  }

  mutating func removeAll() {
    heap = Heap()
    staleCount = 0
  }

  private mutating func enqueue(_ timer: Int, of stage: Stage) {
    let slot = stage.timers[timer]
    stage.timers[timer].queued = (slot.deadline, slot.ticket)
    heap.insert(Entry(deadline: slot.deadline, ticket: slot.ticket, stage: stage, timer: timer))
  }

  private static func isCurrent(_ entry: Entry) -> Bool {
    guard entry.timer < entry.stage.timers.count, let queued = entry.stage.timers[entry.timer].queued else {
      return false
    }
    return queued.deadline == entry.deadline && queued.ticket == entry.ticket
  }

  /// Brings a timer that is really due to the top.
  private mutating func settle() {
    while let entry = heap.min {
      guard Self.isCurrent(entry) else {
        heap.removeMin()
        staleCount = max(0, staleCount - 1)
        continue
      }
      let slot = entry.stage.timers[entry.timer]
      if slot.isArmed, slot.deadline == entry.deadline, slot.ticket == entry.ticket { return }
      heap.removeMin()
      entry.stage.timers[entry.timer].queued = nil
      if slot.isArmed { enqueue(entry.timer, of: entry.stage) }
    }
  }
}

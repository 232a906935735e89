internal import DequeModule
internal import HeapModule

/// The last times at which an idle timer counts as fired, and the tickets that it took then: only those before an event,
/// as it took none at the times that were skipped.
package struct IdleFirings: Codable, Sendable {
  private struct Firing: Codable, Sendable {
    let time: StreamTime
    let ticket: Int64
  }

  /// Maximum number of firings, the last ones.
  private let limit: Int
  private var all: Deque<Firing> = []

  package init(limit: Int) { self.limit = limit }

  package mutating func append(at time: StreamTime, ticket: Int64) {
    if all.count >= limit { _ = all.popFirst() }
    all.append(Firing(time: time, ticket: ticket))
  }

  /// Returns the ticket of the first firing at a time or later: a timer with an earlier ticket was set before that time, as
  /// no event separates it from the firing.
  package func ticket(since time: StreamTime) -> Int64? { all.first { $0.time >= time }?.ticket }
}

/// Timers that recur without an effect until their stage sets them as timers: the ends of intervals in which nothing has
/// happened. All times at which such a timer would have fired before an event are skipped in one step.
///
/// They count as if they had fired: each time takes a ticket for the next one, in the same order.
struct IdleTimers {
  private struct Entry: Comparable {
    var deadline: StreamTime
    var ticket: Int64
    let every: Interval
    let number: Int
    let stage: ObjectIdentifier

    /// The last time at which the timer fires before an instant at which it is due, and the time before that if it fires
    /// then, too.
    func lastTimes(before time: StreamTime) -> (last: StreamTime, previous: StreamTime) {
      guard deadline < time else { return (deadline, .zero) }
      let count = ((time - deadline).nanoseconds - 1) / every.nanoseconds
      let last = StreamTime(nanoseconds: deadline.nanoseconds + count * every.nanoseconds)
      return (last, count > 0 ? StreamTime(nanoseconds: last.nanoseconds - every.nanoseconds) : .zero)
    }

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.deadline != rhs.deadline ? lhs.deadline < rhs.deadline : lhs.ticket < rhs.ticket
    }

    static func == (lhs: Entry, rhs: Entry) -> Bool { lhs.ticket == rhs.ticket && lhs.deadline == rhs.deadline }
  }

  /// The queue; an entry is outdated unless its stage has the same ticket for this timer.
  private var queue = Heap<Entry>()
  private var stages: [ObjectIdentifier: [Int: Entry]] = [:]
  /// The last firings of the timers that keep them.
  private var firings: [ObjectIdentifier: [Int: IdleFirings]] = [:]
  /// Number of timers that are set, and so of entries that are not outdated.
  private(set) var count = 0

  var isEmpty: Bool { stages.isEmpty }

  mutating func set(
    _ number: Int, of stage: Stage, at deadline: StreamTime, ticket: Int64, every: Interval, firings: IdleFirings?
  ) {
    if let firings { self.firings[ObjectIdentifier(stage), default: [:]][number] = firings }
    insert(
      Entry(
        deadline: deadline, ticket: ticket, every: every, number: number, stage: ObjectIdentifier(stage)))
  }

  private mutating func insert(_ entry: Entry) {
    if stages[entry.stage, default: [:]].updateValue(entry, forKey: entry.number) == nil { count += 1 }
    queue.insert(entry)
    if queue.count > 2 * count + 64 { queue = Heap(stages.values.flatMap(\.values)) }
  }

  mutating func cancel(_ number: Int, of stage: Stage) {
    guard !stages.isEmpty else { return }
    let id = ObjectIdentifier(stage)
    if stages[id]?.removeValue(forKey: number) != nil { count -= 1 }
    if stages[id]?.isEmpty == true { stages[id] = nil }
    if firings[id]?.removeValue(forKey: number) != nil, firings[id]?.isEmpty == true { firings[id] = nil }
  }

  mutating func release(_ stage: Stage) {
    guard !stages.isEmpty else { return }
    count -= stages.removeValue(forKey: ObjectIdentifier(stage))?.count ?? 0
    firings[ObjectIdentifier(stage)] = nil
    if stages.isEmpty { queue = Heap() }
  }

  mutating func removeAll() { self = IdleTimers() }

  /// Returns the timers of a stage as a snapshot has them.
  func armed(of stage: Stage) -> [SavedExecution.SavedTimer] {
    guard let timers = stages[ObjectIdentifier(stage)] else { return [] }
    return timers.values.sorted { $0.number < $1.number }.map { entry in
      SavedExecution.SavedTimer(
        timer: entry.number, deadline: entry.deadline, ticket: entry.ticket, every: entry.every.nanoseconds,
        firings: firings(of: entry.number, of: stage))
    }
  }

  func firings(of number: Int, of stage: Stage) -> IdleFirings? { firings[ObjectIdentifier(stage)]?[number] }

  /// Whether a timer fires before an instant.
  func areDue(before time: StreamTime) -> Bool { !stages.isEmpty && queue.min.map { $0.deadline < time } == true }

  /// Whether a timer fires before or at an instant.
  func areDue(through time: StreamTime) -> Bool { !stages.isEmpty && queue.min.map { $0.deadline <= time } == true }

  /// Moves all timers on that would have fired before an event.
  ///
  /// - Parameters:
  ///   - time: The time of the event.
  ///   - ticket: Its ticket among the timers of that time.
  ///   - next: The next ticket.
  mutating func move(before time: StreamTime, ticket: Int64, next: inout Int64) {
    // NB: a timer at the last instant stays there: its next time would be the same.
    func isDue(_ entry: Entry) -> Bool {
      entry.deadline < time || entry.deadline == time && entry.ticket < ticket && time < .distantFuture
    }
    while let first = queue.min, isDue(first) {
      var due: [Entry] = []
      while let first = queue.min, isDue(first) {
        queue.removeMin()
        if stages[first.stage]?[first.number]?.ticket == first.ticket { due.append(first) }
      }
      // In the order in which they fire for the last time.
      let moved = due.map { ($0, times: $0.lastTimes(before: time)) }.sorted { first, second in
        if first.times.last != second.times.last { return first.times.last < second.times.last }
        if first.times.previous != second.times.previous { return first.times.previous < second.times.previous }
        return first.0.ticket < second.0.ticket
      }
      for (entry, times) in moved {
        var entry = entry
        entry.deadline = times.last + entry.every
        entry.ticket = TicketRank.ticket(next, rankedAs: entry.ticket)
        next += 1
        firings[entry.stage]?[entry.number]?.append(at: times.last, ticket: entry.ticket)
        insert(entry)
      }
    }
  }
}

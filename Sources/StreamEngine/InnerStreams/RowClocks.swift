internal import DequeModule
internal import HeapModule
internal import StreamCore

/// The clocks of the rows of a stage: two queues of deadlines, in the order of time.
///
/// A clock runs for one of two fixed intervals, so deadlines come in order, and an entry is appended in constant time;
/// those of rows that are loaded are in any order.
/// A clock that is set again leaves an obsolete entry behind. The first entry of a queue is never obsolete: the stage
/// has one timer for each queue.
struct RowClocks {
  struct Entry: Comparable {
    let deadline: StreamTime
    let ticket: Int64
    let row: Int

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.deadline != rhs.deadline ? lhs.deadline < rhs.deadline : lhs.ticket < rhs.ticket
    }
  }

  private var queues: (Heap<Entry>, Deque<Entry>) = ([], [])
  /// The ticket of the clock of each row; -1 if the clock is stopped.
  private var tickets: [Int64] = []
  /// The deadline of the clock of each row, if it runs.
  private var deadlines: [StreamTime] = []
  private var runningCount = 0
  /// The tickets of the timers of the queues; -1 if a timer is not set.
  var armed = SIMD2<Int64>(-1, -1)

  /// Number of entries, including obsolete ones: at most 64 more than twice the number of running clocks.
  var entryCount: Int { queues.0.count + queues.1.count }

  /// Returns the first entry of a queue; nil if it is empty.
  func first(of queue: Int) -> Entry? { queue == 0 ? queues.0.min : queues.1.first }

  /// Starts the clock of a row.
  ///
  /// - Parameter queue: 0 for a deadline that may come before others, 1 for one that comes after those of the queue.
  mutating func start(_ entry: Entry, in queue: Int) {
    while tickets.count <= entry.row {
      tickets.append(-1)
      deadlines.append(.zero)
    }
    if tickets[entry.row] < 0 { runningCount += 1 }
    tickets[entry.row] = entry.ticket
    deadlines[entry.row] = entry.deadline
    if queue == 0 { queues.0.insert(entry) } else { queues.1.append(entry) }
    trim()
  }

  mutating func stop(_ row: Int) {
    guard tickets.indices.contains(row), tickets[row] >= 0 else { return }
    tickets[row] = -1
    runningCount -= 1
    trim()
  }

  /// Returns the deadline of a row's clock; nil if it is stopped.
  func deadline(of row: Int) -> StreamTime? {
    tickets.indices.contains(row) && tickets[row] >= 0 ? deadlines[row] : nil
  }

  mutating func removeAll() { self = RowClocks() }

  /// Returns the running clocks, by row.
  func running() -> [Int: Entry] {
    var all: [Int: Entry] = [:]
    for entry in queues.0.unordered where isCurrent(entry) { all[entry.row] = entry }
    for entry in queues.1 where isCurrent(entry) { all[entry.row] = entry }
    return all
  }

  private func isCurrent(_ entry: Entry) -> Bool { tickets[entry.row] == entry.ticket }

  /// Removes obsolete entries.
  private mutating func trim() {
    while let first = queues.0.min, !isCurrent(first) { queues.0.removeMin() }
    while let first = queues.1.first, !isCurrent(first) { queues.1.removeFirst() }
    if entryCount > 2 * runningCount + 64 {
      let tickets = tickets
      queues.0 = Heap(queues.0.unordered.filter { tickets[$0.row] == $0.ticket })
      queues.1.removeAll { tickets[$0.row] != $0.ticket }
    }
  }
}

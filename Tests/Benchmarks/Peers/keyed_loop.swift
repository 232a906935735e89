// W9 and W10 as loops over a dictionary, written by hand: keyed_loop memory VARIANT FILE ROUNDS
// Prints the processor nanoseconds of each round over records in memory, and the count and sum of the published numbers.
import Foundation

struct Event {
  var user = 0
  var amount = 0
  var t = 0
}

/// Receives what a loop publishes; not inlined, as a subscriber is not.
struct Sink {
  var count = 0
  var sum = 0

  @inline(never)
  mutating func receive(user: Int, number: Int) {
    count += 1
    sum += number
  }
}

/// Deadlines of users, the earliest first.
struct Deadlines {
  private var heap: [(time: Int, user: Int)] = []

  var first: (time: Int, user: Int)? { heap.first }

  mutating func insert(_ user: Int, at time: Int) {
    heap.append((time, user))
    var child = heap.count - 1
    while child > 0, heap[(child - 1) / 2].time > heap[child].time {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Replaces the first deadline, or removes it if there is no new one.
  mutating func replaceFirst(with time: Int?) {
    if let time {
      heap[0].time = time
    } else {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].time < heap[least].time {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}

struct Total {
  var user: Int
  var total: Int
}

/// W9: the running total of the user of each event.
func running(_ events: [Event], _ sink: inout Sink) {
  var totals: [Int: Total] = [:]
  for event in events {
    var total = totals[event.user] ?? Total(user: event.user, total: 0)
    total.total += event.amount
    totals[event.user] = total
    sink.receive(user: total.user, number: total.total)
  }
}

/// W10: each event that its user's next event follows after more than a second, and each user's last event.
func debounce(_ events: [Event], _ sink: inout Sink) {
  var pending: [Int: Event] = [:]
  var deadlines = Deadlines()
  for event in events {
    while let first = deadlines.first, first.time < event.t, let waiting = pending[first.user] {
      if waiting.t + 1000 < event.t {
        sink.receive(user: waiting.user, number: waiting.amount)
        pending[first.user] = nil
        deadlines.replaceFirst(with: nil)
      } else {
        deadlines.replaceFirst(with: waiting.t + 1000)
      }
    }
    if pending.updateValue(event, forKey: event.user) == nil { deadlines.insert(event.user, at: event.t + 1000) }
  }
  for event in pending.values { sink.receive(user: event.user, number: event.amount) }
}

/// W10: each user's events up to the first silence of more than 30 seconds, and a record for that silence.
func timeout(_ events: [Event], _ sink: inout Sink) {
  var latest: [Int: (t: Int, isLate: Bool)] = [:]
  var deadlines = Deadlines()
  for event in events {
    while let first = deadlines.first, first.time < event.t, let state = latest[first.user] {
      let due = state.t + 30_000
      if due < event.t {
        latest[first.user] = (state.t, true)
        sink.receive(user: first.user, number: 0)
        deadlines.replaceFirst(with: nil)
      } else {
        deadlines.replaceFirst(with: due)
      }
    }
    if let state = latest[event.user] {
      if state.isLate { continue }
    } else {
      deadlines.insert(event.user, at: event.t + 30_000)
    }
    latest[event.user] = (event.t, false)
    sink.receive(user: event.user, number: event.amount)
  }
}

/// The events of a file whose lines have the numbers `user`, `amount` and `t`, in this order.
func readEvents(_ path: String) -> [Event] {
  var numbers: [Int] = []
  var number: Int?
  for byte in FileManager.default.contents(atPath: path) ?? Data() {
    if byte >= 48 && byte <= 57 {
      number = (number ?? 0) * 10 + Int(byte) - 48
    } else if let complete = number {
      numbers.append(complete)
      number = nil
    }
  }
  return stride(from: 0, to: numbers.count, by: 3).map {
    Event(user: numbers[$0], amount: numbers[$0 + 1], t: numbers[$0 + 2])
  }
}

func processorTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

let variants = ["running": running, "debounce": debounce, "timeout": timeout]
let arguments = CommandLine.arguments
guard arguments.count == 5, arguments[1] == "memory", let variant = variants[arguments[2]],
  let rounds = Int(arguments[4])
else {
  print("usage: keyed_loop memory running|debounce|timeout FILE ROUNDS")
  exit(2)
}
let events = readEvents(arguments[3])
var taken: [Int] = []
var sink = Sink()
for _ in 0..<rounds {
  sink = Sink()
  let start = processorTime()
  variant(events, &sink)
  taken.append(processorTime() - start)
}
print("{\"nanoseconds\": \(taken), \"count\": \(sink.count), \"sum\": \(sink.sum)}")

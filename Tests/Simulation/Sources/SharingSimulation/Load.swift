/// The requests of a day: per second, and per minute.
struct Load {
  private(set) var origin = Counter()
  private(set) var edges = Counter()

  struct Counter {
    private(set) var total = 0
    private(set) var peak = 0
    private(set) var minutes: [Int] = []
    private var second = 0

    mutating func add(_ count: Int) { second += count }

    mutating func endSecond(_ now: Int) {
      total += second
      peak = max(peak, second)
      if now.isMultiple(of: 60) { minutes.append(0) }
      minutes[minutes.count - 1] += second
      second = 0
    }

    var perSecond: Double { Double(total) / Double(Story.day) }
    var busiestMinute: Double { Double(minutes.max() ?? 0) / 60 }
  }

  mutating func addOrigin(_ count: Int) { origin.add(count) }
  mutating func addEdges(_ count: Int) { edges.add(count) }

  mutating func endSecond(_ now: Int) {
    origin.endSecond(now)
    edges.endSecond(now)
  }
}

/// A regular expression in RE2's syntax, which finds the bounds of a match and of its groups.
///
/// Like `Regex`, it follows all states simultaneously, here in the order in which a backtracking matcher would try
/// them: the first thread that ends has the match, and the time is linear in the string.
struct RegexFinder: Sendable {
  private let program: RegexProgram
  /// Number of capturing groups of the pattern.
  let groupCount: Int
  /// Number of instructions.
  var size: Int { program.code.count }
  /// The names of groups with their numbers from 1, in order.
  let names: [(name: String, number: Int)]

  /// The bounds of a match and of its groups; nil for a group that does not participate in the match.
  struct Match {
    let groups: [Range<Int>?]
    /// The whole match.
    let range: Range<Int>
  }

  private struct Thread {
    var state: Int
    /// The positions saved so far, -1 for none.
    var places: [Int]
  }

  /// The threads at one position in the string, in order of decreasing priority.
  private struct Threads {
    var list: [Thread] = []
    /// The visited states, including those without a thread.
    var visited: [Int] = []
    var isIn: [Bool]

    mutating func removeAll() {
      for state in visited { isIn[state] = false }
      visited.removeAll(keepingCapacity: true)
      list.removeAll(keepingCapacity: true)
    }
  }

  init(_ pattern: String) throws(RegexError) {
    var parser = RegexParser(pattern)
    let node = try parser.parse()
    program = try RegexProgram(node, keepsGroups: true)
    groupCount = parser.groupCount
    names = parser.names
  }

  /// Compiles a pattern that is not known before the evaluation, which is charged for the compilation.
  init(_ pattern: String, _ activation: Activation) throws(EvaluationError) {
    self = try Regex.compiled(pattern, activation) { (pattern) throws(RegexError) in
      let finder = try RegexFinder(pattern)
      return (finder, finder.program.work)
    }
  }

  /// Number of steps for each visit of a state, which copies the positions of the groups.
  private var costPerVisit: Int { 24 + groupCount / 2 }

  /// Returns the first match that begins at or after a position; nil if there is none.
  func first(
    in text: [Unicode.Scalar], from start: Int, _ activation: Activation
  ) throws(EvaluationError) -> Match? {
    let code = program.code
    try activation.charge(code.count >> 4 + 64)
    var threads = Threads(isIn: Array(repeating: false, count: code.count))
    var next = threads
    var found: [Int]?
    for place in start...text.count {
      if found == nil {
        follow(
          Thread(state: 0, places: Array(repeating: -1, count: groupCount * 2)), from: place, place, text, &threads)
      }
      if threads.list.isEmpty {
        if found != nil { break }
        // An assertion does not hold here; it may hold further on.
        try activation.charge(8 + threads.visited.count * costPerVisit)
        threads.removeAll()
        continue
      }
      var work = 8 + threads.visited.count * costPerVisit
      for thread in threads.list {
        if case .match = code[thread.state] {
          // The remaining threads have a lower priority.
          found = thread.places + [place]
          break
        }
        work += program.costs[thread.state]
        if work > 65_536 {
          try activation.charge(work)
          work = 0
        }
        if place < text.count, code[thread.state].accepts(text[place]) {
          let reached = Thread(state: thread.state + 1, places: thread.places)
          follow(reached, from: nil, place + 1, text, &next)
        }
      }
      try activation.charge(work)
      swap(&threads, &next)
      next.removeAll()
    }
    return found.flatMap(match)
  }

  /// Returns the match with these positions: the start of the match, the bounds of the groups, the end of the match.
  private func match(_ places: [Int]) -> Match? {
    guard places.count >= 2, let end = places.last, let start = places.first, start <= end else { return nil }
    var groups: [Range<Int>?] = []
    for number in 0..<groupCount {
      let (lower, upper) = (places[1 + 2 * number], places[2 + 2 * number])
      groups.append(lower >= 0 && upper >= lower ? lower..<upper : nil)
    }
    return Match(groups: groups, range: start..<end)
  }

  /// Adds a thread and all threads reachable from it without input, in order. `start` is the start of a new match.
  private func follow(
    _ thread: Thread, from start: Int?, _ place: Int, _ text: [Unicode.Scalar], _ threads: inout Threads
  ) {
    var first = thread
    if let start { first.places.insert(start, at: 0) }
    let around = RegexPlace(
      previous: place > 0 ? text[place - 1] : nil, next: place < text.count ? text[place] : nil)
    var pending = [first]
    while var thread = pending.popLast() {
      if threads.isIn[thread.state] { continue }
      threads.isIn[thread.state] = true
      threads.visited.append(thread.state)
      switch program.code[thread.state] {
      case .jump(let target):
        thread.state = target
        pending.append(thread)
      case .split(let preferred, let other):
        pending.append(Thread(state: other, places: thread.places))
        thread.state = preferred
        pending.append(thread)
      case .save(let number):
        // Group 1 saves under 2 and 3, which are at the indexes 1 and 2, after the start of the match.
        if number - 1 < thread.places.count { thread.places[number - 1] = place }
        thread.state += 1
        pending.append(thread)
      case .assertion(let assertion):
        if around.satisfies(assertion) {
          thread.state += 1
          pending.append(thread)
        }
      case .scalar, .set, .match: threads.list.append(thread)
      }
    }
  }
}

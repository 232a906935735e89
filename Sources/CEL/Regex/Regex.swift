import StreamCore

/// A regular expression in RE2's syntax, which finds whether a text has a match in time linear in the text.
///
/// The states that a match can be in are followed all at once (Thompson's simulation): there is no going back, and so no
/// pattern for which the time explodes. What a match covers is not asked, so greedy and lazy repetition are the same.
struct Regex: Sendable {
  private let program: [RegexInstruction]

  /// The longest program. A pattern that needs more is refused.
  static let maximumSize = 10_000

  init(_ pattern: String) throws(EvaluationError) {
    do throws(RegexError) {
      var parser = RegexParser(pattern)
      var compiler = RegexCompiler(keepsGroups: false)
      program = try compiler.compile(try parser.parse())
    } catch {
      throw Self.failure(pattern, error)
    }
  }

  static func failure(_ pattern: String, _ error: RegexError) -> EvaluationError {
    let shown = String(String.UnicodeScalarView(pattern.unicodeScalars.prefix(60)))
    return EvaluationError(.invalidConversion, "'\(shown)' is not a regular expression: \(error.message)")
  }

  /// Whether some part of the text matches.
  func matches(_ text: String, _ activation: Activation) throws(EvaluationError) -> Bool {
    var states = RegexStates(size: program.count)
    var next = RegexStates(size: program.count)
    var previous: Unicode.Scalar?
    var work = 0
    var iterator = text.unicodeScalars.makeIterator()
    var current = iterator.next()
    while true {
      let place = RegexPlace(previous: previous, next: current)
      if states.follow(0, in: program, at: place) { return true }
      guard let scalar = current else { return false }
      current = iterator.next()
      let after = RegexPlace(previous: scalar, next: current)
      work += states.count + 1
      if work > 4096 {
        try activation.charge(work / 32)
        work = 0
      }
      for index in 0..<states.count where program[states.list[index]].accepts(scalar) {
        if next.follow(states.list[index] + 1, in: program, at: after) { return true }
      }
      swap(&states, &next)
      next.removeAll()
      previous = scalar
    }
  }
}

struct RegexError: Error {
  var message: String
}

/// What stands on both sides of a place in the text.
struct RegexPlace {
  var previous: Unicode.Scalar?
  var next: Unicode.Scalar?

  func satisfies(_ assertion: RegexAssertion) -> Bool {
    switch assertion {
    case .textStart: previous == nil
    case .textEnd: next == nil
    case .lineStart: previous == nil || previous == "\n"
    case .lineEnd: next == nil || next == "\n"
    case .wordBoundary: previous.isWord != next.isWord
    case .noWordBoundary: previous.isWord == next.isWord
    }
  }
}

extension Unicode.Scalar? {
  /// RE2's words are of ASCII.
  fileprivate var isWord: Bool {
    guard let self, self.isASCII else { return false }
    return UInt8(ascii: self).isNamePart
  }
}

/// The states that the simulation is in, each once.
struct RegexStates {
  private(set) var list: [Int] = []
  private var isIn: [Bool]
  private var pending: [Int] = []

  init(size: Int) { isIn = Array(repeating: false, count: size) }

  var count: Int { list.count }

  mutating func removeAll() {
    for state in list { isIn[state] = false }
    list.removeAll(keepingCapacity: true)
  }

  /// Adds a state and all that can be reached from it without reading; true when the match is complete.
  mutating func follow(_ start: Int, in program: [RegexInstruction], at place: RegexPlace) -> Bool {
    pending.append(start)
    while let state = pending.popLast() {
      if isIn[state] { continue }
      isIn[state] = true
      // NB: states that read nothing are listed too, so that `removeAll` finds them.
      list.append(state)
      switch program[state] {
      case .match:
        pending.removeAll()
        return true
      case .jump(let target): pending.append(target)
      case .save: pending.append(state + 1)
      case .split(let first, let second):
        pending.append(second)
        pending.append(first)
      case .assertion(let assertion):
        if place.satisfies(assertion) { pending.append(state + 1) }
      case .scalar, .set: break
      }
    }
    return false
  }
}

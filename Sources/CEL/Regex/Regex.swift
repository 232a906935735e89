import StreamCore

/// A regular expression in RE2's syntax, which tests whether a string has a match in time linear in the string.
///
/// All states of the automaton are followed simultaneously (Thompson's simulation): there is no backtracking, and so no
/// pattern takes exponential time. The bounds of a match are not computed, so greedy and lazy repetition are the same.
struct Regex: Sendable {
  private let program: RegexProgram

  /// Number of instructions.
  var size: Int { program.code.count }

  /// Maximum number of instructions. A pattern that needs more is rejected.
  static let maximumSize = 10_000

  init(_ pattern: String) throws(RegexError) {
    var parser = RegexParser(pattern)
    program = try RegexProgram(try parser.parse(), keepsGroups: false)
  }

  /// Compiles a pattern that is not known before the evaluation, which is charged for the compilation.
  init(_ pattern: String, _ activation: Activation) throws(EvaluationError) {
    self = try Self.compiled(pattern, activation) { (pattern) throws(RegexError) in
      let regex = try Regex(pattern)
      return (regex, regex.program.work)
    }
  }

  /// Compiles a pattern, and charges for the work.
  static func compiled<Compiled>(
    _ pattern: String, _ activation: Activation,
    _ compile: (String) throws(RegexError) -> (compiled: Compiled, work: Int)
  ) throws(EvaluationError) -> Compiled {
    try activation.charge(pattern.utf8.count * 64)
    let result: (compiled: Compiled, work: Int)
    do throws(RegexError) {
      result = try compile(pattern)
    } catch {
      try activation.charge(error.work * 8)
      throw failure(pattern, error)
    }
    try activation.charge(result.work * 8)
    return result.compiled
  }

  static func failure(_ pattern: String, _ error: RegexError) -> EvaluationError {
    let shown = String(String.UnicodeScalarView(pattern.unicodeScalars.prefix(60)))
    return EvaluationError(.invalidConversion, "'\(shown)' is not a regular expression: \(error.message)")
  }

  /// Returns whether a part of the string matches.
  func matches(_ text: String, _ activation: Activation) throws(EvaluationError) -> Bool {
    let code = program.code
    try activation.charge(code.count >> 4)
    var states = RegexStates(size: code.count)
    var next = RegexStates(size: code.count)
    var previous: Unicode.Scalar?
    var work = 0
    var iterator = text.unicodeScalars.makeIterator()
    var current = iterator.next()
    while true {
      let place = RegexPlace(previous: previous, next: current)
      if states.follow(0, in: code, at: place) { return true }
      guard let scalar = current else {
        try activation.charge(work)
        return false
      }
      current = iterator.next()
      let after = RegexPlace(previous: scalar, next: current)
      work += 2
      if work > 1024 {
        try activation.charge(work)
        work = 0
      }
      for state in states.list {
        // A test of a large set takes long, and there may be many such sets.
        work += program.costs[state]
        if work > 65_536 {
          try activation.charge(work)
          work = 0
        }
        if code[state].accepts(scalar), next.follow(state + 1, in: code, at: after) { return true }
      }
      swap(&states, &next)
      next.removeAll()
      previous = scalar
    }
  }
}

/// The reason why a pattern is not a regular expression.
struct RegexError: Error {
  var message: String
  /// Index of the invalid character, in Unicode scalars; nil if the whole pattern is invalid.
  var place: Int?
  /// Amount of work before the error, in nodes of the syntax tree.
  var work = 0
}

/// The reason why a call with a pattern that is known before the evaluation cannot succeed.
struct PatternProblem: Error {
  /// The error of the evaluation.
  var failure: EvaluationError
  /// Index of the invalid argument.
  var argument: Int
  /// Index of the character in the argument, in Unicode scalars; nil if the whole argument is invalid.
  var place: Int?

  init(_ failure: EvaluationError, argument: Int, place: Int? = nil) {
    self.failure = failure
    self.argument = argument
    self.place = place
  }

  init(_ error: RegexError, in pattern: String, argument: Int) {
    self.init(Regex.failure(pattern, error), argument: argument, place: error.place)
  }
}

/// The scalars on both sides of a position in the string.
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
  /// Whether this is a word character; those of RE2 are ASCII.
  fileprivate var isWord: Bool {
    guard let self, self.isASCII else { return false }
    return UInt8(ascii: self).isNamePart
  }
}

/// The set of current states of the automaton.
struct RegexStates {
  private(set) var list: [Int] = []
  private var isIn: [Bool]
  private var pending: [Int] = []

  init(size: Int) { isIn = Array(repeating: false, count: size) }

  mutating func removeAll() {
    for state in list { isIn[state] = false }
    list.removeAll(keepingCapacity: true)
  }

  /// Adds a state and all states reachable from it without input; returns true if the match is complete.
  mutating func follow(_ start: Int, in program: [RegexInstruction], at place: RegexPlace) -> Bool {
    pending.append(start)
    while let state = pending.popLast() {
      if isIn[state] { continue }
      isIn[state] = true
      // NB: States that read no input are listed too, so that `removeAll` resets them.
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

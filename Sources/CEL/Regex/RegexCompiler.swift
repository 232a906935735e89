/// An instruction of the automaton.
enum RegexInstruction: Sendable {
  /// Matches this scalar.
  case scalar(Unicode.Scalar)
  /// Matches a scalar of this set.
  case set(ScalarSet)
  case assertion(RegexAssertion)
  case jump(Int)
  /// Tries two continuations, the preferred one first.
  case split(Int, Int)
  /// Saves the position in the string under this number.
  case save(Int)
  case match

  func accepts(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .scalar(let wanted): wanted == scalar
    case .set(let set): set.contains(scalar)
    default: false
    }
  }

  /// Number of steps for a visit.
  var cost: Int {
    if case .set(let set) = self { return 2 + set.cost }
    return 2
  }
}

enum RegexAssertion: Sendable {
  case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary
}

/// The syntax tree of a pattern.
indirect enum RegexNode: Sendable {
  case empty
  case scalar(Unicode.Scalar)
  case set(ScalarSet)
  case assertion(RegexAssertion)
  case sequence([RegexNode])
  case alternatives([RegexNode])
  /// A nil `maximum` means no limit. A lazy repetition matches as little as possible.
  case repetition(RegexNode, minimum: Int, maximum: Int?, isLazy: Bool)
  /// A capturing group, by its number from 1.
  case group(RegexNode, number: Int)
}

/// The compiled form of a pattern.
struct RegexProgram: Sendable {
  let code: [RegexInstruction]
  /// Number of steps for a visit of each instruction.
  let costs: [Int]
  /// Amount of work of the compilation, in nodes of the syntax tree.
  let work: Int

  init(_ node: RegexNode, keepsGroups: Bool) throws(RegexError) {
    var compiler = RegexCompiler(keepsGroups: keepsGroups)
    do throws(RegexError) {
      code = try compiler.compile(node)
    } catch {
      throw RegexError(message: error.message, place: error.place, work: compiler.work)
    }
    costs = code.map(\.cost)
    work = compiler.work
  }
}

/// Compiles the syntax tree of a pattern to a program.
struct RegexCompiler {
  private var program: [RegexInstruction] = []
  /// Whether the program saves the bounds of the groups.
  let keepsGroups: Bool
  /// Number of visited nodes: repetitions of empty nodes emit no instructions, but take time.
  private(set) var work = 0

  init(keepsGroups: Bool) { self.keepsGroups = keepsGroups }

  mutating func compile(_ node: RegexNode) throws(RegexError) -> [RegexInstruction] {
    try emit(node)
    program.append(.match)
    return program
  }

  private mutating func append(_ instruction: RegexInstruction) throws(RegexError) {
    if program.count >= Regex.maximumSize { throw RegexError(message: "it is too large") }
    program.append(instruction)
  }

  private mutating func emit(_ node: RegexNode) throws(RegexError) {
    work += 1
    if work > 10 * Regex.maximumSize { throw RegexError(message: "it is too large") }
    switch node {
    case .empty: break
    case .scalar(let scalar): try append(.scalar(scalar))
    case .set(let set): try append(.set(set))
    case .assertion(let assertion): try append(.assertion(assertion))
    case .sequence(let nodes): for node in nodes { try emit(node) }
    case .alternatives(let nodes): try emit(alternatives: nodes)
    case .repetition(let node, let minimum, let maximum, let isLazy): try emit(node, minimum, maximum, isLazy)
    case .group(let node, let number):
      if keepsGroups { try append(.save(2 * number)) }
      try emit(node)
      if keepsGroups { try append(.save(2 * number + 1)) }
    }
  }

  private mutating func emit(alternatives nodes: [RegexNode]) throws(RegexError) {
    var exits: [Int] = []
    for (index, node) in nodes.enumerated() {
      if index == nodes.count - 1 {
        try emit(node)
      } else {
        let split = program.count
        try append(.split(split + 1, 0))
        try emit(node)
        exits.append(program.count)
        try append(.jump(0))
        program[split] = .split(split + 1, program.count)
      }
    }
    for exit in exits { program[exit] = .jump(program.count) }
  }

  /// Returns a split between the repeated code and the code after it, the preferred target first.
  private func split(_ inside: Int, _ past: Int, _ isLazy: Bool) -> RegexInstruction {
    isLazy ? .split(past, inside) : .split(inside, past)
  }

  private mutating func emit(
    _ node: RegexNode, _ minimum: Int, _ maximum: Int?, _ isLazy: Bool
  ) throws(RegexError) {
    for _ in 0..<minimum { try emit(node) }
    guard let maximum else {
      let split = program.count
      try append(.split(split + 1, 0))
      try emit(node)
      try append(.jump(split))
      program[split] = self.split(split + 1, program.count, isLazy)
      return
    }
    var splits: [Int] = []
    for _ in minimum..<max(minimum, maximum) {
      splits.append(program.count)
      try append(.split(program.count + 1, 0))
      try emit(node)
    }
    for split in splits { program[split] = self.split(split + 1, program.count, isLazy) }
  }
}

/// A step of the simulation.
enum RegexInstruction: Sendable {
  /// Reads this scalar.
  case scalar(Unicode.Scalar)
  /// Reads a scalar of this set.
  case set(ScalarSet)
  case assertion(RegexAssertion)
  case jump(Int)
  case split(Int, Int)
  case match

  func accepts(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .scalar(let wanted): wanted == scalar
    case .set(let set): set.contains(scalar)
    default: false
    }
  }
}

enum RegexAssertion: Sendable {
  case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary
}

/// A pattern's tree.
indirect enum RegexNode: Sendable {
  case empty
  case scalar(Unicode.Scalar)
  case set(ScalarSet)
  case assertion(RegexAssertion)
  case sequence([RegexNode])
  case alternatives([RegexNode])
  /// `maximum` nil: without end.
  case repetition(RegexNode, minimum: Int, maximum: Int?)
}

/// Makes a program of a pattern's tree.
struct RegexCompiler {
  private var program: [RegexInstruction] = []
  /// Nodes visited: repeated nothings make no instructions but take time.
  private var work = 0

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
    case .repetition(let node, let minimum, let maximum): try emit(node, minimum, maximum)
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

  private mutating func emit(_ node: RegexNode, _ minimum: Int, _ maximum: Int?) throws(RegexError) {
    for _ in 0..<minimum { try emit(node) }
    guard let maximum else {
      let split = program.count
      try append(.split(split + 1, 0))
      try emit(node)
      try append(.jump(split))
      program[split] = .split(split + 1, program.count)
      return
    }
    var splits: [Int] = []
    for _ in minimum..<max(minimum, maximum) {
      splits.append(program.count)
      try append(.split(program.count + 1, 0))
      try emit(node)
    }
    for split in splits { program[split] = .split(split + 1, program.count) }
  }
}

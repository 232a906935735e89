import StreamCore

/// The abstract syntax tree of an expression.
///
/// The nodes are stored in an array and refer to each other by index, their id. Further facts about a node (its
/// location in the text here, its type and meaning in the checker) are stored in side tables by id.
public struct Syntax: Sendable {
  /// The index of a node in the tree's tables.
  typealias ID = Int

  enum Node: Sendable {
    case literal(Value)
    /// A variable or a type; `isAbsolute` if it has a leading dot.
    case name(String, isAbsolute: Bool)
    /// `operand.field`; with `isTest`, `has(operand.field)`.
    case select(operand: ID, field: String, isTest: Bool)
    /// A call of a function, of a method of `target`, or of an operator by its name in `Operators`.
    case call(function: String, target: ID?, arguments: [ID])
    case list([ID])
    case map(keys: [ID], values: [ID])
    /// `Name{field: value}`: parsed, but messages are not supported.
    case message(name: String)
    indirect case comprehension(Comprehension)
  }

  /// A loop over a list or the keys of a map, folding an accumulator.
  struct Comprehension: Sendable {
    var variable: String
    var secondVariable: String?
    var range: ID
    var accumulator: String
    var initial: ID
    /// The loop continues while this is true.
    var condition: ID
    var step: ID
    var result: ID
  }

  /// The parsed text.
  public let text: String
  var nodes: [Node] = []
  var ranges: [Range<Int>] = []
  var depths: [Int] = []
  var root: ID = 0

  /// - Parameter count: The likely maximum number of nodes.
  init(text: String, count: Int, using memory: ExpressionMemory) {
    self.text = text
    nodes = ExpressionMemory.emptied(&memory.nodes)
    ranges = ExpressionMemory.emptied(&memory.ranges)
    depths = ExpressionMemory.emptied(&memory.depths)
    nodes.reserveCapacity(count)
    ranges.reserveCapacity(count)
    depths.reserveCapacity(count)
  }

  /// The depth of the tree, in levels.
  var depth: Int { depths.isEmpty ? 0 : depths[root] }

  /// Returns the source text of a node, for messages.
  func text(of id: ID) -> String {
    let range = ranges[id]
    let utf8 = text.utf8
    guard range.upperBound <= utf8.count else { return "" }
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    let end = utf8.index(utf8.startIndex, offsetBy: range.upperBound)
    return String(text[start..<end])
  }

  /// Returns the source text of a node as an operand: in parentheses if it has an operator of its own.
  func operand(_ id: ID) -> String {
    switch nodes[id] {
    case .call(let function, nil, _)
    where Operators.isOperator(function) && ![Operators.index, Operators.optionalIndex].contains(function):
      function == Operators.optionalSelect ? text(of: id) : "(\(text(of: id)))"
    case .literal(.int(let number)) where number < 0: "(\(text(of: id)))"
    case .literal(.double(let number)) where number < 0: "(\(text(of: id)))"
    default: text(of: id)
    }
  }
}

extension Syntax.Node {
  /// The ids of the child nodes.
  var children: [Syntax.ID] {
    var children: [Syntax.ID] = []
    forEachChild { children.append($0) }
    return children
  }

  /// Calls `body` with the id of each child node.
  @inline(__always)
  func forEachChild(_ body: (Syntax.ID) -> Void) {
    switch self {
    case .literal, .name, .message: break
    case .select(let operand, _, _): body(operand)
    case .call(_, let target, let arguments):
      if let target { body(target) }
      for argument in arguments { body(argument) }
    case .list(let elements):
      for element in elements { body(element) }
    case .map(let keys, let values):
      for key in keys { body(key) }
      for value in values { body(value) }
    case .comprehension(let loop):
      for part in [loop.range, loop.initial, loop.condition, loop.step, loop.result] { body(part) }
    }
  }
}

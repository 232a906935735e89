public import StreamCore

/// The checked tree of an expression, and the plan step of each of its parts.
public struct Explanation: Sendable {
  /// A part of an expression.
  public struct Part: Hashable, Sendable {
    /// Number of levels below the whole expression.
    public let depth: Int
    /// The operator, name, literal, function or macro.
    public let text: String
    /// The known type of the part.
    public let type: CELType
    /// The plan step that evaluates the part: `int arithmetic`, `field`, `int constant`.
    public let step: String
  }

  /// The parts, each before its own parts.
  public let parts: [Part]
  public let plan: Plan
}

extension CELExpression {
  /// Parses, checks and plans the expression, and describes each part.
  ///
  /// - Throws: The errors of `plan(in:)`.
  public func explanation(in environment: Environment) throws(Diagnostics) -> Explanation {
    let plan = try plan(in: environment)
    let syntax = try parse(in: environment)
    let parts = DeepStack.run(levels: syntax.depth) {
      var checker = Checker(syntax, in: environment)
      checker.check(syntax.root)
      var planner = Planner(checker)
      planner.meaningsInPlan = [:]
      _ = planner.plan(syntax.root)
      var writer = ExplanationWriter(syntax: syntax, types: checker.types, steps: planner.meaningsInPlan ?? [:])
      writer.add(syntax.root, depth: 0)
      return writer.parts
    }
    return Explanation(parts: parts, plan: plan)
  }
}

/// Writes a tree down, line by line.
private struct ExplanationWriter {
  let syntax: Syntax
  let types: [CELType]
  let steps: [Syntax.ID: PlanNode]
  var parts: [Explanation.Part] = []

  mutating func add(_ id: Syntax.ID, depth: Int) {
    var below = depth
    // What has no step of its own is what a macro made, and runs as a part of what stands above it.
    if let step = steps[id] {
      parts.append(
        Explanation.Part(depth: depth, text: text(of: id), type: types[id].settled, step: Self.name(of: step)))
      below += 1
    }
    for child in syntax.nodes[id].children { add(child, depth: below) }
  }

  private func text(of id: Syntax.ID) -> String {
    switch syntax.nodes[id] {
    case .literal, .name, .list, .map, .message: syntax.text(of: id)
    case .select(_, let field, let isTest): isTest ? "has .\(field)" : ".\(field)"
    case .call(let function, _, _): Operators.isOperator(function) ? Operators.displayName(function) : "\(function)()"
    case .comprehension(let loop): "loop over \(syntax.text(of: loop.range)) as \(loop.variable)"
    }
  }

  /// `IntArithmeticNode` in words.
  private static func name(of node: PlanNode) -> String {
    var words = ""
    for character in String(describing: type(of: node)) {
      if character.isUppercase, !words.isEmpty { words.append(" ") }
      words.append(contentsOf: character.lowercased())
    }
    return words.hasSuffix(" node") ? String(words.dropLast(5)) : words
  }
}

public import StreamCore

/// What an expression was understood to be: its checked tree, and what each part of it became in the plan.
public struct Explanation: Sendable {
  /// A part of the expression, with what stands below it indented by one more.
  public struct Part: Hashable, Sendable {
    /// Levels below the whole expression.
    public let depth: Int
    /// The operator, name, literal, function or macro.
    public let text: String
    /// What is known of its type.
    public let type: CELType
    /// What runs for it: `int arithmetic`, `field`, `int constant`.
    public let step: String
  }

  /// The parts, each before those below it.
  public let parts: [Part]
  public let plan: Plan
}

extension CELExpression {
  /// Parses, checks and plans the expression, and tells what came of each part.
  ///
  /// - Throws: what `plan(in:)` throws.
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

public import StreamCore

/// The text of an expression, not yet parsed.
public struct CELExpression: Hashable, Sendable {
  public var text: String

  public init(_ text: String) { self.text = text }

  /// Parses the text and expands its macros.
  public func parse(_ limits: ExpressionLimits = ExpressionLimits()) throws(Diagnostics) -> Syntax {
    var environment = ExpressionEnvironment()
    environment.limits = limits
    return try parse(in: environment)
  }

  /// Parses, checks and plans the expression. Throws all errors at once.
  public func plan(in environment: ExpressionEnvironment) throws(Diagnostics) -> Plan {
    try plan(in: environment, using: ExpressionMemory())
  }

  /// Parses, checks and plans the expression with reusable buffers. Throws all errors at once.
  package func plan(in environment: ExpressionEnvironment, using memory: ExpressionMemory) throws(Diagnostics) -> Plan {
    let syntax = try parse(in: environment, using: memory)
    defer { (memory.nodes, memory.ranges, memory.depths) = (syntax.nodes, syntax.ranges, syntax.depths) }
    return try DeepStack.run(levels: syntax.depth) { () throws(Diagnostics) in
      try planned(syntax, environment, memory)
    }
  }

  func parse(
    in environment: ExpressionEnvironment, using memory: ExpressionMemory = ExpressionMemory()
  ) throws(Diagnostics) -> Syntax {
    var bytes = ExpressionMemory.emptied(&memory.bytes)
    bytes.append(contentsOf: text.utf8)
    defer { memory.bytes = bytes }
    // The limit ends the recursion even if the text nests deeper.
    let levels = min(DeepStack.nesting(of: bytes), environment.limits.depth)
    do throws(Diagnostic) {
      return try DeepStack.run(levels: levels) { () throws(Diagnostic) in
        try Parser.parse(text, bytes, in: environment, using: memory)
      }
    } catch {
      throw Diagnostics([error])
    }
  }

  private func planned(
    _ syntax: Syntax, _ environment: ExpressionEnvironment, _ memory: ExpressionMemory
  ) throws(Diagnostics) -> Plan {
    var checker = Checker(syntax, in: environment, using: memory)
    defer { (memory.types, memory.meanings) = (checker.types, checker.meanings) }
    checker.check(syntax.root)
    try checker.diagnostics.throwErrors()
    let cost = CostEstimator.estimate(syntax)
    if cost.minimum > environment.limits.budget {
      let message =
        "the expression takes at least \(cost.minimum) steps; at most \(environment.limits.budget) are allowed"
      throw Diagnostics(.expressionTooLarge, message, part: .text(syntax.ranges[syntax.root]))
    }
    var planner = Planner(checker, memory)
    var root = planner.plan(syntax.root)
    var resultType = checker.types[syntax.root].settled
    if environment.unwrapsOptionals, checker.mayHaveOptionals {
      root = checker.unwrapping(root, syntax.root)
      resultType = resultType.withoutOptionals
    }
    if checker.callsRandom, case .place(let key, let slots) = environment.random {
      root = RandomNode(root, key: key(), slots: slots)
    }
    try planner.diagnostics.throwErrors()
    let callsHost =
      !environment.declaredFunctions.isEmpty && checker.calls { checker.declaredFunction($0.name) != nil }
    return Plan(
      PlanBody(
        self, root: root, slotCount: checker.slotCount, variables: checker.usedVariables,
        resultType, cost,
        tests: checker.mayNarrow ? checker.tests(of: syntax.root, when: true) : [],
        readsTime: checker.calls { $0.name == "now" },
        callsHost: callsHost, depth: syntax.depth))
  }
}

extension CELExpression: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { text = value }
}

extension CELExpression: Codable {
  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension CELExpression: CustomStringConvertible {
  public var description: String { text }
}

public import StreamCore

/// The text of an expression, not yet known to be one.
public struct Expression: Hashable, Sendable {
  public var text: String

  public init(_ text: String) { self.text = text }

  /// The tree that the text means, its macros expanded.
  public func parse(_ limits: Limits = Limits()) throws(Diagnostics) -> Syntax {
    var environment = Environment()
    environment.limits = limits
    return try parse(in: environment)
  }

  /// The expression ready to run: parsed, checked and planned. All mistakes that are found are thrown at once.
  public func plan(in environment: Environment) throws(Diagnostics) -> Plan {
    let syntax = try parse(in: environment)
    return try DeepStack.run(levels: syntax.depth) { planned(syntax, environment) }.get()
  }

  func parse(in environment: Environment) throws(Diagnostics) -> Syntax {
    // The limit ends the recursion where the text goes on.
    let levels = min(DeepStack.nesting(of: text), environment.limits.depth)
    return try DeepStack.run(levels: levels) { parsed(environment) }.get()
  }

  private func parsed(_ environment: Environment) -> Result<Syntax, Diagnostics> {
    do throws(Diagnostic) {
      return .success(try Parser.parse(text, in: environment))
    } catch {
      return .failure(Diagnostics([error]))
    }
  }

  private func planned(_ syntax: Syntax, _ environment: Environment) -> Result<Plan, Diagnostics> {
    var checker = Checker(syntax, in: environment)
    checker.check(syntax.root)
    if checker.diagnostics.hasErrors { return .failure(checker.diagnostics) }
    let cost = CostEstimator.estimate(syntax)
    if cost.minimum > environment.limits.budget {
      let message =
        "the expression takes at least \(cost.minimum) steps; at most \(environment.limits.budget) are allowed"
      return .failure(Diagnostics([Diagnostic(.expressionTooLarge, message, part: .text(syntax.ranges[syntax.root]))]))
    }
    var planner = Planner(checker)
    let root = planner.plan(syntax.root)
    if planner.diagnostics.hasErrors { return .failure(planner.diagnostics) }
    let variables = checker.usedSlots.map { (slot: $0, variable: environment.variables[$0]) }
    let body = PlanBody(self, root: root, slotCount: checker.slotCount, variables: variables)
    return .success(
      Plan(
        checker.types[syntax.root].settled, cost, readsTime: checker.calls { $0.name == "now" },
        callsHost: !environment.declaredFunctions.isEmpty
          && checker.calls { checker.declaredFunction($0.name) != nil }, body))
  }
}

extension Expression: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { text = value }
}

extension Expression: Codable {
  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

public import StreamCore

/// The text of an expression, not yet known to be one.
public struct Expression: Hashable, Sendable {
  public var text: String

  public init(_ text: String) { self.text = text }

  /// The tree that the text means, its macros expanded.
  public func parse(_ limits: Limits = Limits()) throws(Diagnostics) -> Syntax {
    try DeepStack.run(text, depth: limits.depth) { parsed(limits, macrosEnabled: true) }.get()
  }

  /// The expression ready to run: parsed, checked and planned. All mistakes that are found are thrown at once.
  public func plan(in environment: Environment) throws(Diagnostics) -> Plan {
    try DeepStack.run(text, depth: environment.limits.depth) { planned(environment) }.get()
  }

  private func parsed(_ limits: Limits, macrosEnabled: Bool) -> Result<Syntax, Diagnostics> {
    do throws(Diagnostic) {
      return .success(try Parser.parse(text, limits: limits, macrosEnabled: macrosEnabled))
    } catch {
      return .failure(Diagnostics([error]))
    }
  }

  private func planned(_ environment: Environment) -> Result<Plan, Diagnostics> {
    let syntax: Syntax
    switch parsed(environment.limits, macrosEnabled: environment.macrosEnabled) {
    case .success(let result): syntax = result
    case .failure(let error): return .failure(error)
    }
    var checker = Checker(syntax, in: environment)
    checker.check(syntax.root)
    if checker.diagnostics.hasErrors { return .failure(checker.diagnostics) }
    var planner = Planner(checker)
    let root = planner.plan(syntax.root)
    if planner.diagnostics.hasErrors { return .failure(planner.diagnostics) }
    let body = PlanBody(root: root, slotCount: checker.slotCount, fieldCacheCount: planner.fieldCacheCount)
    let names = Set(checker.usedSlots.map { environment.variables[$0].name })
    return .success(Plan(self, checker.types[syntax.root].settled, usedNames: names, body))
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

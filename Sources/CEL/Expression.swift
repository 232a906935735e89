public import StreamCore

/// The text of an expression, not yet known to be one.
public struct Expression: Hashable, Sendable {
  public var text: String

  public init(_ text: String) { self.text = text }

  /// The tree that the text means, its macros expanded.
  public func parse(_ limits: Limits = Limits()) throws(Diagnostics) -> Syntax {
    try parse(limits, macrosEnabled: true)
  }

  func parse(_ limits: Limits, macrosEnabled: Bool) throws(Diagnostics) -> Syntax {
    do throws(Diagnostic) {
      return try Parser.parse(text, limits: limits, macrosEnabled: macrosEnabled)
    } catch {
      throw Diagnostics([error])
    }
  }

  /// The expression ready to run: parsed, checked and planned. All mistakes that are found are thrown at once.
  public func plan(in environment: Environment) throws(Diagnostics) -> Plan {
    let syntax = try parse(environment.limits, macrosEnabled: environment.macrosEnabled)
    var checker = Checker(syntax, in: environment)
    checker.check(syntax.root)
    try checker.diagnostics.throwErrors()
    var planner = Planner(checker)
    let root = planner.plan(syntax.root)
    try planner.diagnostics.throwErrors()
    let body = PlanBody(root: root, slotCount: checker.slotCount, fieldCacheCount: planner.fieldCacheCount)
    let names = Set(checker.usedSlots.map { environment.variables[$0].name })
    return Plan(self, checker.types[syntax.root].settled, usedNames: names, body)
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

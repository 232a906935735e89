import StreamCore
import Testing

@testable import CEL

@Suite struct Costs {
  static let variables = [Variable("value"), Variable("x", .int)]

  @Test(
    "A plan knows what it costs",
    arguments: [
      ("x + 1", "3 steps"), ("1", "1 step"), ("x > 1 ? x + 1 : 0", "5…7 steps"), ("x > 1 && x < 9", "4…7 steps"),
      ("[1, 2, 3].map(e, e + x)", "16 steps"),
      ("[1, 2, 3].filter(e, e > x)", "16…19 steps"),
      ("value.items.map(e, e + 1)", "at least 5 steps, growing with the comprehension over `value.items`"),
      (
        "[1].exists(e, e > x) ? value.all(v, v) : true",
        "at least 12 steps, growing with the comprehension over `value`"
      ),
      ("lists.range(10).map(e, e)", "15 steps"),
      ("cel.bind(l, [1, 2], l.map(e, e))", "11 steps"),
    ])
  func planKnowsWhat(text: String, cost: String) throws {
    let plan = try CELExpression(text).plan(in: ExpressionEnvironment(variables: Self.variables))
    #expect(plan.cost.description == cost)
  }

  @Test("An expression whose minimum cost exceeds the budget is refused")
  func expressionWhoseMinimum() {
    let limits = ExpressionLimits(budget: 1000)
    let refused = failure("lists.range(400).map(e, e + e)", limits: limits)
    #expect(refused?.code == .expressionTooLarge)
    let needless = failure("false && lists.range(400).map(e, e + e) == []", limits: limits)
    #expect(needless == nil)
  }
}

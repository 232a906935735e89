import CEL
import StreamCore
import Testing

/// Memory that is used again leaves nothing of one expression in the next.
@Suite struct ExpressionMemoryTests {
  private static let texts = [
    "value + 1", "value +", "[1, 2, 3].map(x, x * value)", "nothing", "value > 2 ? 'more' : 'less'", "'a' + 1",
    "{'a': value, 'b': [value]}.a", "((((((((((((((value))))))))))))))", "1", "'", "value.all(x, x > 0)",
    "value % 2 == 0",
  ]

  /// The type and the value of an expression, or its errors.
  private func account(_ text: String, _ memory: ExpressionMemory) -> String {
    let environment = ExpressionEnvironment(variables: [Variable("value", .int), Variable("index", .int)])
    do throws(Diagnostics) {
      let plan = try CELExpression(text).plan(in: environment, using: memory)
      let activation = Activation(slotCount: 2)
      activation.set(7, at: 0)
      let result = Result { () throws(EvaluationError) in try plan.evaluate(activation) }
      return "\(plan.resultType) \(plan.cost) \(plan.usedVariables.map(\.variable.name)) \(result)"
    } catch {
      return error.all.map { "\($0.code) \($0.message) \($0.part)" }.joined(separator: "; ")
    }
  }

  @Test("Expressions read in one memory are what they are alone") func sharing() {
    let memory = ExpressionMemory()
    for text in Self.texts + Self.texts.reversed() {
      let (shared, alone) = (account(text, memory), account(text, ExpressionMemory()))
      #expect(shared == alone, "\(text)")
    }
  }
}

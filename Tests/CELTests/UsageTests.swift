import CEL
import StreamCore
import Testing

/// The code of the library's documentation, word for word.
@Suite struct UsageTests {
  @Test("An expression is planned once and evaluated")
  func planning() throws {
    let environment = ExpressionEnvironment(variables: [Variable("price", .double), Variable("count", .int)])
    let plan = try CELExpression("price * count > 100.0 ? 'large' : 'small'").plan(in: environment)

    let activation = Activation(slotCount: 2)
    activation.set(.double(19.5), at: 0)
    activation.set(.int(6), at: 1)
    let size = try plan.evaluate(activation)

    #expect(size == "large")
  }
}

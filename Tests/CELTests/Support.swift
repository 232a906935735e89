import StreamCore

@testable import CEL

/// The value of an expression with these variables. The checker knows only the given types.
func evaluate(
  _ text: String, _ values: [String: Value] = [:], types: [String: CELType] = [:], numbers: Numbers = .mixed,
  limits: ExpressionLimits = ExpressionLimits()
) throws -> Value {
  let names = values.keys.sorted()
  var environment = ExpressionEnvironment(
    variables: names.map { Variable($0, types[$0] ?? .dyn) }, numbers: numbers, limits: limits)
  environment.random = .place(key: { 1 }, slots: [])
  let plan = try CELExpression(text).plan(in: environment)
  let activation = Activation(slotCount: names.count, limits: limits)
  for (slot, name) in names.enumerated() { activation.set(values[name] ?? .null, at: slot) }
  return try plan.evaluate(activation)
}

/// The code and place with which an expression is refused or fails; nil when it has a value.
func failure(
  _ text: String, _ values: [String: Value] = [:], types: [String: CELType] = [:], numbers: Numbers = .mixed,
  limits: ExpressionLimits = ExpressionLimits()
) -> Failure? {
  do {
    _ = try evaluate(text, values, types: types, numbers: numbers, limits: limits)
    return nil
  } catch let error as Diagnostics {
    guard let first = error.all.first else { return nil }
    guard case .text(let range) = first.part else { return Failure(code: first.code, range: 0..<0) }
    return Failure(code: first.code, range: range, message: first.message, help: first.help)
  } catch let error as EvaluationError {
    return Failure(code: error.code, range: error.range, message: error.message)
  } catch {
    return nil
  }
}

struct Failure {
  var code: DiagnosticCode
  var range: Range<Int>
  var message = ""
  var help: String?
}

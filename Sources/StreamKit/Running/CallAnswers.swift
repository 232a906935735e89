internal import CEL
internal import StreamCore
package import StreamEngine

/// Returns the results of calls from a test.
package struct CallAnswers {
  private struct Answer {
    let argument: Value?
    let after: Interval
    let result: Result
  }

  private enum Result {
    case value(Value)
    case plan(Plan)
    case failure(Value)
  }

  private let answers: [String: [Answer]]
  private let activation = Activation(slotCount: 1)

  /// - Throws: The errors in the expressions, at their locations in `calls`.
  init(_ scripts: Members<StreamTest.CallScript>, options: CompileOptions) throws(Diagnostics) {
    var answers: [String: [Answer]] = [:]
    for (name, script) in scripts {
      for (index, answer) in script.answers.enumerated() {
        let result: Result
        switch answer.kind {
        case .value(let value): result = .value(value)
        case .failure(let failure): result = .failure(failure)
        case .expression(let expression):
          do throws(Diagnostics) {
            var environment = ExpressionEnvironment(variables: [Variable("argument")], numbers: options.numbers)
            environment.unwrapsOptionals = true
            result = .plan(try expression.plan(in: environment))
          } catch {
            let place = script.answers.count == 1 ? [name] : [name, String(index)]
            throw error.prefixed(by: JSONPointer(["calls"] + place + ["expression"]))
          }
        }
        answers[name, default: []].append(
          Answer(argument: answer.argument, after: Interval(seconds: answer.after), result: result))
      }
    }
    self.answers = answers
  }

  /// Returns the first result that matches the call; nil if there is none.
  package func answer(_ call: Call) -> VirtualRun.CallAnswer? {
    let fitting = answers[call.function]?.first { $0.argument?.isPrinted(as: call.argument) ?? true }
    guard let fitting else { return nil }
    switch fitting.result {
    case .value(let value): return VirtualRun.CallAnswer(.success(value), after: fitting.after)
    case .failure(let failure):
      return VirtualRun.CallAnswer(
        .failure(StreamFailure(payload: failure, pointer: call.pointer)), after: fitting.after)
    case .plan(let plan):
      activation.set(call.argument, at: 0)
      do throws(EvaluationError) {
        return VirtualRun.CallAnswer(.success(try plan.evaluate(activation)), after: fitting.after)
      } catch {
        return VirtualRun.CallAnswer(
          .failure(StreamFailure(error, pointer: call.pointer, value: call.argument)), after: fitting.after)
      }
    }
  }
}

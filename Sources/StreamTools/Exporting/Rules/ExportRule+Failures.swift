internal import CEL
internal import StreamCore
internal import StreamKit

extension ExportRule {
  /// Operators about failures, and hooks.
  static let failures: [ExportRule] = [
    ExportRule(
      Operator.Validate.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        let test = try step.swift(
          fields.expression, [ExportVariable(name: "value", code: "value", type: fragment.type)], as: .bool)
        let error = try step.swiftError(
          fields.error ?? ["message": .string(fields.message ?? "the value does not satisfy \(fields.expression.text)")]
        )
        fragment.add(".tryMap { value in\n  guard \(test.whole) else { throw \(error) }\n  return value\n}")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        step.script.uses("map")
        step.script.needs(.validated)
        let error = try JavaScriptTranslator.literal(
          fields.error ?? .string(fields.message ?? "the value does not satisfy \(fields.expression.text)"))
        let test = try step.javaScript(fields.expression, ["value"])
        fragment.add("map(value => validated(value, \(test.code), \(error.code)))")
      }),
    ExportRule(
      Operator.MapError.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        step.swiftOutput.needs(.failure)
        let found = try fragment.reason(fields.expression, step)
        guard !found.isThrowing else {
          throw ExportRefusal("an expression that may fail itself: \(fields.expression.text)")
        }
        fragment.add(".mapError { error in StreamError(payload: \(found.code)) }")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        step.script.uses("catchError", "throwError")
        let found = try step.javaScript(fields.expression, ["error"])
        fragment.add("catchError(error => throwError(() => \(found.body)))")
      }),
    ExportRule(
      Operator.Catch.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        step.swiftOutput.needs(.reason)
        var other = try step.stream(
          fields.stream.reference, field: JSONPointer(["stream"]),
          capturing: [ExportVariable(name: "error", code: "JSON(reason: error)", type: .json)])
        var all = try step.unified([fragment, other])
        fragment = all.removeFirst()
        other = all.removeFirst()
        let parameter = other.swift.contains("reason: error") ? "error" : "_"
        fragment.add(".catch { \(parameter) in\n\(other.swift.indented)\n}")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        step.script.uses("catchError")
        let other = try step.stream(
          fields.stream.reference, field: JSONPointer(["stream"]),
          capturing: [ExportVariable(name: "error", code: "error", type: .json)])
        fragment.add("catchError(error => \(other.javaScript))")
      }),
    ExportRule(
      Operator.ReplaceError.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        if let expression = fields.expression {
          fragment = try step.unified([fragment, Fragment("", .json)])[0]
          let found = try fragment.reason(expression, step)
          guard !found.isThrowing else {
            throw ExportRefusal("an expression that may fail itself: \(expression.text)")
          }
          return fragment.add(
            ".catch { \(expression.mentions("error") ? "error" : "_") in Just<JSON>(\(found.code))\(ExportSources.failing) }"
          )
        }
        let value = fields.with ?? .null
        var literal: SwiftExpression
        do throws(ExportRefusal) {
          literal = try step.swiftLiteral(value, as: fragment.type)
        } catch {
          fragment = try step.unified([fragment, Fragment("", .json)])[0]
          literal = try step.swiftLiteral(value, as: .json)
        }
        fragment.add(".replaceError(with: \(literal.code))")
        fragment.add(ExportSources.failing)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        step.script.uses("catchError", "of")
        let body =
          if let expression = fields.expression {
            try step.javaScript(expression, ["error"]).code
          } else {
            try JavaScriptTranslator.literal(fields.with ?? .null).code
          }
        fragment.add("catchError(error => of(\(body)))")
      }),
    ExportRule(
      Operator.ReplaceEmpty.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        guard let value = fields.with else { throw ExportRefusal("the field 'expression'") }
        fragment.add(".replaceEmpty(with: \(try step.swiftLiteral(value, as: fragment.type).code))")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        guard let value = fields.with else { throw ExportRefusal("the field 'expression'") }
        try fragment.call("defaultIfEmpty", JavaScriptTranslator.literal(value).code, step)
      }),
    ExportRule(
      Operator.Retry.self,
      swift: { fields, fragment, _ throws(ExportRefusal) in
        guard let count = fields.count else { throw ExportRefusal("'retry' without 'count'") }
        try ExportRefusal.unless(fields.seconds == nil, "seconds")
        try ExportRefusal.unless(fields.expression == nil, "expression")
        try ExportRefusal.unless(fields.stream == nil, "stream")
        try ExportRefusal.unless(fields.resetOnValue != true, "resetOnValue")
        fragment.add(".retry(\(count))")
      }),
    ExportRule(
      Operator.ToResult.self,
      swift: { _, fragment, step throws(ExportRefusal) in try fragment.outcome("success", "failure", step) },
      rxjs: { _, fragment, step throws(ExportRefusal) in fragment.outcomeInScript("success", "failure", step) }),
    ExportRule(
      Operator.ToLoadingState.self,
      swift: { _, fragment, step throws(ExportRefusal) in try fragment.outcome("loaded", "failed", step) },
      rxjs: { _, fragment, step throws(ExportRefusal) in fragment.outcomeInScript("loaded", "failed", step) }),
    ExportRule(
      Operator.HandleEvents.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        guard fields.receiveSubscription == nil, fields.receiveRequest == nil, fields.receiveCancel == nil,
          fields.receiveCompletion == nil, let hook = fields.receiveOutput
        else { throw ExportRefusal("a hook other than 'receiveOutput'") }
        let (function, type) = step.walk.function(hook, argument: fragment.type, isHook: true)
        let value = try SwiftTranslator(variables: [], hint: step.hint, output: step.swiftOutput)
          .converted(SwiftExpression(code: "$0", type: fragment.type), to: type)
        fragment.add(
          ".handleEvents(receiveOutput: \(value.code == "$0" ? function : "{ \(function)(\(value.code)) }"))")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        guard fields.receiveSubscription == nil, fields.receiveRequest == nil, fields.receiveCancel == nil,
          fields.receiveCompletion == nil, let hook = fields.receiveOutput
        else { throw ExportRefusal("a hook other than 'receiveOutput'") }
        fragment.call("tap", step.walk.function(hook, argument: .json, isHook: true).code, step)
      }),
  ]
}

extension Fragment {
  /// An expression over `error` in Swift, as a `JSON`.
  fileprivate func reason(_ expression: CELExpression, _ step: ExportStep) throws(ExportRefusal) -> SwiftExpression {
    step.swiftOutput.needs(.reason)
    return try step.swift(
      expression, [ExportVariable(name: "error", code: "JSON(reason: error)", type: .json)], as: .json)
  }

  fileprivate mutating func outcome(_ value: String, _ error: String, _ step: ExportStep) throws(ExportRefusal) {
    step.swiftOutput.needs(.reason)
    let content = try SwiftTranslator(variables: [], hint: step.hint, output: step.swiftOutput)
      .converted(SwiftExpression(code: "value", type: type), to: .json)
    add(".map { value -> JSON in [\"\(value)\": \(content.code)] }", .json)
    add(".catch { error in Just<JSON>([\"\(error)\": JSON(reason: error)])\(ExportSources.failing) }")
  }

  fileprivate mutating func outcomeInScript(_ value: String, _ error: String, _ step: ExportStep) {
    step.script.uses("map", "catchError", "of")
    add("map(value => ({ \(value): value }))")
    add("catchError(error => of({ \(error): error }))")
  }
}

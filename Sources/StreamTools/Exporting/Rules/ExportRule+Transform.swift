internal import CEL
internal import StreamCore
internal import StreamKit

extension ExportRule {
  /// Operators that make another value of each.
  static let transform: [ExportRule] = [
    ExportRule(
      Operator.Map.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try fragment.map(fields.expression, step)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try fragment.call("map", step.arrow(fields.expression), step)
      }),
    ExportRule(
      Operator.CompactMap.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try fragment.map(fields.expression, step)
        fragment.dropNulls()
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        step.script.uses("map", "filter")
        fragment.add("map(\(try step.arrow(fields.expression)))")
        fragment.add("filter(value => value !== null)")
      }),
    ExportRule(
      Operator.Scan.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try fragment.fold("scan", "tryScan", fields.initialValue, fields.expression, step)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try fragment.foldInScript("scan", fields.initialValue, fields.expression, step)
      }),
    ExportRule(
      Operator.Reduce.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try fragment.fold("reduce", "tryReduce", fields.initialValue, fields.expression, step)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try fragment.foldInScript("reduce", fields.initialValue, fields.expression, step)
      }),
    ExportRule(
      Operator.Collect.self,
      swift: { fields, fragment, _ throws(ExportRefusal) in
        try ExportRefusal.unless(fields.startEvery == nil, "startEvery")
        fragment.add(".collect(\(fields.count.map { String($0) } ?? ""))", .list(fragment.type))
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        guard let count = fields.count else {
          return fragment.call("toArray", "", step)
        }
        fragment.call("bufferCount", "\(count)\(fields.startEvery.map { ", \($0)" } ?? "")", step)
      }),
    ExportRule(
      Operator.ReplaceNil.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        guard let value = fields.with else { throw ExportRefusal("the field 'expression'") }
        guard fragment.type == .json else { return }
        let literal = try step.swiftLiteral(value, as: .json)
        fragment.add(".map { value -> JSON in value == .null ? \(literal.code) : value }")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        guard let value = fields.with else { throw ExportRefusal("the field 'expression'") }
        fragment.call("map", "value => value ?? \(try JavaScriptTranslator.literal(value).code)", step)
      }),
    ExportRule(
      Operator.Unwrap.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        guard fragment.type == .json else { return }
        let error = try step.swiftError(fields.error ?? ["message": .string(fields.message ?? "the value is null")])
        fragment.add(".tryMap { value in\n  if value == .null { throw \(error) }\n  return value\n}")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        step.script.uses("map")
        step.script.needs(.validated)
        let error = try JavaScriptTranslator.literal(fields.error ?? .string(fields.message ?? "the value is null"))
        fragment.add("map(value => validated(value, value !== null, \(error.code)))")
      }),
    ExportRule(
      Operator.WithPrevious.self,
      swift: { fields, fragment, step throws(ExportRefusal) in try fragment.previous(fields, step) },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        step.script.uses("scan", "map")
        let first = try JavaScriptTranslator.literal(fields.initialValue ?? .null).code
        let body = try fields.expression.translated { expression throws(ExportRefusal) in
          try step.javaScript(expression, ["value", "previous"]).body
        }
        fragment.add("scan((pair, value) => [pair[1], value], [null, \(first)])")
        fragment.add("map(([previous, value]) => \(body ?? "[previous, value]"))")
      }),
    ExportRule(
      Operator.Toggle.self,
      swift: { _, fragment, _ throws(ExportRefusal) in
        guard fragment.type == .bool else { throw ExportRefusal("values of type \(fragment.type.text)") }
        fragment.add(".map { !$0 }")
      },
      rxjs: { _, fragment, step throws(ExportRefusal) in
        fragment.call("map", "value => !value", step)
      }),
    ExportRule(
      Operator.Decode.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        if fragment.type == .json {
          let text = try SwiftTranslator(variables: [], hint: step.hint, output: step.swiftOutput)
            .converted(SwiftExpression(code: "$0", type: .json), to: .string)
          fragment.add(".tryMap { \(text.whole) }", .string)
        }
        guard fragment.type == .string else { throw ExportRefusal("values of type \(fragment.type.text)") }
        let declared = (try? CELType.declared(fields.type, field: "type")) ?? .dyn
        let type = step.swiftOutput.records.type(of: declared, hint: step.hint + "Content")
        if type == .json { step.swiftOutput.needs(.json) }
        step.swiftOutput.needs(.decode)
        let names = fields.names == .fromSnakeCase ? ", names: .convertFromSnakeCase" : ""
        fragment.add(".decoded(as: \(type.text).self\(names))", type)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        step.script.uses("map")
        if fields.names == .fromSnakeCase { step.script.needs(.camelCase) }
        let function = fields.names == .fromSnakeCase ? "parseSnakeCase" : "JSON.parse"
        let declared = (try? CELType.declared(fields.type, field: "type")) ?? .dyn
        guard declared != .dyn else { return fragment.add("map(text => \(function)(text))") }
        step.script.needs(.typed)
        fragment.add("map(text => typed(\(function)(text), \(try JavaScriptTranslator.literal(of: declared))))")
      }),
  ]
}

extension Fragment {
  /// Appends `map`, in its throwing form if the expression can throw.
  mutating func map(_ expression: CELExpression, _ step: ExportStep) throws(ExportRefusal) {
    let (found, closure) = try step.closure(expression, over: type)
    add(".\(found.isThrowing ? "tryMap" : "map") \(closure)", found.type)
  }

  /// Drops null values.
  fileprivate mutating func dropNulls() {
    if type == .json { add(".filter { $0 != .null }") }
  }

  /// Appends `scan` or `reduce`: the accumulation has the type of the initial value if the expression keeps it.
  fileprivate mutating func fold(
    _ total: String, _ throwing: String, _ initial: Value?, _ expression: CELExpression, _ step: ExportStep
  ) throws(ExportRefusal) {
    guard let initial else { throw ExportRefusal("'\(total)' without 'initialValue'") }
    func body(_ type: SwiftType) throws(ExportRefusal) -> SwiftExpression {
      try step.swift(
        expression,
        [
          ExportVariable(name: "value", code: "value", type: self.type),
          ExportVariable(name: "acc", code: "acc", type: type),
        ], as: type)
    }
    var type = SwiftType(of: initial)
    if case .list(let elements) = initial, elements.isEmpty { type = .list(self.type) }
    var first: SwiftExpression
    var found: SwiftExpression
    do throws(ExportRefusal) {
      found = try body(type)
      if found.isThrowing, type != .json, self.type == .json { throw ExportRefusal("") }
      first = try step.swiftLiteral(initial, as: type)
    } catch {
      if case .list = type, self.type == .json, let kept = try? body(type) {
        found = kept
        first = try step.swiftLiteral(initial, as: type)
      } else {
        type = .json
        found = try body(.json)
        first = try step.swiftLiteral(initial, as: .json)
      }
    }
    let start: String =
      switch type {
      case .json: "\(first.code) as JSON"
      case .list(let element) where first.code == "[]": "[\(element.text)]()"
      default: first.code
      }
    add(".\(found.isThrowing ? throwing : total)(\(start)) " + ExportStep.closure(["acc", "value"], found), type)
  }

  fileprivate mutating func foldInScript(
    _ name: String, _ initial: Value?, _ expression: CELExpression, _ step: ExportStep
  ) throws(ExportRefusal) {
    step.script.uses(name)
    let body = try step.javaScript(expression, ["acc", "value"]).body
    let first = try initial.translated { value throws(ExportRefusal) in
      ", \(try JavaScriptTranslator.literal(value).code)"
    }
    add("\(name)((acc, value) => \(body)\(first ?? ""))")
  }

  fileprivate mutating func previous(_ fields: Operator.WithPrevious, _ step: ExportStep) throws(ExportRefusal) {
    var upstream = try step.unified([self, Fragment("", fields.initialValue.map(SwiftType.init(of:)) ?? .json)])[0]
    let first = try step.swiftLiteral(fields.initialValue ?? .null, as: upstream.type)
    let type = upstream.type
    let start = type == .json ? "\(first.code) as JSON" : first.code
    upstream.add(".scan((\(start), \(start))) { ($0.1, $1) }")
    let body: SwiftExpression
    if let expression = fields.expression {
      body = try step.swift(
        expression,
        [
          ExportVariable(name: "previous", code: "previous", type: type),
          ExportVariable(name: "value", code: "value", type: type),
        ])
    } else {
      body = SwiftExpression(code: "[previous, value]", type: .list(type))
    }
    let parameters = [
      fields.expression?.mentions("previous") == false ? "_" : "previous",
      fields.expression?.mentions("value") == false ? "_" : "value",
    ]
    upstream.add(".\(body.isThrowing ? "tryMap" : "map") " + ExportStep.closure(parameters, body), body.type)
    self = upstream
  }
}

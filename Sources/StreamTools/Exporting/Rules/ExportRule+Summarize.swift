internal import CEL
internal import StreamCore
internal import StreamKit

extension ExportRule {
  /// Operators that make one value of all.
  static let summarize: [ExportRule] = [
    ExportRule(
      Operator.Count.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        if let expression = fields.expression { try fragment.test("filter", "tryFilter", expression, step) }
        fragment.add(".count()", .int)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        step.script.uses("count")
        let test = try fields.expression.translated { expression throws(ExportRefusal) in try step.arrow(expression) }
        fragment.add("count(\(test ?? ""))")
      }),
    ExportRule(
      Operator.Contains.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        if let expression = fields.expression {
          return try fragment.test("contains", "tryContains", expression, step, label: "where", type: .bool)
        }
        let literal = try step.swiftLiteral(fields.value ?? .null, as: fragment.type)
        fragment.add(".contains(\(literal.code))", .bool)
      }),
    ExportRule(
      Operator.AllSatisfy.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try fragment.test("allSatisfy", "tryAllSatisfy", fields.expression, step, type: .bool)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try fragment.call("every", step.arrow(fields.expression), step)
      }),
    ExportRule(
      Operator.IsEmpty.self,
      swift: { _, fragment, _ throws(ExportRefusal) in
        fragment.add(".contains { _ in true }")
        fragment.add(".map { !$0 }", .bool)
      },
      rxjs: { _, fragment, step throws(ExportRefusal) in
        fragment.call("isEmpty", "", step)
      }),
    ExportRule(
      Operator.Min.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try fragment.extreme("min", fields.by, fields.compare)
      }),
    ExportRule(
      Operator.Max.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try fragment.extreme("max", fields.by, fields.compare)
      }),
  ]
}

extension Fragment {
  fileprivate mutating func extreme(
    _ name: String, _ by: CELExpression?, _ compare: CELExpression?
  ) throws(ExportRefusal) {
    try ExportRefusal.unless(by == nil, "by")
    try ExportRefusal.unless(compare == nil, "compare")
    switch type {
    case .int, .double, .string: add(".\(name)()")
    default: throw ExportRefusal("values of type \(type.text)")
    }
  }
}

internal import CEL
internal import StreamCore
internal import StreamKit

extension ExportRule {
  /// Operators that choose among the values.
  static let select: [ExportRule] = [
    ExportRule(
      Operator.Filter.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try fragment.test("filter", "tryFilter", fields.expression, step)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try fragment.call("filter", step.arrow(fields.expression), step)
      }),
    ExportRule(
      Operator.RemoveDuplicates.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.by == nil, "by")
        guard let key = fields.key else { return fragment.add(".removeDuplicates()") }
        let sides = try ["first", "second"].translated { side throws(ExportRefusal) in
          try step.swift(key, [ExportVariable(name: "value", code: side, type: fragment.type)])
        }
        let isThrowing = sides.contains(where: \.isThrowing)
        let body = SwiftExpression(
          code: sides.map { $0.code(in: SwiftExpression.Precedence.sum) }.joined(separator: " == "), type: .bool,
          isThrowing: isThrowing)
        fragment.add(
          ".\(isThrowing ? "tryRemoveDuplicates" : "removeDuplicates") "
            + ExportStep.closure(["first", "second"], body))
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.by == nil, "by")
        step.script.uses("distinctUntilChanged")
        step.script.needs(.equal)
        let key = try fields.key.translated { key throws(ExportRefusal) in ", \(try step.arrow(key))" }
        fragment.add("distinctUntilChanged(equal\(key ?? ""))")
      }),
    ExportRule(
      Operator.Distinct.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.key == nil, "key")
        try ExportRefusal.unless(fields.reset == nil, "reset")
        try ExportRefusal.unless(fields.limit == nil, "limit")
        step.swiftOutput.needs(.distinct)
        fragment.add(".distinct()")
      }),
    ExportRule(
      Operator.Drop.self,
      swift: { fields, fragment, _ throws(ExportRefusal) in
        fragment.add(".dropFirst(\(fields.count.map { $0 == 1 ? "" : String($0) } ?? ""))")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        fragment.call("skip", "\(fields.count ?? 1)", step)
      }),
    ExportRule(
      Operator.Prefix.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        step.swiftOutput.needs(.take)
        fragment.add(".take(\(fields.count))")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        fragment.call("take", "\(fields.count)", step)
      }),
    ExportRule(
      Operator.DropWhile.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try fragment.test("drop", "tryDrop", fields.expression, step, label: "while")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try fragment.call("skipWhile", step.arrow(fields.expression), step)
      }),
    ExportRule(
      Operator.PrefixWhile.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.inclusive != true, "inclusive")
        try fragment.test("prefix", "tryPrefix", fields.expression, step, label: "while")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        step.script.uses("takeWhile")
        let inclusive = fields.inclusive == true ? ", true" : ""
        fragment.add("takeWhile(\(try step.arrow(fields.expression))\(inclusive))")
      }),
    ExportRule(
      Operator.PrefixUntil.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.failures ?? .ignore == .ignore, "failures")
        var other = try step.stream(fields.stream.reference, field: JSONPointer(["stream"]))
        if other.type == .never { other.settle(as: .json) }
        fragment.add(".prefix(untilOutputFrom: \(other.argument))")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.failures == .pass, "failures")
        step.script.uses("takeUntil")
        let other = try step.stream(fields.stream.reference, field: JSONPointer(["stream"]))
        fragment.add("takeUntil(\(other.javaScript))")
      }),
    ExportRule(
      Operator.First.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        guard let expression = fields.expression else { return fragment.add(".first()") }
        try fragment.test("first", "tryFirst", expression, step, label: "where")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        if let expression = fields.expression {
          try fragment.call("filter", step.arrow(expression), step)
        }
        fragment.call("take", "1", step)
      }),
    ExportRule(
      Operator.Last.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.count == nil, "count")
        guard let expression = fields.expression else { return fragment.add(".last()") }
        try fragment.test("last", "tryLast", expression, step, label: "where")
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        if let expression = fields.expression {
          try fragment.call("filter", step.arrow(expression), step)
        }
        fragment.call("takeLast", "\(fields.count ?? 1)", step)
      }),
    ExportRule(
      Operator.IgnoreOutput.self,
      swift: { _, fragment, _ throws(ExportRefusal) in
        fragment.add(".filter { _ in false }")
      },
      rxjs: { _, fragment, step throws(ExportRefusal) in
        fragment.call("ignoreElements", "", step)
      }),
    ExportRule(
      Operator.IgnoreFailure.self,
      swift: { _, fragment, _ throws(ExportRefusal) in
        fragment.add(".catch { _ in Empty<\(fragment.type.text), any Error>() }")
      },
      rxjs: { _, fragment, step throws(ExportRefusal) in
        step.script.uses("catchError", "EMPTY")
        fragment.add("catchError(() => EMPTY)")
      }),
  ]
}

extension Fragment {
  /// Appends an operator with a predicate over `value`, in its throwing form if the predicate can throw.
  mutating func test(
    _ total: String, _ throwing: String, _ expression: CELExpression, _ step: ExportStep, label: String? = nil,
    type: SwiftType? = nil
  ) throws(ExportRefusal) {
    let (found, closure) = try step.closure(expression, over: self.type, as: .bool)
    let name = found.isThrowing ? throwing : total
    add(label.map { ".\(name)(\($0): \(closure))" } ?? ".\(name) \(closure)", type)
  }

  /// In Swift, the stream as an argument.
  var argument: String { steps.isEmpty ? head : "\n\(swift.indented)\n" }
}

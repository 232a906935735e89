internal import CEL
internal import StreamCore
internal import StreamKit

extension ExportRule {
  /// Operators that take other streams.
  static let combine: [ExportRule] = [
    ExportRule(
      Operator.Zip.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try fragment.pair("zip", fields.with, fields.names, fields.expression, step)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try fragment.pairInScript("zipWith", fields.with, fields.names, fields.expression, step)
      }),
    ExportRule(
      Operator.CombineLatest.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.atomic != true, "atomic")
        step.swiftOutput.needs(.combineLatest)
        try fragment.pair("combineLatest", fields.with, fields.names, fields.expression, step)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.atomic != true, "atomic")
        try fragment.pairInScript("combineLatestWith", fields.with, fields.names, fields.expression, step)
      }),
    ExportRule(
      Operator.WithLatestFrom.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        guard fields.with.all.count == 1 else { throw ExportRefusal("more than one stream") }
        step.swiftOutput.needs(.withLatestFrom)
        try fragment.pair("withLatestFrom", fields.with, fields.names, fields.expression, step)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try fragment.pairInScript("withLatestFrom", fields.with, fields.names, fields.expression, step)
      }),
    ExportRule(
      Operator.Merge.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.maxPublishers == nil, "maxPublishers")
        step.swiftOutput.needs(.merge)
        var all = try step.unified([fragment] + (try step.streams(fields.with)))
        fragment = all.removeFirst()
        for other in all { fragment.add(".merge(with: \(other.argument))") }
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.maxPublishers == nil, "maxPublishers")
        fragment.call("mergeWith", Fragment.arguments(try step.streams(fields.with)), step)
      }),
    ExportRule(
      Operator.Append.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.failures ?? .stop == .stop, "failures")
        fragment = try ExportSources.appended([fragment] + (try step.streams(fields.with)), step)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.failures ?? .stop == .stop, "failures")
        fragment.call("concatWith", Fragment.arguments(try step.streams(fields.with)), step)
      }),
    ExportRule(
      Operator.Prepend.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        var all = try step.unified([fragment] + (try step.streams(fields.with)))
        fragment = all.removeFirst()
        for other in all.reversed() { fragment.add(".prepend(\(other.argument))") }
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        step.script.uses("concat")
        fragment.add("source => concat(\(Fragment.arguments(try step.streams(fields.with))), source)")
      }),
  ]
}

extension Fragment {
  /// The streams as arguments of a function of JavaScript.
  fileprivate static func arguments(_ streams: [Fragment]) -> String {
    streams.map(\.javaScript).joined(separator: ", ")
  }

  /// Appends an operator that publishes tuples, and a conversion of the tuples to values.
  fileprivate mutating func pair(
    _ name: String, _ with: StreamReferences, _ names: [String]?, _ expression: CELExpression?, _ step: ExportStep
  ) throws(ExportRefusal) {
    guard with.all.count <= 3 else { throw ExportRefusal("more than four streams") }
    var all = [self] + (try step.streams(with))
    for index in all.indices where all[index].type == .never { all[index].settle(as: .json) }
    add(".\(name)(\(all.dropFirst().map(\.argument).joined(separator: ", ")))")
    let called = names ?? Self.defaultNames(expression, with)
    let variables = zip(called, all).map { name, stream in
      ExportVariable(name: name, code: SwiftName.variable(name), type: stream.type)
    }
    let body: SwiftExpression
    if let expression {
      body = try step.swift(expression, variables)
    } else {
      let parts: [ExpressionTree] = called.map { .variable($0) }
      let tree: ExpressionTree =
        names == nil ? .list(parts) : .map(zip(called, parts).map { (.literal(.string($0)), $1) })
      body = try SwiftTranslator(variables: variables, hint: step.hint, output: step.swiftOutput).translate(tree)
    }
    let parameters = variables.map { variable in
      expression?.mentions(variable.name) == false ? "_" : variable.code
    }
    add(".\(body.isThrowing ? "tryMap" : "map") " + ExportStep.closure(parameters, body), body.type)
  }

  fileprivate mutating func pairInScript(
    _ name: String, _ with: StreamReferences, _ names: [String]?, _ expression: CELExpression?, _ step: ExportStep
  ) throws(ExportRefusal) {
    step.script.uses(name)
    add("\(name)(\(Self.arguments(try step.streams(with))))")
    guard names != nil || expression != nil else { return }
    let called = names ?? Self.defaultNames(expression, with)
    let body =
      if let expression {
        try step.javaScript(expression, called).body
      } else {
        "({ \(called.joined(separator: ", ")) })"
      }
    call("map", "([\(called.joined(separator: ", "))]) => \(body)", step)
  }

  /// The names of the streams if none are given.
  private static func defaultNames(_ expression: CELExpression?, _ with: StreamReferences) -> [String] {
    ["value"] + with.all.indices.map { "value\($0 + 2)" }
  }
}

internal import StreamCore
internal import StreamKit

extension ExportRule {
  /// Operators that start a stream for each value.
  static let flattening: [ExportRule] = [
    ExportRule(
      Operator.FlatMap.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try ExportRefusal.unless(fields.maxPublishers == nil, "maxPublishers")
        let strategy = fields.strategy ?? .merge
        guard strategy == .merge || strategy == .latest else {
          throw ExportRefusal("the strategy '\(strategy.rawValue)'")
        }
        try fragment.flatten(fields.stream, isLatest: strategy == .latest, step)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        let names: [Operator.FlatMap.Strategy: String] = [
          .merge: "mergeMap", .concat: "concatMap", .latest: "switchMap", .exhaust: "exhaustMap",
        ]
        let most = fields.maxPublishers.map { ", \($0)" } ?? ""
        try fragment.flattenInScript(names[fields.strategy ?? .merge] ?? "mergeMap", fields.stream, most, step)
      }),
    ExportRule(
      Operator.SwitchMap.self,
      swift: { fields, fragment, step throws(ExportRefusal) in
        try fragment.flatten(fields.stream, isLatest: true, step)
      },
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try fragment.flattenInScript("switchMap", fields.stream, "", step)
      }),
    ExportRule(
      Operator.ExhaustMap.self,
      rxjs: { fields, fragment, step throws(ExportRefusal) in
        try fragment.flattenInScript("exhaustMap", fields.stream, "", step)
      }),
  ]
}

extension Fragment {
  fileprivate mutating func flatten(_ stream: InnerStream, isLatest: Bool, _ step: ExportStep) throws(ExportRefusal) {
    let name = step.scope.captured.contains { $0.code == "outer" } ? "inner" : "outer"
    let captures = [ExportVariable(name: "outer", code: name, type: type)]
    var inner = try step.stream(stream.reference, field: JSONPointer(["stream"]), capturing: captures)
    if inner.type == .never { inner.settle(as: .json) }
    let body = inner.swift
    let isUsed = body.split { !$0.isLetter && !$0.isNumber }.contains { $0 == name }
    let parameter = isUsed ? name : "_"
    if isLatest {
      add(
        ".map { \(parameter) -> AnyPublisher<\(inner.type.text), any Error> in\n\(body.indented)\n    .eraseToAnyPublisher()\n}"
      )
      add(".switchToLatest()", inner.type)
    } else {
      add(".flatMap { \(parameter) in\n\(body.indented)\n}", inner.type)
    }
  }

  fileprivate mutating func flattenInScript(
    _ name: String, _ stream: InnerStream, _ most: String, _ step: ExportStep
  ) throws(ExportRefusal) {
    step.script.uses(name)
    let outer = step.scope.captured.contains { $0.code == "outer" } ? "inner" : "outer"
    let inner = try step.stream(
      stream.reference, field: JSONPointer(["stream"]),
      capturing: [
        ExportVariable(name: "outer", code: outer, type: .json),
        ExportVariable(name: "outerIndex", code: outer + "Index", type: .json),
      ])
    let usesIndex = inner.javaScript.contains(outer + "Index")
    add("\(name)(\(usesIndex ? "(\(outer), \(outer)Index)" : outer) => \(inner.javaScript)\(most))")
  }
}

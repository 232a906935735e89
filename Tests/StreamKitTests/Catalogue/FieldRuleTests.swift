import StreamCore
import StreamKit
import TestSupport
import Testing

/// Rules over several fields are checked, and errors have their place.
@Suite struct FieldRuleTests {
  static let broken: [(String, String)] = [
    (#"{"debounce": {}}"#, "S103 /operators/0/debounce"),
    (#"{"debounce": {"seconds": 1, "stream": "a"}}"#, "S111 /operators/0/debounce/stream"),
    (#"{"debounce": {"seconds": 0}}"#, "S104 /operators/0/debounce/seconds"),
    (#"{"zip": {"with": []}}"#, "S104 /operators/0/zip/with"),
    (#"{"sequenceEqual": {"with": ["a", "a"]}}"#, "S104 /operators/0/sequenceEqual/with"),
    (#"{"sample": {"seconds": 1e-7}}"#, "S104 /operators/0/sample/seconds"),
    (#"{"collect": {"startEvery": 2}}"#, "S111 /operators/0/collect/startEvery"),
    (#"{"collectUntil": {"opening": "a"}}"#, "S103 /operators/0/collectUntil"),
    (#"{"collectUntil": {"stream": "a", "expression": "true"}}"#, "S111 /operators/0/collectUntil/expression"),
    (#"{"throttle": {"seconds": 1, "edges": "leading", "latest": true}}"#, "S111 /operators/0/throttle/latest"),
    (#"{"timeout": {}}"#, "S103 /operators/0/timeout"),
    (#"{"min": {"by": "value", "compare": "first - second"}}"#, "S111 /operators/0/min/compare"),
    (#"{"window": {"operators": [], "count": 1, "stream": "a"}}"#, "S111 /operators/0/window/stream"),
    (#"{"retry": {"factor": 2}}"#, "S103 /operators/0/retry/factor"),
  ]

  @Test("A broken rule is refused with its code, at its place", arguments: broken)
  func refuses(_ json: String, _ problem: String) {
    let found = problems(#"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [\#(json)]}"#)
    #expect(found == [problem])
  }

  @Test("Every rule is of fields that there are")
  func namesFields() {
    for spec in Source.table.map(\.spec) + Operator.table.map(\.spec) {
      let names = Set(spec.fields.map(\.name))
      for rule in spec.rules { #expect(names.isSuperset(of: rule.fields), "\(spec.name): \(rule)") }
    }
  }

  @Test("If a rule has no message, the message names the field")
  func namesWords() {
    for spec in Operator.table.map(\.spec) {
      for case .silent(_, let other, let words) in spec.rules {
        guard case .choice(let known)? = spec.fields.first(where: { $0.name == other })?.kind else {
          Issue.record("\(spec.name): '\(other)' has no words")
          continue
        }
        #expect(Set(known).isSuperset(of: words), "\(spec.name)")
      }
    }
  }
}

extension OperatorSpec.Rule {
  /// The fields that the rule is about.
  fileprivate var fields: [String] {
    switch self {
    case .one(let names), .atMostOne(let names), .atLeastOne(let names), .together(let names): names
    case .needs(let field, let others): [field] + others
    case .silent(let field, let other, _): [field, other]
    case .above(let field, _), .atLeast(let field, _), .not(let field, _), .count(let field, _): [field]
    }
  }
}

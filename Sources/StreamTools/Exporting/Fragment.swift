/// A stream in exported code: where its values come from, and what is done with them.
struct Fragment {
  /// The publisher, or the Observable, that the operators are applied to.
  var head: String
  /// Operators: `.map { … }` in Swift, `map(…)` in JavaScript. May have several lines.
  var steps: [String] = []
  /// The type of the values.
  var type: SwiftType
  /// A comment for the next operator.
  var comment: String?

  init(_ head: String, _ type: SwiftType) {
    self.head = head
    self.type = type
  }

  /// Appends an operator that publishes values of a type.
  mutating func add(_ step: String, _ type: SwiftType? = nil) {
    steps.append((comment.map { "// \($0)\n" } ?? "") + step)
    comment = nil
    if let type { self.type = type }
  }

  /// Appends a call of an operator of RxJS, which is imported.
  mutating func call(_ name: String, _ arguments: String, _ step: ExportStep) {
    step.script.uses(name)
    add("\(name)(\(arguments))")
  }

  /// In Swift: one operator a line below the publisher.
  var swift: String { ([head] + steps.map { $0.indented }).joined(separator: "\n") }

  /// In JavaScript: the Observable and its `pipe`.
  var javaScript: String {
    if steps.isEmpty { return head }
    return "\(head).pipe(\n" + steps.map { $0.indented + ",\n" }.joined() + ")"
  }
}

extension String {
  /// Every line that is not empty two spaces further to the right.
  var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  " + $0 }
      .joined(separator: "\n")
  }
}

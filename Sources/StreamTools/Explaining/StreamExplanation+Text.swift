internal import CEL
internal import StreamCore

extension StreamExplanation {
  /// Returns the explanation as text.
  ///
  /// - Parameter listsPrograms: Whether to list the instructions of programs. Default false.
  public func text(listsPrograms: Bool = false) -> String {
    var lines: [String] = []
    for part in parts {
      if !lines.isEmpty, part.depth == 0 { lines.append("") }
      lines += Self.lines(of: part).map { String(repeating: "  ", count: part.depth) + $0 }
    }
    lines += ["", "plan: \(plan.subscriptionCount.counted("subscription"))"]
    for unit in plan.units {
      let indent = String(repeating: "  ", count: min(unit.depth, 40) + 1)
      lines.append(indent + Self.line(of: unit))
      if listsPrograms, !unit.isRepeated { lines += unit.instructions.map { "\(indent)    \($0)" } }
    }
    return lines.joined(separator: "\n")
  }

  private static func lines(of part: Part) -> [String] {
    if part.kind == .field { return ["in \(part.name): \(part.text)"] }
    let kind = [.file, .input, .stream, .output].contains(part.kind) ? "\(part.kind.rawValue) " : ""
    let label = part.label.map { " (\($0))" } ?? ""
    var lines = ["\(kind)\(part.name)\(label)"]
    if !part.text.isEmpty { lines.append("  \(part.text)") }
    if let output = part.output {
      lines.append("  types: " + (part.input.map { "\($0.shown) → " } ?? "") + output.shown)
    }
    if let memory = part.memory { lines.append("  keeps: \(memory.words)") }
    for expression in part.expressions { lines.append("  cost of \(expression.field): \(expression.cost)") }
    return lines
  }

  private static func line(of unit: PlanExplanation.Unit) -> String {
    var line = unit.names.joined(separator: " → ")
    if let first = unit.pointers.first?.description, !first.isEmpty {
      line += "  at \(first)" + (unit.pointers.count > 1 ? " …" : "")
    }
    if unit.isRepeated { return line + ", listed above" }
    if !unit.instructions.isEmpty {
      let generic = unit.instructions.count - unit.typedCount
      line +=
        ": one program with \(unit.typedCount.counted("instruction")) for the expected types, \(generic) for other types"
    }
    if unit.isShared { line += ": shared" }
    if unit.subscriptions > 1 { line += ", subscribed to \(unit.subscriptions) times" }
    return line
  }

}

extension StreamExplanation.Memory {
  /// A description of the state and its bound.
  public var words: String {
    if isGrowing { return "\(what); the expression determines its size" }
    guard let bound, let field else { return what }
    return "\(what), at most \(bound) (\(field))"
  }
}

extension CELType {
  /// The description of the type beside each operator, which leaves out the parts of a large one.
  var shown: String { description(parts: 100) }
}

internal import CEL
internal import StreamCore

/// What a compilation found out about sources and operators, by their places.
final class CompileRecord {
  /// An expression that was planned.
  struct Planned: Sendable {
    let field: String
    let expression: String
    let plan: Plan
  }

  struct Entry {
    /// Of an operator: the type of what comes in.
    var input: CELType?
    var output: CELType?
    var planned: [Planned] = []
  }

  private(set) var entries: [JSONPointer: Entry] = [:]

  func add(input: CELType? = nil, output: CELType, _ planned: [Planned] = [], at pointer: JSONPointer) {
    var entry = entries[pointer] ?? Entry()
    (entry.input, entry.output) = (input, output)
    entry.planned += planned
    entries[pointer] = entry
  }

  func add(_ planned: Planned, at pointer: JSONPointer) { entries[pointer, default: Entry()].planned.append(planned) }
}

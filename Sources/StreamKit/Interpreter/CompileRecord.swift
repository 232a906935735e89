package import CEL
package import StreamCore

/// What a compilation found out about sources and operators, by their places.
package final class CompileRecord {
  package init() {}

  /// An expression that was planned.
  package struct Planned: Sendable {
    package let field: String
    package let expression: String
    package let plan: Plan
  }

  package struct Entry {
    /// Of an operator: the type of what comes in.
    package var input: CELType?
    package var output: CELType?
    package var planned: [Planned] = []
  }

  package private(set) var entries: [JSONPointer: Entry] = [:]
  /// Where each other file is named for the first time, by its identity: what stands in it is told from there.
  package private(set) var files: [String: JSONPointer] = [:]

  func add(file identity: String, namedAt pointer: JSONPointer) { files[identity] = pointer }
  /// What the expressions see, by their places, whether or not they are right.
  package private(set) var variables: [JSONPointer: [Variable]] = [:]
  /// What named streams publish, by their places.
  package private(set) var streams: [JSONPointer: CELType] = [:]

  /// Notes what comes into an operator, whether or not the operator is right.
  func note(input: CELType, at pointer: JSONPointer) {
    if entries[pointer] == nil { entries[pointer] = Entry(input: input) }
  }

  func note(_ variables: [Variable], at pointer: JSONPointer) { self.variables[pointer] = variables }

  func note(stream type: CELType, at pointer: JSONPointer) { streams[pointer] = type }

  func add(input: CELType? = nil, output: CELType, _ planned: [Planned] = [], at pointer: JSONPointer) {
    var entry = entries[pointer] ?? Entry()
    (entry.input, entry.output) = (input, output)
    entries[pointer] = entry
    for expression in planned { add(expression, at: pointer) }
  }

  /// An expression may be planned again when more is known of its types: that counts.
  func add(_ planned: Planned, at pointer: JSONPointer) {
    entries[pointer, default: Entry()].planned.removeAll { $0.field == planned.field }
    entries[pointer, default: Entry()].planned.append(planned)
  }
}

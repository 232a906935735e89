package import CEL
package import StreamCore

/// The facts that a compilation has established about sources and operators, by location.
package final class CompileRecord {
  package init() {}

  /// An expression that was planned.
  package struct Planned: Sendable {
    package let field: String
    package let expression: String
    package let plan: Plan
  }

  package struct Entry {
    /// The type of an operator's input.
    package var input: CELType?
    package var output: CELType?
    package var planned: [Planned] = []
  }

  package private(set) var entries: [JSONPointer: Entry] = [:]
  /// Location of the first reference to each other file, by its identity; locations in that file are relative to it.
  package private(set) var files: [String: JSONPointer] = [:]

  func add(file identity: String, namedAt pointer: JSONPointer) { files[identity] = pointer }
  /// Location of the first `apply` of each definition of the main file, by the definition's location. Locations in the
  /// definition are relative to it.
  package private(set) var definitions: [JSONPointer: JSONPointer] = [:]

  func add(definition pointer: JSONPointer, appliedAt origin: JSONPointer) {
    if definitions[pointer] == nil { definitions[pointer] = origin }
  }

  /// The variables of the expressions but for parameters, by location, whether or not the expressions are valid.
  package private(set) var variables: [JSONPointer: [Variable]] = [:]
  /// The types of named streams, by location.
  package private(set) var streams: [JSONPointer: CELType] = [:]

  /// Records the input type of an operator, whether or not the operator is valid.
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

internal import CEL
internal import StreamCore

/// Elements by name, as a part of a file sees them: its own, and those of the parts around it.
///
/// Each level is stored once, however many parts can see it: a definition may be applied thousands of times in a file
/// with thousands of parameters.
struct ScopedNames<Element: Sendable>: Sendable {
  /// The outermost level first.
  private var levels: [Level] = []

  private struct Level: Sendable {
    let elements: [String: Element]
    let names: [String]
  }

  var isEmpty: Bool { levels.isEmpty }

  /// The element of a name, the innermost if there are several.
  subscript(name: String) -> Element? {
    for level in levels.reversed() { if let found = level.elements[name] { return found } }
    return nil
  }

  /// The names in alphabetical order, for messages.
  var names: [String] { levels.count == 1 ? levels[0].names : Set(levels.flatMap(\.names)).sorted() }

  /// Adds a level, whose elements hide those of the same names.
  mutating func add(_ elements: [String: Element]) {
    if !elements.isEmpty { levels.append(Level(elements: elements, names: elements.keys.sorted())) }
  }
}

/// The parameters that can be seen in a part of a file.
typealias ParameterTable = ScopedNames<BoundParameter>

extension ParameterTable: NamedConstants {
  func constant(named name: String) -> (value: Value, type: CELType)? {
    self[name].map { ($0.value, $0.typeInExpressions) }
  }

  var constantNames: [String] { names }

  /// The values by name.
  var values: [String: Value] { names.reduce(into: [:]) { $0[$1] = self[$1]?.value } }
}

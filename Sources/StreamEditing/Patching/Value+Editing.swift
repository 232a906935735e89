internal import StreamCore
internal import StreamKit

extension Value {
  /// Returns the value at a location, for an operation that reads it.
  func found(at path: JSONPointer) throws(PatchProblem) -> Value {
    guard let value = self[path] else { throw PatchProblem(nothingAt: path, in: self, member: "from") }
    return value
  }

  /// Changes the value at a location, which must exist.
  mutating func edit(
    _ tokens: ArraySlice<String>, of path: JSONPointer, _ change: (inout Value) throws(PatchProblem) -> Void
  ) throws(PatchProblem) {
    guard let token = tokens.first else { return try change(&self) }
    guard let (place, _) = element(token) else {
      throw PatchProblem(
        "there is no '\(path)': "
          + PatchProblem.reason(token, Self.name(of: path, before: tokens), self))
    }
    switch self {
    case .list(var items):
      // NB: the list is held once while it is changed, so that it is not copied.
      self = .null
      defer { self = .list(items) }
      try items[place].edit(tokens.dropFirst(), of: path, change)
    case .map(var map):
      self = .null
      defer { self = .map(map) }
      try map.slots[place].edit(tokens.dropFirst(), of: path, change)
    default: break
    }
  }

  /// Inserts an element, or sets a member, as `add` does.
  mutating func insert(_ value: Value, at path: JSONPointer) throws(PatchProblem) {
    guard let last = path.tokens.last else {
      self = value
      return
    }
    try edit(path.tokens.dropLast(), of: path) { (parent: inout Value) throws(PatchProblem) in
      switch parent {
      case .list(var items):
        guard let index = last == "-" ? items.count : JSONPointer.index(last) else {
          throw PatchProblem(
            "'\(path)' refers to an array, and '\(last)' is not an index",
            help: "'-' is the position after the last element")
        }
        guard index <= items.count else {
          throw PatchProblem(
            "'\(path)' is beyond the end of the array, which has \(items.count.counted("element"))",
            help: "'-' is the position after the last element")
        }
        parent = .null
        items.insert(value, at: index)
        parent = .list(items)
      case .map(let map):
        parent = .map(map.setting(last, value))
      default:
        throw PatchProblem("'\(path)' refers into \(parent.describedType), which has no members")
      }
    }
  }

  /// Removes an element or a member, which must exist.
  mutating func remove(at path: JSONPointer, member: String) throws(PatchProblem) {
    guard let last = path.tokens.last else {
      throw PatchProblem(
        "the whole document cannot be removed", member: member, help: "replace it, or remove its members")
    }
    if self[path] == nil { throw PatchProblem(nothingAt: path, in: self, member: member) }
    try edit(path.tokens.dropLast(), of: path) { (parent: inout Value) throws(PatchProblem) in
      guard let (place, _) = parent.element(last) else { return }
      switch parent {
      case .list(var items):
        parent = .null
        items.remove(at: place)
        parent = .list(items)
      case .map(let map): parent = .map(map.removing(last))
      default: break
      }
    }
  }

  /// Returns a description of an intermediate location of a pointer.
  private static func name(of path: JSONPointer, before rest: ArraySlice<String>) -> String {
    let known = JSONPointer(Array(path.tokens[..<rest.startIndex]))
    return known.tokens.isEmpty ? "the document" : "'\(known)'"
  }
}

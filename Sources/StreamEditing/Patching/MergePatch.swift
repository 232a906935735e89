public import StreamCore

/// A change to a JSON document, written in the shape of the document (RFC 7396): members to set, and null for members
/// to remove.
///
/// ```swift
/// let changed = MergePatch(["name": "b"]).applied(to: file)
/// ```
public struct MergePatch: Hashable, Sendable {
  public var value: Value

  public init(_ value: Value) { self.value = value }

  /// Whether the patch has no effect.
  public var isEmpty: Bool { value == .map(ValueMap()) }

  /// Returns the document with the patch applied.
  public func applied(to document: Value) -> Value { Self.merge(value, into: document) }

  private static func merge(_ patch: Value, into target: Value?) -> Value {
    guard case .map(let changes) = patch else { return patch }
    var result = if case .map(let map)? = target { map } else { ValueMap() }
    for case (.string(let name), let change) in changes.pairs {
      if case .null = change {
        result = result.removing(name)
      } else {
        result = result.setting(name, merge(change, into: result[name]))
      }
    }
    return .map(result)
  }
}

extension MergePatch {
  /// Creates the patch that changes the first document to the second.
  ///
  /// Arrays are replaced as a whole.
  ///
  /// - Throws: `patchUnsayable` for each change that a merge patch cannot express, at its location in the second
  ///   document: a member whose new value is null, or contains a null outside arrays.
  public init(from old: Value, to new: Value) throws(Diagnostics) {
    var problems = Diagnostics()
    if case .map = old, case .map = new {
      value = Self.change(old, new, JSONPointer(), &problems) ?? .map(ValueMap())
    } else {
      // A value that is not an object replaces anything, including itself.
      Self.checkNew(new, at: JSONPointer(), &problems)
      value = new
    }
    try problems.throwErrors()
  }

  /// Returns the patch for a location; nil if it does not change.
  private static func change(
    _ old: Value, _ new: Value, _ pointer: JSONPointer, _ problems: inout Diagnostics
  ) -> Value? {
    if old == new { return nil }
    guard case .map(let before) = old, case .map(let after) = new else {
      if case .null = new { problems.append(unsayable("becomes null", pointer)) }
      checkNew(new, at: pointer, &problems)
      return new
    }
    var changes: [(Value, Value)] = []
    for case (.string(let name), let value) in before.pairs {
      if let next = after[name] {
        if let change = change(value, next, pointer.appending(name), &problems) {
          changes.append((.string(name), change))
        }
      } else {
        changes.append((.string(name), .null))
      }
    }
    for case (.string(let name), let value) in after.pairs where before[name] == nil {
      if case .null = value {
        problems.append(unsayable("is a new member with the value null", pointer.appending(name)))
      }
      checkNew(value, at: pointer.appending(name), &problems)
      changes.append((.string(name), value))
    }
    return .map(ValueMap(changes))
  }

  /// Finds members of a new value that are null, which a merge patch would remove.
  private static func checkNew(_ value: Value, at pointer: JSONPointer, _ problems: inout Diagnostics) {
    guard case .map(let map) = value else { return }
    for case (.string(let name), let member) in map.pairs {
      let place = pointer.appending(name)
      if case .null = member { problems.append(unsayable("is a new member with the value null", place)) }
      checkNew(member, at: place, &problems)
    }
  }

  private static func unsayable(_ what: String, _ pointer: JSONPointer) -> Diagnostic {
    Diagnostic(
      .patchUnsayable, "a merge patch cannot express that '\(pointer)' \(what): there null removes a member",
      at: pointer, help: "use a JSON Patch: --format patch")
  }
}

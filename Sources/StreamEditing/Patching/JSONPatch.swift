public import StreamCore
internal import StreamKit

/// A sequence of changes to a JSON document (RFC 6902).
///
/// ```swift
/// let patch = JSONPatch(from: old.json, to: new.json)
/// let changed = try patch.applied(to: old.json)
/// ```
public struct JSONPatch: Hashable, Sendable {
  public var operations: [Operation]

  /// A change; it applies to the result of the preceding changes.
  public enum Operation: Hashable, Sendable {
    /// Inserts an element before the one at this index of an array, or sets a member; `-` is the end of the array.
    case add(JSONPointer, Value)
    /// Removes the value.
    case remove(JSONPointer)
    /// Replaces the value.
    case replace(JSONPointer, Value)
    /// Removes the value at `from` and adds it at `to`.
    case move(from: JSONPointer, to: JSONPointer)
    /// Adds the value at `from` at `to`.
    case copy(from: JSONPointer, to: JSONPointer)
    /// Fails unless the value is equal.
    case test(JSONPointer, Value)
  }

  public init(_ operations: [Operation] = []) { self.operations = operations }

  /// Whether the patch has no operations.
  public var isEmpty: Bool { operations.isEmpty }

  /// The patch as JSON.
  public var value: Value { .list(operations.map(\.value)) }
}

extension JSONPatch.Operation {
  /// The operation's name in RFC 6902.
  public var name: String {
    switch self {
    case .add: "add"
    case .remove: "remove"
    case .replace: "replace"
    case .move: "move"
    case .copy: "copy"
    case .test: "test"
    }
  }

  /// The location that is changed or tested.
  public var path: JSONPointer {
    switch self {
    case .add(let path, _), .remove(let path), .replace(let path, _), .test(let path, _): path
    case .move(_, let path), .copy(_, let path): path
    }
  }

  /// The operation as JSON.
  public var value: Value {
    var writer = MemberWriter()
    writer.add("op", name)
    switch self {
    case .add(let path, let value), .replace(let path, let value), .test(let path, let value):
      writer.add("path", path.description)
      writer.add("value", value)
    case .remove(let path):
      writer.add("path", path.description)
    case .move(let from, let path), .copy(let from, let path):
      writer.add("from", from.description)
      writer.add("path", path.description)
    }
    return writer.value
  }
}

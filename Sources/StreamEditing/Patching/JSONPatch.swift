public import StreamCore
internal import StreamKit

/// Changes of a JSON document, one after the other, as RFC 6902 writes them.
public struct JSONPatch: Hashable, Sendable {
  public var operations: [Operation]

  /// One change; each sees what those before it have made of the document.
  public enum Operation: Hashable, Sendable {
    /// Inserts an element before the one at this place of a list, or sets a member; `-` is the place behind the last.
    case add(JSONPointer, Value)
    /// Takes away what is there.
    case remove(JSONPointer)
    /// Puts a value in the place of what is there.
    case replace(JSONPointer, Value)
    /// Takes away what is at `from`, and adds it at `to`.
    case move(from: JSONPointer, to: JSONPointer)
    /// Adds at `to` what is at `from`.
    case copy(from: JSONPointer, to: JSONPointer)
    /// Fails unless what is there equals the value.
    case test(JSONPointer, Value)
  }

  public init(_ operations: [Operation] = []) { self.operations = operations }

  /// Whether nothing is changed and nothing is tested.
  public var isEmpty: Bool { operations.isEmpty }

  /// The patch as JSON.
  public var value: Value { .list(operations.map(\.value)) }
}

extension JSONPatch.Operation {
  /// The word that RFC 6902 has for it.
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

  /// The place that is changed or tested.
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

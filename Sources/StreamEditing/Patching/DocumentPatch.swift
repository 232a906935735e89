public import StreamCore
internal import StreamKit

/// A patch of either kind, told by its shape: a list is a JSON Patch, an object a merge patch.
public enum DocumentPatch: Hashable, Sendable {
  case operations(JSONPatch)
  case merge(MergePatch)

  /// - Throws: all that is wrong with the patch, with pointers into it.
  public init(_ value: Value) throws(Diagnostics) {
    switch value {
    case .list: self = .operations(try JSONPatch(value))
    case .map: self = .merge(MergePatch(value))
    default:
      throw Diagnostics([
        Diagnostic(
          .invalidPatch,
          "a patch is an array of operations (JSON Patch) or an object (Merge Patch); found \(value.describedType)")
      ])
    }
  }

  /// What the patch makes of a document; a JSON Patch does all it says, or nothing.
  ///
  /// - Throws: why an operation cannot be done.
  public func applied(to document: Value) throws(Diagnostics) -> Value {
    switch self {
    case .operations(let patch): try patch.applied(to: document)
    case .merge(let patch): patch.applied(to: document)
    }
  }
}

public import StreamCore
internal import StreamKit

/// A patch of either kind, distinguished by its form: an array is a JSON Patch, an object is a merge patch.
///
/// ```swift
/// let changed = try DocumentPatch(["name": "b"]).applied(to: file)
/// ```
public enum DocumentPatch: Hashable, Sendable {
  case operations(JSONPatch)
  case merge(MergePatch)

  /// - Throws: All errors in the patch, with pointers into it.
  public init(_ value: Value) throws(Diagnostics) {
    switch value {
    case .list: self = .operations(try JSONPatch(value))
    case .map: self = .merge(MergePatch(value))
    default:
      throw Diagnostics(
        .invalidPatch,
        "a patch is an array of operations (JSON Patch) or an object (Merge Patch); found \(value.describedType)")
    }
  }

  /// Returns the document with the patch applied. A JSON Patch is applied completely or not at all.
  ///
  /// - Throws: The reason why an operation cannot be performed.
  public func applied(to document: Value) throws(Diagnostics) -> Value {
    switch self {
    case .operations(let patch): try patch.applied(to: document)
    case .merge(let patch): patch.applied(to: document)
    }
  }
}

public import StreamCore
internal import StreamKit

extension StreamEditor {
  /// Makes of the file what a patch says, as one step: what the patch does not touch stays byte for byte as it was.
  ///
  /// - Throws: why an operation cannot be done, with pointers into the patch; or all that would be wrong with the file.
  ///   Nothing has changed then.
  public mutating func apply(_ patch: JSONPatch) throws(Diagnostics) {
    try change(into: try patch.applied(to: document.value))
  }

  /// Makes of the file what a patch of either kind says, as one step.
  ///
  /// - Throws: as `apply(_:)` of a JSON Patch.
  public mutating func apply(_ patch: DocumentPatch) throws(Diagnostics) {
    try change(into: try patch.applied(to: document.value))
  }

  /// Makes another value of the file, as one step, by as few edits as it takes.
  ///
  /// - Throws: all that would be wrong with the file; nothing has changed then.
  public mutating func change(into value: Value) throws(Diagnostics) {
    try apply(Self.edits(of: document, into: value))
  }

  /// The text with another value, by as few edits as it takes. Nothing is checked: the outcome may be no stream file.
  package static func document(
    _ document: JSONDocument, changedInto value: Value, limits: JSONLimits = JSONLimits()
  ) throws(Diagnostics) -> JSONDocument {
    let (changed, problem) = try outcome(of: edits(of: document, into: value), on: document, limits)
    if let problem { throw Diagnostics([problem]) }
    return changed
  }

  private static func edits(of document: JSONDocument, into value: Value) -> [StreamEdit] {
    var edits: [StreamEdit] = []
    for operation in JSONPatch(from: document.value, to: value).operations {
      switch operation {
      case .add(let path, let value): edits.append(.insert(path, JSONFragment(value)))
      case .replace(let path, let value): edits.append(.set(path, JSONFragment(value)))
      case .remove(let path): edits.append(.remove(path))
      case .move(let from, let path): edits.append(.move(from: from, to: path))
      // What is made from two values copies and tests nothing.
      case .copy, .test: break
      }
    }
    return edits
  }
}

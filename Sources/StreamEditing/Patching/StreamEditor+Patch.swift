public import StreamCore

extension StreamEditor {
  /// Applies a JSON Patch as a single undo step. The bytes of parts that the patch does not change stay the same.
  ///
  /// - Throws: The reason why an operation cannot be performed, with pointers into the patch; or the errors in the
  ///   result. The file is unchanged.
  public mutating func apply(_ patch: JSONPatch) throws(Diagnostics) {
    try change(into: try patch.applied(to: document.value))
  }

  /// Applies a patch of either kind as a single undo step.
  ///
  /// - Throws: The errors of `apply(_:)` for a JSON Patch.
  public mutating func apply(_ patch: DocumentPatch) throws(Diagnostics) {
    try change(into: try patch.applied(to: document.value))
  }

  /// Changes the file to another value with few edits, as a single undo step.
  ///
  /// - Throws: All errors in the result; the file is unchanged.
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
      // A patch made from two values has no copy and no test operations.
      case .copy, .test: break
      }
    }
    return edits
  }
}

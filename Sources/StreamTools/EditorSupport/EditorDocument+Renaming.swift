package import StreamCore

extension EditorDocument {
  /// Returns the renamable name at a byte and its range; nil if there is none.
  package func renamable(at offset: Int) -> (name: String, range: Range<Int>)? {
    guard let (node, _) = tree.node(at: offset), let name = name(at: node), name.range.contains(offset),
      target(at: offset) != nil
    else { return nil }
    return (name.text, name.range)
  }

  /// Returns the edits that rename the stream or input at a byte, at all references to it.
  ///
  /// - Throws: The reason why it cannot be renamed: there is no such name, the new name is taken, or the file would be
  ///   invalid.
  package func rename(at offset: Int, to newName: String) throws(Diagnostic) -> [EditorEdit] {
    guard let target = target(at: offset) else {
      throw Diagnostic(
        .invalidPointer, "there is no stream or input of this file to rename here",
        help: "put the cursor on a name in 'streams' or 'inputs', or on a reference to one")
    }
    guard newName.contains(where: { !$0.isWhitespace }) else {
      throw Diagnostic(.invalidArgument, "a name must not be empty")
    }
    let names = uses(of: target)
    guard newName != target.name else { return [] }
    if let taken = self.target(of: newName, .streamOrInput, from: target.node) {
      throw Diagnostic(
        .duplicateName, "there already is \(taken.kind == .stream ? "a stream" : "an input") '\(newName)'",
        help: "choose another name")
    }
    let written = JSONWriter.compact(.string(newName))
    let edits = names.map { EditorEdit($0.range, written) }
    let outcome = EditorDocument(
      Self.applying(edits, to: text.bytes), file: file, identity: identity, options: options)
    // Existing errors may stay; the renaming must not add any.
    if outcome.diagnostics.count > diagnostics.count,
      let problem = outcome.diagnostics.first(where: { problem in
        !diagnostics.contains { $0.code == problem.code && $0.message == problem.message }
      })
    {
      throw Diagnostic(
        problem.code, "with the name '\(newName)' the file would be invalid: \(problem.message)", at: problem.pointer,
        help: problem.help)
    }
    return edits
  }

  /// The text with the edits, which do not overlap and are in the order of the text.
  static func applying(_ edits: [EditorEdit], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    for edit in edits {
      result += bytes[place..<max(place, edit.range.lowerBound)]
      result += edit.text.utf8
      place = max(place, edit.range.upperBound)
    }
    return result + bytes[place...]
  }
}

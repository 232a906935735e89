package import StreamCore

extension EditorDocument {
  /// Returns the renamable name at a byte and its range, without quotation marks; nil if there is none.
  package func renamable(at offset: Int) -> (name: String, range: Range<Int>)? {
    guard let (node, name) = name(at: offset), target(of: name, at: node) != nil else { return nil }
    let isQuoted = name.isString && name.range.count > 1
    return (name.text, isQuoted ? name.range.lowerBound + 1..<name.range.upperBound - 1 : name.range)
  }

  /// Returns the edits that rename the declaration at a byte, at all references to it.
  ///
  /// - Throws: The reason why it cannot be renamed: there is no such name, the new name is taken, or the file would be
  ///   invalid.
  package func rename(at offset: Int, to newName: String) throws(Diagnostic) -> [EditorEdit] {
    guard let target = target(at: offset) else {
      throw Diagnostic(
        .invalidPointer, "there is no name of this file to rename here",
        help: "put the cursor on the name of a stream, an input, a parameter, a definition, a type or an output")
    }
    guard newName.contains(where: { !$0.isWhitespace }) else {
      throw Diagnostic(.invalidArgument, "a name must not be empty")
    }
    let names = uses(of: target)
    guard newName != target.name else { return [] }
    if target.kind.isIdentifier, !newName.utf8.allSatisfy(TolerantSyntaxTree.isNameByte) {
      throw Diagnostic(
        .invalidIdentifier, "'\(newName)' is not a name for \(target.kind.withArticle)",
        help: "write letters, digits and underscores")
    }
    if let taken = taken(newName, besides: target) {
      throw Diagnostic(
        .duplicateName, "there already is \(taken.kind.withArticle) '\(newName)'", help: "choose another name")
    }
    let edits = names.map { EditorEdit($0.range, $0.written(newName)) }
    try check(edits, of: target, named: newName)
    return edits
  }

  /// The declaration that has a name already, if the target cannot have it too.
  private func taken(_ name: String, besides target: EditorTarget) -> EditorTarget? {
    // A definition's own parameters are declared beside no others.
    let section = tree.nodes[target.node].parent
    let owner = section.flatMap { tree.nodes[$0].parent }
    let isInDefinition = owner.map { tree.view(of: $0).isNamed("definition") } ?? false
    let use = EditorName.Use(kinds: target.kind.rivals, owner: isInDefinition ? owner : nil)
    return self.target(of: name, use, from: target.node)
  }

  /// Checks that the file means the same with another name.
  private func check(_ edits: [EditorEdit], of target: EditorTarget, named name: String) throws(Diagnostic) {
    let outcome = EditorDocument(
      Self.applying(edits, to: text.bytes), file: file, identity: identity, options: options)
    // Existing errors may stay; the renaming must not add any.
    let known = diagnostics.filter { $0.severity == .error }
    let errors = outcome.diagnostics.filter { $0.severity == .error }
    if errors.count > known.count,
      let problem = errors.first(where: { problem in
        !known.contains { $0.code == problem.code && $0.message == problem.message }
      })
    {
      throw Diagnostic(
        problem.code, "with the name '\(name)' the file would be invalid: \(problem.message)", at: problem.pointer,
        help: problem.help)
    }
    guard let first = edits.first, outcome.references(at: first.range.lowerBound).count == edits.count else {
      throw Diagnostic(
        .duplicateName,
        "'\(name)' already has another meaning where the \(target.kind.rawValue) '\(target.name)' is used",
        help: "choose another name")
    }
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

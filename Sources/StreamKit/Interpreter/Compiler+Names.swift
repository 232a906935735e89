internal import StreamCore

/// The names of streams and inputs: those that are unknown, and those that nothing uses.
extension Compiler {
  /// Warns of streams and inputs that nothing refers to.
  func reportUnusedNames(of model: StreamModel, _ log: RemarkLog) {
    let names = model.streams.names.map { ("streams", "stream", $0) } + model.inputs.map { ("inputs", "input", $0.0) }
    var mentioned = mentionedNames
    // Also what a partition divides.
    if case .input(let source) = model.source { mentioned.insert(source.name) }
    let unused = names.filter { !mentioned.contains($0.2) }
    for (member, kind, name) in unused.prefix([String].listedCount) {
      log.add(
        Diagnostic(
          .unusedName, "nothing uses the \(kind) '\(name)'", at: JSONPointer([member, name]), part: .key,
          severity: .warning, help: "remove it, or write {\"\(kind)\": {\"name\": \"\(name)\"}} where it is to be read")
      )
    }
    if let (member, _, name) = unused.dropFirst([String].listedCount).first {
      log.add(
        Diagnostic(
          .unusedName, "nothing uses \(unused.count - [String].listedCount) more streams and inputs",
          at: JSONPointer([member, name]), part: .key, severity: .warning))
    }
  }

  /// Returns the names in scope as notes, and the name that was probably meant.
  func help(
    with name: String, among names: () -> [String], _ words: String = "inputs and streams"
  ) -> (notes: [String], near: String?) {
    guard suggestionCount > 0 else { return (["further suggestions are omitted"], nil) }
    suggestionCount -= 1
    let known = names()
    guard !known.isEmpty else { return ([], nil) }
    return (["\(words): \(known.listed)"], nearestName(to: name, among: known))
  }
}

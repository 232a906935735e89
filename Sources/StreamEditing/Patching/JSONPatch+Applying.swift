internal import CEL
public import StreamCore
internal import StreamKit

extension JSONPatch {
  /// Returns the document with all operations applied.
  ///
  /// - Throws: The reason why an operation cannot be performed, with its index and its pointers; the diagnostic's
  ///   pointer refers to the patch.
  public func applied(to document: Value) throws(Diagnostics) -> Value {
    var document = document
    // A copy into the copied value doubles it.
    let copies = ExpansionBudget()
    for (index, operation) in operations.enumerated() {
      do throws(PatchProblem) {
        try operation.apply(to: &document, counting: copies)
      } catch {
        throw Diagnostics(
          .patchFailed, "operation \(index) (\(operation.name)): \(error.message)",
          at: JSONPointer([String(index), error.member]), notes: ["no change was made"], help: error.help)
      }
    }
    return document
  }
}

extension JSONPatch.Operation {
  fileprivate func apply(to document: inout Value, counting copies: ExpansionBudget) throws(PatchProblem) {
    switch self {
    case .add(let path, let value):
      try document.insert(value, at: path)
    case .remove(let path):
      try document.remove(at: path, member: "path")
    case .replace(let path, let value):
      try document.edit(path.tokens[...], of: path) { (place: inout Value) throws(PatchProblem) in place = value }
    case .move(let from, let path):
      let value = try document.found(at: from)
      if from == path { return }
      try document.remove(at: from, member: "from")
      try document.insert(value, at: path)
    case .copy(let from, let path):
      let value = try document.found(at: from)
      guard copies.use(value) else {
        throw PatchProblem(
          "the copied values are longer than \(copies.limit / 1_000_000) MB", member: "from",
          help: "copy less, or write the values into the file")
      }
      try document.insert(value, at: path)
    case .test(let path, let expected):
      guard let found = document[path] else { throw PatchProblem(nothingAt: path, in: document) }
      guard found.isEqual(to: expected) else {
        throw PatchProblem(
          "'\(path)' is \(Self.short(found)), not \(Self.short(expected))",
          help: "the document has changed since the patch was made")
      }
    }
  }

  private static func short(_ value: Value) -> String {
    let text = JSONWriter.compact(value)
    return text.count > 120 ? text.prefix(120) + "…" : text
  }
}

/// Why an operation cannot be done.
struct PatchProblem: Error {
  let message: String
  /// The member of the operation that is to blame.
  var member = "path"
  var help: String?

  init(_ message: String, member: String = "path", help: String? = nil) {
    self.message = message
    self.member = member
    self.help = help
  }

  /// There is nothing at this place of the document.
  init(nothingAt path: JSONPointer, in document: Value, member: String = "path") {
    var known = JSONPointer()
    for token in path.tokens {
      let next = known.appending(token)
      guard document[next] != nil else { break }
      known = next
    }
    let missing = path.tokens.dropFirst(known.tokens.count).first ?? ""
    let place = known.tokens.isEmpty ? "the document" : "'\(known)'"
    self.init("there is no '\(path)': \(Self.reason(missing, place, document[known]))", member: member)
  }

  /// Why a place of a document has no member of this name.
  static func reason(_ token: String, _ place: String, _ value: Value?) -> String {
    switch value {
    case .list(let items)?:
      JSONPointer.index(token) == nil
        ? "\(place) is an array, and '\(token)' is not an index"
        : "\(place) has \(items.count.counted("element"))"
    case .map?: "\(place) has no member '\(token)'"
    case let value?: "\(place) is \(value.describedType)"
    case nil: "\(place) does not exist"
    }
  }
}

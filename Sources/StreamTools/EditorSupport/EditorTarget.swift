internal import StreamCore

/// A stream or an input of a file.
struct EditorTarget: Hashable {
  enum Kind: Hashable { case stream, input }

  let kind: Kind
  let name: String
  /// The member of `streams` or `inputs`.
  let node: Int
}

/// A reference to a stream or an input.
struct EditorName: Hashable {
  enum Role: Hashable {
    case definition
    /// Refers to a stream, or else to an input, unless only inputs are allowed.
    case use(Use)
  }

  enum Use: Hashable { case streamOrInput, input }

  let text: String
  let role: Role
  /// The kind of the definition.
  var kind = EditorTarget.Kind.stream
  /// The string with its quotation marks.
  let range: Range<Int>
}

extension EditorText {
  /// Returns a description of a stream or an input in Markdown.
  static func about(_ target: EditorTarget, in document: EditorDocument) -> String {
    let type = document.type(of: target)
    let title = "**\(target.kind == .stream ? "Stream" : "Input") `\(target.name)`**"
    var parts = [type.map { "\(title): `\($0)`" } ?? title]
    let value = document.analysis.value(at: document.tree.pointer(to: target.node), in: document.tree)
    switch target.kind {
    case .stream:
      if let name = value.member("name")?.text { parts.append(name) }
      if let description = value.member("description")?.text { parts.append(description) }
    case .input:
      parts.append("Fed by the host.")
      if let initial = value.member("initialValue") {
        parts.append("Initial value `\(FieldText.shortened(JSONWriter.compact(initial)))`.")
      }
    }
    return parts.joined(separator: "\n\n")
  }
}

extension EditorAnalysis {
  /// Returns the value at a location.
  func value(at pointer: JSONPointer, in tree: TolerantSyntaxTree) -> Value {
    (document?.value ?? repaired)[pointer] ?? .null
  }
}

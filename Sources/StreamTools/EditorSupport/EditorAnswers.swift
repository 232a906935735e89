/// A replacement of a range of bytes in a text.
package struct EditorEdit: Hashable, Sendable {
  package let range: Range<Int>
  package let text: String

  package init(_ range: Range<Int>, _ text: String) {
    self.range = range
    self.text = text
  }
}

/// The hover text for the item under the cursor.
package struct EditorHover: Hashable, Sendable {
  /// The bytes that it is about.
  package let range: Range<Int>
  /// In Markdown.
  package let text: String
}

/// A completion that an editor offers.
package struct EditorCompletion: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case `operator`, source, field, name, word, variable, function, snippet
  }

  package let label: String
  package let kind: Kind
  /// A few words beside the label: a type, a signature.
  package let detail: String
  /// In Markdown.
  package let documentation: String
  /// The replacement of `edit.range`; `$1`, `${2:word}` and the like are cursor stops.
  package let edit: EditorEdit
  /// The text that the editor compares with the contents of that range.
  package let filter: String
  /// Commas required around the insertion.
  package let further: [EditorEdit]
}

/// A part of a file that has a name.
package struct EditorSymbol: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case stream, input, parameter, definition, type, source, `operator`, test }

  package let name: String
  package let detail: String
  package let kind: Kind
  /// The whole range, and the part that the editor selects.
  package let range: Range<Int>
  package let selection: Range<Int>
  package let children: [EditorSymbol]
}

/// A change that fixes the problem of a diagnostic.
package struct EditorFix: Hashable, Sendable {
  package let title: String
  package let edit: EditorEdit
  /// The diagnostic, by its place in those of the document.
  package let diagnostic: Int
}

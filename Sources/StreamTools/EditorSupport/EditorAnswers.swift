internal import StreamKit

/// What takes the place of some bytes of a text.
package struct EditorEdit: Hashable, Sendable {
  package let range: Range<Int>
  package let text: String

  package init(_ range: Range<Int>, _ text: String) {
    self.range = range
    self.text = text
  }
}

/// What is told of the thing under the cursor.
package struct EditorHover: Hashable, Sendable {
  /// The bytes that it is about.
  package let range: Range<Int>
  /// In Markdown.
  package let text: String
}

/// What an editor offers while somebody writes.
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
  /// What is written in place of `edit.range`; `$1`, `${2:word}` and the like are places for the cursor.
  package let edit: EditorEdit
  /// What the editor compares with what stands in that range.
  package let filter: String
  /// Commas that what stands around needs.
  package let further: [EditorEdit]
}

/// A part of a file that has a name.
package struct EditorSymbol: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case stream, input, source, `operator`, test }

  package let name: String
  package let detail: String
  package let kind: Kind
  /// All of it, and what of it is shown when it is chosen.
  package let range: Range<Int>
  package let selection: Range<Int>
  package let children: [EditorSymbol]
}

/// A change that mends what a diagnostic tells.
package struct EditorFix: Hashable, Sendable {
  package let title: String
  package let edit: EditorEdit
  /// The diagnostic, by its place in those of the document.
  package let diagnostic: Int
}

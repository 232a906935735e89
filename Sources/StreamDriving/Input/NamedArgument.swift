package import StreamCore

/// An argument such as `name=text`.
package struct NamedArgument: Hashable, Sendable {
  package let name: String
  package let text: String

  package init?(argument: String) {
    guard let sign = argument.utf8.firstIndex(of: UInt8(ascii: "=")), sign != argument.startIndex else { return nil }
    name = String(argument[..<sign])
    text = String(argument[argument.utf8.index(after: sign)...])
  }

  /// The text as diagnostics point into it.
  package func source(option: String) -> SourceText { SourceText(file: "\(option) \(name)", text: text) }

  /// Parses the text as JSON.
  ///
  /// - Throws: The errors, with their location in the argument.
  package func json(option: String) throws(Diagnostics) -> JSONDocument {
    do throws(Diagnostics) {
      return try JSONDocument(reading: text, file: "\(option) \(name)")
    } catch {
      throw error.helped("a string needs its quotes: \(option) '\(name)=\"text\"'")
    }
  }
}

extension Diagnostics {
  /// Returns the diagnostics with this help where they have none.
  package func helped(_ help: String) -> Diagnostics {
    Diagnostics(
      all.map { diagnostic in
        var copy = diagnostic
        copy.help = copy.help ?? help
        return copy
      })
  }
}

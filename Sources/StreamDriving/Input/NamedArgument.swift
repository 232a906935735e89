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

  /// Reads `name=path`, or a path alone, whose name is then empty. A path with `=` has a slash or a dot before it.
  package init(inputArgument argument: String) {
    if let named = NamedArgument(argument: argument), !named.name.contains(where: { "/.*?[".contains($0) }) {
      self = named
    } else {
      (name, text) = ("", argument)
    }
  }

  private init(name: String, text: String) { (self.name, self.text) = (name, text) }

  /// The argument as it was written.
  package var argument: String { name.isEmpty ? text : "\(name)=\(text)" }

  /// The argument with a name.
  func named(_ name: String) -> NamedArgument { NamedArgument(name: name, text: text) }

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

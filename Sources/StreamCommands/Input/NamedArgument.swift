internal import ArgumentParser
internal import StreamCore

/// An argument such as `name=text`.
struct NamedArgument: ExpressibleByArgument, Hashable, Sendable {
  let name: String
  let text: String

  init?(argument: String) {
    guard let sign = argument.utf8.firstIndex(of: UInt8(ascii: "=")), sign != argument.startIndex else { return nil }
    name = String(argument[..<sign])
    text = String(argument[argument.utf8.index(after: sign)...])
  }

  /// The text as diagnostics point into it.
  func source(option: String) -> SourceText { SourceText(file: "\(option) \(name)", text: text) }

  /// Parses the text as JSON.
  ///
  /// - Throws: The errors, with their location in the argument.
  func json(option: String) throws(Diagnostics) -> JSONDocument {
    do throws(Diagnostics) {
      return try JSONDocument(reading: text, file: "\(option) \(name)")
    } catch {
      throw error.helped("a string needs its quotes: \(option) '\(name)=\"text\"'")
    }
  }
}

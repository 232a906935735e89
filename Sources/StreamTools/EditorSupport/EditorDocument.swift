package import StreamCore
package import StreamKit

/// A stream file that is open in an editor. It supports all editor requests, even for incomplete text.
///
/// It performs no input or output: other files come from the loader in the options. Results are computed on first use
/// and cached.
package final class EditorDocument {
  package let text: EditorText
  /// The name of the file in diagnostics.
  package let file: String
  /// The unique identity of the file, to which the paths in it are relative.
  package let identity: String
  let options: CompileOptions

  /// - Parameter options: how the file is compiled. Default: for a host that takes every function and every hook.
  package init(
    _ bytes: [UInt8], file: String, identity: String, options: CompileOptions = CompileOptions(host: .any)
  ) {
    text = EditorText(bytes)
    self.file = file
    self.identity = identity
    self.options = options
  }

  /// The text as a tree, with mistakes or without.
  private(set) lazy var tree = TolerantSyntaxTree(text.bytes)

  private(set) lazy var analysis = EditorAnalysis(self)

  /// All that is wrong with the file, with its places in it or in files that it names.
  package var diagnostics: [Diagnostic] { analysis.diagnostics }

  /// The file as JSON; nil if the text is none.
  package var document: JSONDocument? { analysis.document }

  /// The smallest edit that changes the text into another one; nil if they are equal.
  package func edit(to newText: [UInt8]) -> EditorEdit? {
    let change = TextChange(from: text.bytes, to: newText)
    guard change.old != change.new else { return nil }
    return EditorEdit(
      whole(change.start..<change.start + change.old.count, new: change.new, of: change))
  }

  /// The edit without half scalars at its ends.
  private func whole(_ range: Range<Int>, new: [UInt8], of change: TextChange) -> (Range<Int>, String) {
    var start = range.lowerBound
    var end = range.upperBound
    while start > 0, start < text.bytes.count, text.bytes[start] & 0xC0 == 0x80 { start -= 1 }
    while end < text.bytes.count, text.bytes[end] & 0xC0 == 0x80 { end += 1 }
    let bytes = text.bytes[start..<range.lowerBound] + new + text.bytes[range.upperBound..<end]
    return (start..<end, String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the fixes for diagnostics that overlap a range.
  package func fixes(in range: Range<Int>) -> [EditorFix] {
    diagnostics.enumerated().compactMap { number, diagnostic in
      guard let place = diagnostic.location, place.file == file, place.bytes.lowerBound <= range.upperBound,
        place.bytes.upperBound >= range.lowerBound, let replacement = diagnostic.replacement,
        let edit = edit(replacing: place.bytes, with: replacement, isInText: diagnostic.part.isInText)
      else { return nil }
      return EditorFix(title: "Change to '\(replacement)'", edit: edit, diagnostic: number)
    }
  }

  /// Returns the edit that replaces a misspelled name: a whole string, or a word of an expression.
  private func edit(replacing range: Range<Int>, with name: String, isInText: Bool) -> EditorEdit? {
    guard range.upperBound <= text.bytes.count, !range.isEmpty else { return nil }
    if isInText {
      let misspelt = words(in: range).filter { word in
        let written = String(decoding: text.bytes[word], as: UTF8.self)
        return written != name && nearestName(to: written, among: [name]) != nil
      }
      // An ambiguous name is not replaced.
      return misspelt.count == 1 ? EditorEdit(misspelt[0], name) : nil
    }
    guard text.bytes[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
    return EditorEdit(range, JSONWriter.compact(.string(name)))
  }

  /// Returns the names in a part of an expression, outside of string literals.
  private func words(in range: Range<Int>) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var isQuoted = false
    var start: Int?
    for place in range {
      let byte = text.bytes[place]
      let isQuote = byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
      if isQuote { isQuoted.toggle() }
      let belongs = !isQuoted && !isQuote && TolerantSyntaxTree.isNameByte(byte)
      if belongs, start == nil { start = place }
      if !belongs, let first = start {
        words.append(first..<place)
        start = nil
      }
    }
    return words + (start.map { [$0..<range.upperBound] } ?? [])
  }
}

extension EditorEdit {
  fileprivate init(_ parts: (Range<Int>, String)) { self.init(parts.0, parts.1) }
}

extension Diagnostic.Part {
  fileprivate var isInText: Bool { if case .text = self { true } else { false } }
}

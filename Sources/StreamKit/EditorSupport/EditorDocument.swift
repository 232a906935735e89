package import StreamCore

/// A stream file that is open in an editor: answers what the editor asks, whatever state the text is in.
///
/// It does no input or output: other files come through the loader of the options. What an answer needs is found out
/// once, when it is first asked for.
package final class EditorDocument {
  package let text: EditorText
  /// What diagnostics call the file.
  package let file: String
  /// What tells the file from every other: the base of paths in it.
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
  private(set) lazy var tree = LooseTree(text.bytes)

  private(set) lazy var analysis = EditorAnalysis(self)

  /// All that is wrong with the file, with its places in it or in files that it names.
  package var diagnostics: [Diagnostic] { analysis.diagnostics }

  /// The text in its stable form as the least edit that makes it so; nil where it is in form, or is no JSON.
  package var formatted: EditorEdit? {
    guard let document = analysis.document else { return nil }
    let change = TextChange(from: text.bytes, to: StreamFormat.text(of: document))
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

  /// What mends the mistakes that touch these bytes.
  package func fixes(in range: Range<Int>) -> [EditorFix] {
    diagnostics.enumerated().compactMap { number, diagnostic in
      guard let place = diagnostic.location, place.file == file, place.bytes.lowerBound <= range.upperBound,
        place.bytes.upperBound >= range.lowerBound, let replacement = diagnostic.replacement,
        place.bytes.upperBound <= text.bytes.count, let first = text.bytes[place.bytes].first
      else { return nil }
      // What stands there is a name in quotation marks, or a part of an expression.
      let isQuoted = first == UInt8(ascii: "\"")
      guard isQuoted || diagnostic.part.isInText else { return nil }
      let written = isQuoted ? JSONWriter.compact(.string(replacement)) : replacement
      return EditorFix(
        title: "Change to '\(replacement)'", edit: EditorEdit(place.bytes, written), diagnostic: number)
    }
  }
}

extension EditorEdit {
  fileprivate init(_ parts: (Range<Int>, String)) { self.init(parts.0, parts.1) }
}

extension Diagnostic.Part {
  fileprivate var isInText: Bool { if case .text = self { true } else { false } }
}

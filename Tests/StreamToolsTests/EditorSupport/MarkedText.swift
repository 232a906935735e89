import StreamCore
import StreamKit
import StreamTools

/// A stream file in which `¦` stands for the cursor.
struct MarkedText {
  let document: EditorDocument
  let offset: Int

  init(_ marked: String, loader: (any StreamLoader)? = nil) {
    let bytes = Array(marked.utf8)
    let mark = Array("¦".utf8)
    offset = bytes.indices.first { bytes[$0...].starts(with: mark) } ?? 0
    let text = Array(bytes[..<offset] + bytes[offset...].dropFirst(bytes.contains(mark[0]) ? mark.count : 0))
    document = EditorDocument(
      text, file: "test.json", identity: "test.json", options: CompileOptions(loader: loader, host: .any))
  }

  var completions: [EditorCompletion] { document.completions(at: offset) }
  var labels: [String] { completions.map(\.label) }

  /// The text after the completion of this label has been taken, as an editor without snippets writes it.
  func taking(_ label: String) -> String? {
    guard let completion = completions.first(where: { $0.label == label }) else { return nil }
    return Self.text(
      document.text.bytes,
      after: completion.further + [EditorEdit(completion.edit.range, completion.plainText)])
  }

  static func text(_ bytes: [UInt8], after edits: [EditorEdit]) -> String {
    var bytes = bytes
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(edit.range, with: edit.text.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text in a range.
  func text(_ range: Range<Int>) -> String { String(decoding: document.text.bytes[range], as: UTF8.self) }
}

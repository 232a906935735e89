internal import ArgumentParser
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// A row of a reference that a command prints: an operator, a source or a function.
protocol ReferenceEntry {
  var name: String { get }
  var summary: String { get }
  /// The heading of the list that the entry belongs to. Entries of one chapter follow each other.
  var chapter: String { get }
  /// Everything that is known of the entry, for people.
  var text: String { get }
  /// Everything that is known of the entry, for machines.
  var json: Value { get }
  /// The entry's section of a Markdown page.
  var section: String { get }
}

/// The formats of a reference.
enum ReferenceFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text, json, markdown
}

extension Console {
  /// Prints the entries that a command has chosen; if it was asked for none in particular, a list or the whole page.
  func printReference(_ entries: [some ReferenceEntry], isWhole: Bool, page: String, _ format: ReferenceFormat) {
    switch (format, isWhole) {
    case (.json, true): output.appendJSON(.list(entries.map(\.json)))
    case (.json, false): for entry in entries { output.appendJSON(entry.json) }
    case (.markdown, true): output.appendLines(page + "\n")
    case (.markdown, false): output.appendLines(entries.map(\.section).joined(separator: "\n\n") + "\n")
    case (.text, true): list(entries)
    case (.text, false): output.appendLines(entries.map(\.text).joined(separator: "\n\n") + "\n")
    }
  }

  private func list(_ entries: [some ReferenceEntry]) {
    let width = entries.map(\.name.count).max() ?? 0
    var chapter: String?
    for entry in entries {
      if entry.chapter != chapter { output.appendLines((chapter == nil ? "" : "\n") + entry.chapter + "\n") }
      chapter = entry.chapter
      output.appendLine("  \(entry.name)\(String(repeating: " ", count: width - entry.name.count + 2))\(entry.summary)")
    }
  }
}

/// Parts of Markdown pages that are generated.
enum Markdown {
  /// A text that can be part of a table's cell.
  static func cell(_ text: String) -> String { String(text.flatMap { $0 == "|" ? ["\\", "|"] : [$0] }) }

  /// The text with an uppercase first letter.
  static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// A table whose rows are cells.
  static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows).map { row in
      "|" + row.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
    }.joined(separator: "\n")
  }
}

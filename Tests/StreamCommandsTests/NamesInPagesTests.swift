import StreamKit
import Testing

/// The keys that the page on semantics names exist, and it names all operators and sources.
@Suite struct NamesInPagesTests {
  static let page = DocumentationPages.text(of: "Semantics")
  /// The fields of every operator and every source, by name.
  static let fields = Dictionary(
    (Source.table.map(\.spec) + Operator.table.map(\.spec)).map { ($0.name, Set($0.fields.map(\.name))) },
    uniquingKeysWith: { first, _ in first })
  /// Keys that are not operators: those beside an operator, and the array of items.
  static let members: Set<String> = ["id", "label", "onError", "stream"]

  /// The section with the table of other libraries' operators, as far as it is written by hand.
  static let section = page.split(separator: "\n## ").first { $0.hasPrefix("Equivalents in other libraries") }
    .map { $0.prefix { $0 != "<" } }

  /// The rows of its table.
  static let rows: [(what: String, key: String)] = {
    let lines = section?.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| **") } ?? []
    return lines.dropFirst(2).map { line in
      let cells = line.split(separator: " | ").map { $0.drop { $0 == "|" || $0 == " " } }
      return (String(cells[0]), String(cells.dropFirst().joined().drop { $0 == " " }))
    }
  }()

  /// The code spans of a text.
  static func code(in text: some StringProtocol) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  /// Whether `a` is an operator or a source, or `a.b` a field of one.
  private func isThere(_ key: String) -> Bool {
    let parts = key.split(separator: ".").map(String.init)
    guard let name = parts.first, let fields = Self.fields[name] else { return Self.members.contains(key) }
    return parts.count == 1 || (parts.count == 2 && fields.contains(parts[1]))
  }

  @Test("Every row of other libraries' operators has a key that exists, or a reason")
  func everyRow() {
    #expect(!Self.rows.isEmpty)
    for row in Self.rows {
      let found = Self.code(in: row.key)
      if row.key.hasPrefix("none") {
        #expect(row.key.count > 20, "\(row.what)")
      } else {
        #expect(found.first.map(isThere) == true, "\(row.what)")
      }
    }
  }

  /// Code spans that are not keys: values of fields, and words of other libraries.
  static let words: Set<String> = [
    "a", "b", "a.b", "concat", "latest", "skip", "index", "value.member", "streamrun", "try", "using",
  ]

  @Test("Every key in the table is that of an operator, a source or a field")
  func everyKey() {
    for row in Self.rows {
      for key in Self.code(in: row.key) where !Self.words.contains(key) {
        #expect(isThere(key), "\(row.what): \(key)")
      }
    }
  }

  @Test("Every field that the page names exists")
  func everyField() {
    for key in Self.code(in: Self.page) where key.contains(".") && key.allSatisfy({ $0.isLetter || $0 == "." }) {
      if Self.words.contains(key) { continue }
      #expect(isThere(key), "\(key)")
    }
  }

  /// The cells of the tables on the page for users of other libraries, without the rows of headings.
  private static let equivalents = DocumentationPages.text(of: "ComingFrom").split(separator: "\n")
    .filter { $0.hasPrefix("| ") && !$0.contains("| in a file |") && !$0.contains("---") }.map {
      $0.split(separator: " |", omittingEmptySubsequences: false)
    }

  @Test("The tables for users of other libraries name operators, sources and fields that exist")
  func comingFrom() {
    let parts: Set<String> = ["initialValue", "tests"]
    for cells in Self.equivalents {
      #expect(cells.count == 4, "\(cells)")
      for key in Self.code(in: cells[1]) where !parts.contains(key) {
        #expect(isThere(key), "\(cells[0]): \(key)")
      }
    }
    #expect(Self.equivalents.count > 80)
  }

  @Test("Every operator and every source is named on the page", arguments: fields.keys.sorted())
  func isComplete(_ name: String) {
    let isNamed = Self.code(in: Self.page).contains { $0 == name || $0.hasPrefix(name + ".") }
    #expect(isNamed)
  }
}

import StreamKit
import Testing

/// What `Documentation/Semantics.md` and `Documentation/Format.md` name is there, and all that is there is named.
@Suite struct NamesInPagesTests {
  static let page = Fixture.read(Fixture.package + "/Documentation/Semantics.md")
  /// The fields of every operator and every source, by name.
  static let fields = Dictionary(
    (Source.table.map(\.spec) + Operator.table.map(\.spec)).map { ($0.name, Set($0.fields.map(\.name))) },
    uniquingKeysWith: { first, _ in first })
  /// What stands beside an operator, or in the place of a source.
  static let members: Set<String> = ["id", "label", "onError", "stream"]

  /// The rows of the table that says which key does what, as `(what, key)`.
  static let rows: [(what: String, key: String)] = {
    guard let table = page.split(separator: "\n## ").first(where: { $0.hasPrefix("Where things are") }) else {
      return []
    }
    return table.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| **") }.dropFirst(2).map {
      line in
      let cells = line.split(separator: " | ").map { $0.drop { $0 == "|" || $0 == " " } }
      return (String(cells[0]), String(cells.dropFirst().joined().drop { $0 == " " }))
    }
  }()

  /// What stands between backticks.
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

  @Test("Every row of the operators of the field has a key that there is, or says why there is none")
  func everyRow() {
    #expect(Self.rows.count == 121)
    for row in Self.rows {
      let found = Self.code(in: row.key)
      if row.key.hasPrefix("none") {
        #expect(row.key.count > 20, "\(row.what)")
      } else {
        #expect(found.first.map(isThere) == true, "\(row.what)")
      }
    }
  }

  /// Words between backticks that are no keys: values of fields, and what other libraries say.
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

  @Test("Every field that the page names as one of an operator is one of it")
  func everyField() {
    for key in Self.code(in: Self.page) where key.contains(".") && key.allSatisfy({ $0.isLetter || $0 == "." }) {
      if Self.words.contains(key) { continue }
      #expect(isThere(key), "\(key)")
    }
  }

  @Test("Every operator and every source is named on the page", arguments: fields.keys.sorted())
  func isComplete(_ name: String) {
    let isNamed = Self.code(in: Self.page).contains { $0 == name || $0.hasPrefix(name + ".") }
    #expect(isNamed)
  }

  @Test("Format.md lists every operator under its family", arguments: OperatorFamily.allCases)
  func families(_ family: OperatorFamily) {
    let page = Fixture.read(Fixture.package + "/Documentation/Format.md")
    let row = page.split(separator: "\n").first { $0.hasPrefix("| \(family.rawValue) |") }
    let listed = row.map { Self.code(in: $0) } ?? []
    #expect(listed == Operator.table.filter { $0.family == family }.map(\.spec.name))
  }

  @Test("Format.md names every source") func sources() {
    let page = Fixture.read(Fixture.package + "/Documentation/Format.md")
    let section = page.split(separator: "\n## ").first { $0.hasPrefix("Sources") } ?? ""
    let named = Set(Self.code(in: section.replacing("```", with: "")))
    for entry in Source.table { #expect(named.contains(entry.spec.name), "\(entry.spec.name)") }
  }
}

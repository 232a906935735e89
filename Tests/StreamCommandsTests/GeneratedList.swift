import StreamKit

@testable import StreamCommands

/// A list that a page has between `<!-- NAME:begin -->` and `<!-- NAME:end -->`, generated from the tables of operators
/// and sources.
struct GeneratedList: Sendable {
  let page: String
  let name: String
  /// The list, and what it depends on in the rest of the page.
  let lines: @Sendable (_ rest: String) -> [String]

  var begin: String { "<!-- \(name):begin -->" }
  var end: String { "<!-- \(name):end -->" }

  static let all = [
    GeneratedList(page: "Format", name: "sources") { _ in
      ["| source | summary |", "| --- | --- |"]
        + Source.table.map { "| [`\($0.spec.name)`](\(link(to: $0))) | \($0.spec.summary) |" }
    },
    GeneratedList(page: "Format", name: "operators") { _ in
      ["| family | operators |", "| --- | --- |"]
        + OperatorFamily.allCases.compactMap { family in
          let members = Operator.table.filter { $0.family == family }.map { "`\($0.spec.name)`" }
          guard !members.isEmpty else { return nil }
          return "| [\(family.rawValue)](\(family.file)) | \(members.joined(separator: ", ")) |"
        }
    },
    // Only those that the table above does not name: a row can be written for them, and need not be.
    GeneratedList(page: "Semantics", name: "others") { page in
      let table = page.split(separator: "\n## ").last ?? ""
      let named = Set(NamesInPagesTests.code(in: table).map { $0.prefix { $0 != "." } })
      let others = (Source.table.map(row) + Operator.table.map(row)).filter { !named.contains($0.name[...]) }
      return ["| operator or source | summary |", "| --- | --- |"] + others.map(\.line)
    },
  ]

  /// The page with a fresh list; nil if it lacks the markers.
  func updating(_ page: String) -> String? {
    let parts = page.split(separator: begin + "\n", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let tail = parts[1].split(separator: end + "\n", omittingEmptySubsequences: false)
    guard tail.count == 2 else { return nil }
    let list = lines(String(parts[0] + tail[1])).joined(separator: "\n")
    // Markdown reads the list as a table only after an empty line.
    return "\(parts[0])\(begin)\n\n\(list)\n\n\(end)\n\(tail[1])"
  }

  private static func row<Kind>(_ entry: OperatorEntry<Kind>) -> (name: String, line: String) {
    (entry.spec.name, "| [`\(entry.spec.name)`](\(link(to: entry))) | \(entry.spec.summary) |")
  }

  private static func link<Kind>(to entry: OperatorEntry<Kind>) -> String {
    "\(entry.family.file)#\(entry.spec.name.lowercased())"
  }
}

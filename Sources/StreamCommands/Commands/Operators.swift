internal import ArgumentParser
internal import StreamCore
internal import StreamDriving
internal import StreamKit

/// `streamrun operators`: lists and describes the operators and sources.
struct Operators: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "operators",
    abstract: "Lists operators and sources, or describes one of them.",
    discussion: """
      Examples:
        streamrun operators
        streamrun operators debounce
        streamrun operators --format json
        streamrun operators --format markdown
      """)

  @Argument(help: "The name of an operator or a source.")
  var name: String?

  @Option(help: "Output format: text, json or markdown.")
  var format = Format.text

  enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text, json, markdown
  }

  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let chosen = try entries()
    switch (format, name) {
    case (.json, nil): console.output.appendLine(JSONWriter.pretty(.list(chosen.map(\.json))))
    case (.json, _):
      for entry in chosen { console.output.appendLine(JSONWriter.pretty(entry.json)) }
    case (.markdown, nil): console.output.appendLine(CataloguePage(entries: chosen).text)
    case (.markdown, _):
      console.output.appendLine(chosen.map { CataloguePage.section($0) }.joined(separator: "\n\n"))
    case (.text, nil): list(chosen, console)
    case (.text, _):
      console.output.appendLine(chosen.map(\.text).joined(separator: "\n\n"))
    }
    return ExitCode.good
  }

  /// Returns all entries, or those with the name: `append`, for example, may be a source and an operator.
  private func entries() throws(Diagnostics) -> [CatalogueEntry] {
    let all = CatalogueEntry.all
    guard let name else { return all }
    let chosen = all.filter { $0.spec.name == name }
    guard chosen.isEmpty else { return chosen }
    throw Diagnostics(
      .unknownOperator, "there is no operator or source '\(name)'",
      help: (Operator.suggestion(for: name) ?? nearestName(to: name, among: Source.table.map(\.spec.name))).map {
        "did you mean '\($0)'?"
      }
        ?? "'streamrun operators' lists them all")
  }

  private func list(_ entries: [CatalogueEntry], _ console: Console) {
    let width = entries.map(\.spec.name.count).max() ?? 0
    var isFirst = true
    for family in OperatorFamily.allCases {
      let members = entries.filter { $0.family == family }
      guard !members.isEmpty else { continue }
      console.output.appendLine((isFirst ? "" : "\n") + family.rawValue)
      isFirst = false
      for entry in members {
        let gap = String(repeating: " ", count: width - entry.spec.name.count + 2)
        console.output.appendLine("  \(entry.spec.name)\(gap)\(entry.spec.summary)")
      }
    }
  }
}

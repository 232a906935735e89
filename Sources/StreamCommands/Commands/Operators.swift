internal import ArgumentParser
internal import StreamConsole
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

  @Argument(
    help: "The name of an operator or a source.",
    completion: .list((Operator.table.map(\.spec.name) + Source.table.map(\.spec.name) + ["apply"]).sorted()))
  var name: String?

  @Option(help: "Output format: text, json or markdown.")
  var format = ReferenceFormat.text

  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let chosen = try entries()
    console.printReference(chosen, isWhole: name == nil, page: CataloguePage(entries: chosen).text, format)
    return ExitCode.good
  }

  /// Returns all entries, or those with the name: `append`, for example, may be a source and an operator.
  private func entries() throws(Diagnostics) -> [CatalogueEntry] {
    let all = CatalogueEntry.all
    guard let name else { return all }
    let chosen = (all + [.apply]).filter { $0.spec.name == name }
    guard chosen.isEmpty else { return chosen }
    throw Diagnostics(
      .unknownOperator, "there is no operator or source '\(name)'",
      help: Operator.help(forUnknown: name)
        ?? nearestName(to: name, among: Source.table.map(\.spec.name)).map { "did you mean '\($0)'?" }
        ?? "'streamrun operators' lists them all")
  }
}

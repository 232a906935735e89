internal import ArgumentParser
internal import StreamCore

/// `streamrun schema`: JSON Schemas of stream files and of what commands print.
struct Schema: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON Schema of stream files, or of what a command prints.",
    discussion: """
      Editors complete and check stream files by it: name it in a file's $schema, or in the editor's settings. It is \
      of draft 2020-12, made from the tables that the program itself reads files by. What no schema can say \
      (expressions, names that refer to something) 'streamrun validate' tells.

      Examples:
        streamrun schema > stream.schema.json
        streamrun schema --list
        streamrun schema diagnostics
        streamrun schema --write Schemas          all of them
      """)

  @Argument(help: "The name of a schema.", completion: .list(SchemaEntry.all.map(\.name)))
  var name: String?

  @Flag(help: "Prints the names of the schemas, and what they are of.")
  var list = false

  @Option(name: .shortAndLong, help: ArgumentHelp("Writes the schema there.", valueName: "path"))
  var output: String?

  @Option(help: ArgumentHelp("Writes all schemas into a directory.", valueName: "directory"), completion: .directory)
  var write: String?

  @OptionGroup var appearance: AppearanceOptions

  func validate() throws {
    if write != nil || list, name != nil || output != nil || (write != nil && list) {
      throw ValidationError("\(write != nil ? "--write" : "--list") stands alone")
    }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    if let write {
      guard Directory.isDirectory(write) || (try? Path.real(write)) == nil else {
        throw Diagnostics([
          Diagnostic(
            .cannotWrite, "'\(write)' is a file; expected a directory", help: "write one schema into a file with -o")
        ])
      }
      for entry in SchemaEntry.all {
        try ResultFile.write(Array(entry.text.utf8), to: Path.join(write, entry.fileName), console)
      }
      console.say("\(SkipReport.count(SchemaEntry.all.count, "schema")), written to \(SourceExcerpt.visible(write))")
    } else if list {
      let width = SchemaEntry.all.map(\.name.count).max() ?? 0
      for entry in SchemaEntry.all {
        let gap = String(repeating: " ", count: width - entry.name.count + 2)
        console.output.appendLine("\(entry.name)\(gap)\(entry.summary)")
      }
    } else {
      try ResultFile.write(Array(try chosen().text.utf8), to: output, console)
    }
    return ExitCode.good
  }

  private func chosen() throws(Diagnostics) -> SchemaEntry {
    let name = name ?? "stream"
    if let entry = SchemaEntry.all.first(where: { $0.name == name }) { return entry }
    let names = SchemaEntry.all.map(\.name)
    throw Diagnostics([
      Diagnostic(
        .invalidArgument, "there is no schema '\(name)'", notes: ["there are: \(names.joined(separator: ", "))"],
        help: nearestName(to: name, among: names).map { "did you mean '\($0)'?" })
    ])
  }
}

internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// `streamrun schema`: prints the JSON Schemas of stream files and of the output of commands.
struct Schema: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON Schema of stream files, or of a command's output.",
    discussion: """
      Editors use the schema to complete and check stream files: refer to it in a file's $schema, or in the editor's \
      settings. It conforms to draft 2020-12 and is generated from the same tables that the program uses. 'streamrun \
      validate' also checks the parts that a schema cannot express, such as expressions and references.

      Examples:
        streamrun schema > stream.schema.json
        streamrun schema --list
        streamrun schema diagnostics
        streamrun schema --write Schemas          write all of them
      """)

  @Argument(help: "The name of a schema.", completion: .list(SchemaEntry.all.map(\.name)))
  var name: String?

  @Flag(help: "Lists the schemas with their subjects.")
  var list = false

  @Option(name: .shortAndLong, help: ArgumentHelp("Writes the schema to this file.", valueName: "path"))
  var output: String?

  @Option(help: ArgumentHelp("Writes all schemas to a directory.", valueName: "directory"), completion: .directory)
  var write: String?

  @OptionGroup var appearance: AppearanceOptions

  func validate() throws {
    if write != nil || list, name != nil || output != nil || (write != nil && list) {
      throw ValidationError("\(write != nil ? "--write" : "--list") cannot be combined with other arguments")
    }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    if let write {
      guard Directory.isDirectory(write) || (try? Path.real(write)) == nil else {
        throw Diagnostics(
          .cannotWrite, "'\(write)' is a file; expected a directory", help: "write a single schema to a file with -o")
      }
      for entry in SchemaEntry.all {
        try ResultFile.write(Array(entry.text.utf8), to: Path.join(write, entry.fileName), console)
      }
      console.say("\(SchemaEntry.all.count.counted("schema")), written to \(write)")
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
    throw Diagnostics(
      .invalidArgument, "there is no schema '\(name)'", notes: ["schemas: \(names.joined(separator: ", "))"],
      help: nearestName(to: name, among: names).map { "did you mean '\($0)'?" })
  }
}

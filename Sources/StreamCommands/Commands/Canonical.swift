internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// `streamrun canonical FILE`: prints the canonical form of JSON text (RFC 8785).
struct Canonical: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "canonical",
    abstract: "Prints the canonical form of a file's JSON (RFC 8785).",
    discussion: """
      The form has no white space, no line break at the end, sorted keys, and numbers as ECMAScript writes doubles. \
      'streamrun hash' hashes these bytes. Any JSON file is accepted.

      Examples:
        streamrun canonical stream.json
        streamrun canonical stream.json | sha256sum
      """)

  @Argument(help: "The file; - is standard input.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(name: .shortAndLong, help: ArgumentHelp("Writes the output to this file.", valueName: "path"))
  var output: String?

  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let loader = console.makeLoader()
    let document = try loader.document(file)
    let bytes = try document.locating { value throws(Diagnostics) in try JSONWriter.canonical(value) }
    try ResultFile.write(bytes, to: output, console)
    return ExitCode.good
  }
}

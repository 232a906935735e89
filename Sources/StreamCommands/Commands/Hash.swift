internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit

/// `streamrun hash PATH...`: ids of contents, or of behaviors.
struct Hash: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash",
    abstract: "Prints hashes of the content or the behavior of stream files.",
    discussion: """
      The hash of the content is the SHA-256 of the canonical form (RFC 8785), which ignores white space and the order \
      of keys. The hash of the behavior also ignores names, descriptions, labels, ids, tests, members that begin with \
      x-, $schema and format, defaults written out, and the spelling of expressions and numbers of seconds. A file \
      referred to by path counts by its path. For a directory, all of its stream files are hashed.

      Examples:
        streamrun hash stream.json
        streamrun hash --behavior old.json new.json
        streamrun hash --behavior -e 'filter(value > 1) | count()'
      """)

  @OptionGroup var named: NamedStreams

  @Flag(help: "Prints the hash of the behavior.")
  var behavior = false

  @Option(help: "Output format: text, or json (an array).")
  var format = ReportFormat.text

  @OptionGroup var appearance: AppearanceOptions

  var oneLiner: String? { named.oneLiner }
  var access: FileAccess { FileAccess(named: named.paths) }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let (files, problems) = try named.find(console)
    console.report(problems)
    var isWrong = problems.hasErrors
    var ids: [Value] = []
    let isComplete = NamedStreamFiles.forEach(files, console, done: "hashed") { file throws(Diagnostics) in
      let document = try console.makeLoader().document(file)
      let id = try id(of: document)
      if format == .text { console.output.appendLine("\(id)  \(document.file)") }
      ids.append([
        "file": .string(document.file), "kind": behavior ? "behavior" : "content", "id": .string(id),
      ])
    } failed: { problems in
      isWrong = true
      console.report(problems)
    }
    if format == .json { console.output.appendJSON(.list(ids)) }
    guard isComplete else { return ExitCode.interrupted }
    return isWrong ? ExitCode.wrong : ExitCode.good
  }

  private func id(of document: JSONDocument) throws(Diagnostics) -> String {
    guard behavior else { return try document.contentID() }
    return try document.locating { value throws(Diagnostics) in try StreamModel(json: value).behaviorID }
  }
}

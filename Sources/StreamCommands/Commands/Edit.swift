internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamEditing
internal import StreamFiles
internal import StreamKit

/// `streamrun edit FILE`: edits a stream file and keeps everything else.
struct Edit: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edits a stream file and keeps everything else byte for byte.",
    discussion: """
      Edits are applied in the order given, each to the result of the preceding ones. The result is read and compiled \
      before it is written; if it is invalid, the file stays unchanged. Items and operators are numbered from 0. A file \
      from standard input is printed on standard output.

      Examples:
        streamrun edit stream.json --append-item 42 --delay 1
        streamrun edit stream.json --add-operator '{"drop": {"count": 2}}' --at 0
        streamrun edit stream.json --set /operators/1/drop/count=3 --dry-run
        streamrun edit stream.json --move-operator total:0 -o other.json
      """)

  @Argument(help: "The stream file; - is standard input.", completion: .file(extensions: ["json"]))
  var file: String

  @OptionGroup(title: "Edits") var edits: EditOptions

  @Flag(help: "Writes nothing; prints the changes as a unified diff.")
  var dryRun = false

  @Option(name: .shortAndLong, help: ArgumentHelp("Writes the result to this file.", valueName: "path"))
  var output: String?

  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { reading.access(naming: []) }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let edits = try edits.edits()
    guard !edits.isEmpty else {
      throw Diagnostics(
        .invalidArgument, "no edit is given",
        help: "add an edit such as --set or --append-item; 'streamrun edit --help' lists them all")
    }
    let lock = dryRun || output != nil ? nil : try FileLock.take(editing: file, telling: console.say)
    let loader = console.makeLoader()
    let document = try loader.document(file)
    var editor = StreamEditor(
      document, identity: try loader.identity(of: file),
      options: loader.options())
    do throws(Diagnostics) {
      try editor.apply(edits)
    } catch {
      // The diagnostics point into the text that was refused.
      if let refused = editor.refused { console.remember(refused.source) }
      throw error
    }
    let bytes = editor.document.source.bytes
    if dryRun {
      let diff = UnifiedDiff(String(decoding: document.source.bytes, as: UTF8.self), editor.text)
      console.output.appendLines(diff.text(old: document.file, new: output ?? document.file))
    } else if bytes != document.source.bytes || output != nil || file == StandardInput.argument {
      try ResultFile.write(bytes, to: output, orReplacing: file, console, holding: lock)
    }
    return ExitCode.good
  }
}

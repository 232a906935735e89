internal import ArgumentParser
internal import StreamCore
internal import StreamEditing
internal import StreamKit

/// `streamrun format PATH...`: stream files in their stable form.
struct Format: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "format",
    abstract: "Sets stream files in their stable form.",
    discussion: """
      Keys come in the order of the format, levels are indented by two spaces, and what is short stays on one line. \
      Only white space and the order of keys change, so a file with mistakes is set in form too; what is no JSON is \
      refused, and with --add-ids everything that 'streamrun validate' would refuse to read. Of a directory all \
      *.json are taken.

      Examples:
        streamrun format stream.json
        streamrun format Streams --in-place
        streamrun format Streams --check          names the files that would change
        streamrun format stream.json --add-ids -i
      """)

  @Argument(help: "Stream files, or directories of them; - is standard input.", completion: .file())
  var paths: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("Writes the one file there.", valueName: "path"))
  var output: String?

  @Flag(name: .shortAndLong, help: "Writes each file where it is.")
  var inPlace = false

  @Flag(help: "Writes nothing; names the files that would change, and ends with 1 if there are any.")
  var check = false

  @Flag(help: "Gives operators that keep state an id, so that it is found again when the file has changed.")
  var addIds = false

  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { FileAccess(named: paths) }

  func validate() throws {
    if [output != nil, inPlace, check].count(where: \.self) > 1 {
      throw ValidationError("--output, --in-place and --check exclude each other")
    }
    if inPlace, paths.contains(StandardInput.argument) {
      throw ValidationError("standard input cannot be written in place")
    }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let (files, problems) = StreamFiles.find(paths)
    console.report(problems)
    if output != nil, files.count != 1 {
      throw Diagnostics([
        Diagnostic(
          .invalidArgument, "there are \(files.count) files, and --output names one",
          help: "write --in-place to set each in form where it is")
      ])
    }
    var isWrong = problems.hasErrors
    var changed = 0
    let isComplete = StreamFiles.forEach(files, console, done: "formatted") { file throws(Diagnostics) in
      if try format(file, console) { changed += 1 }
    } failed: { problems in
      isWrong = true
      console.report(problems)
    }
    guard isComplete else { return ExitCode.interrupted }
    if inPlace { console.say("\(SkipReport.count(files.count, "file")), \(changed) changed") }
    return isWrong ? ExitCode.wrong : check && changed > 0 ? ExitCode.failed : ExitCode.good
  }

  /// Whether the file is not in form.
  private func format(_ file: String, _ console: Console) throws(Diagnostics) -> Bool {
    let lock = inPlace || output != nil ? try FileLock.take(editing: file, into: output, telling: console) : nil
    let loader = console.makeLoader()
    let document = try loader.document(file)
    let bytes = try addIds ? StreamFormat.textWithIDs(of: document) : StreamFormat.text(of: document)
    let isChanged = bytes != document.source.bytes
    if check {
      if isChanged { console.output.appendLine(document.file) }
    } else if !inPlace {
      try ResultFile.write(bytes, to: output, console, holding: lock)
    } else if isChanged {
      try ResultFile.write(bytes, to: file, console, holding: lock)
    }
    return isChanged
  }
}

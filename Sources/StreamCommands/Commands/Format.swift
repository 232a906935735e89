internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamEditing
internal import StreamFiles
internal import StreamKit

/// `streamrun format PATH...`: stream files in their stable form.
struct Format: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "format",
    abstract: "Formats stream files.",
    discussion: """
      Keys are put in the order of the format, levels are indented by two spaces, and short values stay on one line. \
      Only white space and the order of keys change, so invalid stream files can be formatted too, as long as they are \
      JSON; --add-ids needs files that can be decoded. For a directory, all of its stream files are formatted.

      Examples:
        streamrun format stream.json
        streamrun format Streams --in-place
        streamrun format Streams --check          list the files that would change
        streamrun format stream.json --add-ids -i
        streamrun format stream.json --short      print the one-liner for -e
        streamrun format -e 'map(value * 2)'      print the stream file of a one-liner
      """)

  @OptionGroup var named: NamedStreams

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Writes the formatted file here; for a single file.", valueName: "path"))
  var output: String?

  @Flag(name: .shortAndLong, help: "Writes each file in place.")
  var inPlace = false

  @Flag(help: "Writes nothing; lists the files that would change, and exits with 1 if there are any.")
  var check = false

  @Flag(help: "Gives an id to operators with state, so that they keep it when the file changes.")
  var addIds = false

  @Flag(help: "Prints the short form of each stream, a one-liner for -e; fails for a stream that has none.")
  var short = false

  @OptionGroup var appearance: AppearanceOptions

  var oneLiner: String? { named.oneLiner }
  var access: FileAccess { FileAccess(named: named.paths) }

  func validate() throws {
    if [output != nil, inPlace, check].count(where: \.self) > 1 {
      throw ValidationError("--output, --in-place and --check cannot be combined")
    }
    if short, inPlace || check || addIds {
      throw ValidationError("--short cannot be combined with --in-place, --check and --add-ids")
    }
    if named.oneLiner != nil, inPlace || check {
      throw ValidationError("-e cannot be combined with --in-place and --check, which need files")
    }
    if inPlace, named.paths.contains(StandardInput.argument) {
      throw ValidationError("standard input cannot be written in place")
    }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let (files, problems) = try named.find(console)
    console.report(problems)
    if output != nil, files.count != 1 {
      throw Diagnostics(
        .invalidArgument, "--output needs a single file; found \(files.count) files",
        help: "use --in-place to format each file in place")
    }
    var isWrong = problems.hasErrors
    var changed = 0
    let isComplete = NamedStreamFiles.forEach(files, console, done: "formatted") { file throws(Diagnostics) in
      if try format(file, console) { changed += 1 }
    } failed: { problems in
      isWrong = true
      console.report(problems)
    }
    guard isComplete else { return ExitCode.interrupted }
    if inPlace { console.say("\(files.count.counted("file")), \(changed) changed") }
    return isWrong ? ExitCode.wrong : check && changed > 0 ? ExitCode.failed : ExitCode.good
  }

  /// The one-liner for a stream file.
  private func shortForm(of file: String, _ console: Console) throws(Diagnostics) -> String {
    let stream = try console.makeLoader().load(file)
    do throws(Diagnostic) {
      return try ShortForm.text(of: stream.model)
    } catch {
      throw Diagnostics([stream.document.locate(error)])
    }
  }

  /// Whether the file is not in form.
  private func format(_ file: String, _ console: Console) throws(Diagnostics) -> Bool {
    if short {
      try ResultFile.write(Array((try shortForm(of: file, console) + "\n").utf8), to: output, console)
      return false
    }
    let lock = inPlace ? try FileLock.take(editing: file, telling: console.say) : nil
    let loader = console.makeLoader()
    let document = try loader.document(file)
    let bytes = try addIds ? StreamFormat.textWithIDs(of: document) : StreamFormat.text(of: document)
    let isChanged = bytes != document.source.bytes
    if check {
      if isChanged { console.output.appendLine(document.file) }
    } else if !inPlace {
      try ResultFile.write(bytes, to: output, console, help: ResultOptions.inPlaceHelp)
    } else if isChanged {
      try ResultFile.replace(file, with: bytes, console, holding: lock)
    }
    return isChanged
  }
}

internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamEditing
internal import StreamFiles
internal import StreamKit

/// `streamrun resolve FILE`: ends the conflicts that a merge has marked in a stream file.
struct Resolve: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve",
    abstract: "Resolves the conflicts that a merge has marked in a stream file.",
    discussion: """
      A merged file with conflicts has our version at each conflict, and a mark in 'x-conflict' with all versions; it \
      is invalid until every mark is gone. Without --favor the current contents of the file are kept, which may be \
      neither version. A pointer resolves only the conflicts at or within that location. The exit code is 0 if no \
      conflict is left, 1 if conflicts are left, and 2 if the result is invalid for another reason; the file is written \
      in each case.

      Examples:
        streamrun resolve stream.json --favor theirs
        streamrun resolve stream.json --favor ours /operators/0
        streamrun resolve stream.json             keep the file as edited by hand
      """)

  @Argument(help: "The stream file; - is standard input.", completion: .file(extensions: ["json"]))
  var file: String

  @Argument(help: "Location of the conflict, as 'streamrun validate' reports it; without it, all conflicts.")
  var pointer: String?

  @Option(help: "The side to use: ours or theirs. (default: the current contents of the file)")
  var favor: Merge.Side?

  @Option(name: .shortAndLong, help: ArgumentHelp("Writes the result to this file.", valueName: "path"))
  var output: String?

  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { reading.access(naming: []) }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let place = try place()
    let lock = output == nil ? try FileLock.take(editing: file, telling: console.say) : nil
    let loader = console.makeLoader()
    let document = try loader.document(file)
    let side: StreamMerge.Side? = favor.map { $0 == .theirs ? .theirs : .ours }
    let resolution = try document.locating { value throws(Diagnostics) in
      try ConflictResolution(of: value, favoring: side, at: place)
    }
    let resolved = try StreamEditor.document(document, changedInto: resolution.value)
    try ResultFile.write(resolved.source.bytes, to: output, orReplacing: file, console, holding: lock)
    let left = resolution.left
    console.say("\(resolution.count.counted("conflict")) resolved, \(left.count) left")
    for mark in left { console.say("  \(mark.place)  \(mark.message)") }
    guard left.isEmpty else { return ExitCode.failed }
    // Each version may be valid alone, and invalid together with the merged parts around it.
    guard let problems = ChangedFile(document, path: file, loader, console).problems(in: resolved) else {
      return ExitCode.good
    }
    console.remember(resolved.source)
    throw problems
  }

  private func place() throws(Diagnostics) -> JSONPointer? {
    try Diagnostics.listing { () throws(Diagnostic) in
      try pointer.map { pointer throws(Diagnostic) in try JSONPointer(parsing: pointer) }
    }
  }
}

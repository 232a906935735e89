internal import ArgumentParser
internal import StreamCore
internal import StreamKit

/// `streamrun merge BASE OURS THEIRS`: two versions of a stream file brought together.
struct Merge: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Brings two versions of a stream file together that came out of one.",
    discussion: """
      Changes are brought together by what they mean: operators are found again by their ids, and where they have none \
      by what they are. A conflict is what both have changed in different ways; each is told with the three values, \
      nothing is written, and the exit code is 1.

      Examples:
        streamrun merge base.json ours.json theirs.json
        streamrun merge base.json ours.json theirs.json --favor theirs -o merged.json
        git config merge.streamrun.driver 'streamrun merge --in-place --path %P %O %A %B'
      """)

  @Argument(help: "The file that both came out of; an empty one if there was none.", completion: .file())
  var base: String

  @Argument(help: "Our version; with --in-place it becomes the merged one.", completion: .file())
  var ours: String

  @Argument(help: "Their version.", completion: .file())
  var theirs: String

  @Option(help: "Whose change counts where both are in conflict: ours or theirs.")
  var favor: Side?

  @Option(
    help: ArgumentHelp(
      "Where the file belongs if OURS is a copy of it, as git makes them: paths in it begin there.", valueName: "path"))
  var path: String?

  @OptionGroup var result: ResultOptions
  @OptionGroup var appearance: AppearanceOptions

  func validate() throws {
    try result.validate(original: ours)
    if [base, ours, theirs].count(where: { $0 == StandardInput.argument }) > 1 {
      throw ValidationError("only one of the files can be standard input")
    }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let lock = try result.lock(ours)
    let loader = console.makeLoader()
    let old = try baseValue(loader)
    let mine = try document(ours, loader, calling: path)
    let other = try document(theirs, loader)
    let merge = StreamMerge(
      base: old, ours: mine.value, theirs: other.value, favouring: favor == .theirs ? .theirs : .ours)
    if favor == nil, !merge.conflicts.isEmpty {
      for conflict in merge.conflicts { console.report(locate(conflict, mine, other)) }
      console.say("\(SkipReport.count(merge.conflicts.count, "conflict")), nothing has been written")
      return ExitCode.failed
    }
    let text: String
    do throws(Diagnostics) {
      text = try ChangedFile(mine, path: path ?? ours, loader, console).text(of: merge.value)
    } catch {
      console.report(error)
      console.say("the two do not go together, though they have changed different things")
      return ExitCode.failed
    }
    try result.write(text, madeOf: ours, console, holding: lock)
    return ExitCode.good
  }

  /// What both came out of; git gives an empty file where there was none.
  private func baseValue(_ loader: FileLoader) throws(Diagnostics) -> Value {
    do throws(Diagnostics) {
      return try document(base, loader).value
    } catch {
      guard error.all.map(\.code) == [.emptyText] else { throw error }
      return .map(ValueMap())
    }
  }

  /// A file, which must be a stream file.
  private func document(
    _ path: String, _ loader: FileLoader, calling name: String? = nil
  ) throws(Diagnostics) -> JSONDocument {
    let document = try loader.document(path, calling: name)
    _ = try document.locating { value throws(Diagnostics) in try StreamModel(value) }
    return document
  }

  /// The conflict at its place in our file, else in theirs.
  private func locate(
    _ conflict: StreamMerge.Conflict, _ ours: JSONDocument, _ theirs: JSONDocument
  ) -> Diagnostic {
    conflict.ours == nil && conflict.theirs != nil
      ? theirs.locate(conflict.diagnostic(at: conflict.theirs)) : ours.locate(conflict.diagnostic)
  }

  /// Whose change counts.
  enum Side: String, ExpressibleByArgument, CaseIterable, Sendable {
    case ours, theirs
  }
}

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
      by what they are. A conflict is what both have changed in different ways; each is told with the three values. \
      The merged file has our version there and a mark, 'x-conflict', with all three, which keeps it invalid until \
      'streamrun resolve' takes one; the exit code is 1.

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
  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { reading.access(naming: []) }

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
    let merge = try StreamMerge(
      base: old, ours: mine.value, theirs: other.value, favoring: favor == .theirs ? .theirs : .ours)
    if favor == nil, !merge.conflicts.isEmpty {
      for conflict in merge.conflicts { console.report(locate(conflict, mine, other)) }
      let marked = try StreamEditor.document(mine, changedInto: merge.markedValue)
      try result.write(Self.text(marked), madeOf: ours, console, holding: lock)
      console.say(
        "\(SkipReport.count(merge.conflicts.count, "conflict")): the merged file has ours there, and marks them in "
          + "'\(ConflictMark.key)'; 'streamrun resolve' resolves them")
      return ExitCode.failed
    }
    let merged = try StreamEditor.document(mine, changedInto: merge.value)
    let problems = ChangedFile(mine, path: path ?? ours, loader, console).problems(in: merged)
    if let problems {
      console.remember(merged.source)
      console.report(problems)
      console.say("both have changed different things, which do not go together: the merged file is wrong until mended")
    }
    try result.write(Self.text(merged), madeOf: ours, console, holding: lock)
    return problems == nil ? ExitCode.good : ExitCode.failed
  }

  private static func text(_ document: JSONDocument) -> String {
    String(decoding: document.source.bytes, as: UTF8.self)
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

internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamEditing
internal import StreamFiles
internal import StreamKit

/// `streamrun merge BASE OURS THEIRS`: two versions of a stream file brought together.
struct Merge: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges two versions of a stream file with a common base.",
    discussion: """
      The merge is semantic: operators are matched by their ids, or else by their contents. A conflict is a value that \
      both sides have changed differently; each is reported with its three versions. The merged file has our version \
      there and a mark, 'x-conflict', with all three, which keeps it invalid until 'streamrun resolve' selects one; the \
      exit code is 1. If a version is not a stream file, lines are merged, conflicts are marked with '<<<<<<<' and \
      '>>>>>>>', and the exit code is also 1.

      Examples:
        streamrun merge base.json ours.json theirs.json
        streamrun merge base.json ours.json theirs.json --favor theirs -o merged.json
        git config merge.streamrun.driver 'streamrun merge --in-place --path %P %O %A %B'
      """)

  @Argument(help: "The common base; an empty file if there is none.", completion: .file())
  var base: String

  @Argument(help: "Our version; --in-place replaces it with the merged file.", completion: .file())
  var ours: String

  @Argument(help: "Their version.", completion: .file())
  var theirs: String

  @Option(help: "The side to use in conflicts: ours or theirs.")
  var favor: Side?

  @Option(
    help: ArgumentHelp(
      "Path of the file if OURS is a temporary copy, as in git; paths in the file are relative to it.",
      valueName: "path"))
  var path: String?

  @OptionGroup var result: ResultOptions
  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { reading.access(naming: []) }

  func validate() throws {
    try result.validate(original: ours)
    if [base, ours, theirs].count(where: { $0 == StandardInput.argument }) > 1 {
      throw ValidationError("standard input can be used for only one of the files")
    }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let loader = console.makeLoader()
    // NB: the base and their version may come through pipes. No other edit waits until they have come.
    let old = Version(try loader.text(of: base), loader, isBase: true)
    let other = Version(try loader.text(of: theirs), loader)
    let lock = try result.lock(ours, console)
    let mine = Version(try loader.text(of: ours, calling: path), loader)
    guard let oldValue = old.value, let mine = mine.document, let other = other.document else {
      return try mergeLines(old, mine, other, console, holding: lock)
    }
    let merge = try StreamMerge(
      base: oldValue, ours: mine.value, theirs: other.value, favoring: favor == .theirs ? .theirs : .ours)
    if favor == nil, !merge.conflicts.isEmpty {
      for conflict in merge.conflicts { console.report(locate(conflict, mine, other)) }
      let marked = try StreamEditor.document(mine, changedInto: merge.markedValue)
      try result.write(marked.source.bytes, madeOf: ours, console, holding: lock)
      console.say(
        "\(merge.conflicts.count.counted("conflict")): the merged file has our version there, and marks in "
          + "'\(StreamModel.ConflictMark.key)'; 'streamrun resolve' resolves them")
      return ExitCode.failed
    }
    let merged = try StreamEditor.document(mine, changedInto: merge.value)
    let problems = problems(of: merged, ChangedFile(mine, path: path ?? ours, loader, console))
    if let problems {
      console.remember(merged.source)
      console.report(problems)
      console.say("the changes of both sides are incompatible: the merged file is invalid")
    }
    try result.write(merged.source.bytes, madeOf: ours, console, holding: lock)
    return problems == nil ? ExitCode.good : ExitCode.failed
  }

  /// The diagnostics of the merged file; nil if it is valid.
  ///
  /// git merges files before it puts those that their branch has added, moved or renamed into the work tree. A file of a
  /// merge by git may therefore name files that are not there.
  private func problems(of merged: JSONDocument, _ file: ChangedFile) -> Diagnostics? {
    guard let problems = file.problems(in: merged) else { return nil }
    let kept = problems.all.filter { path == nil || $0.code != .fileNotFound }
    return kept.isEmpty ? nil : Diagnostics(kept)
  }

  /// Merges versions that are not stream files by lines, so that no version is lost.
  private func mergeLines(
    _ old: Version, _ mine: Version, _ other: Version, _ console: Console, holding lock: FileLock?
  ) throws(Diagnostics) -> Int32 {
    for problems in [old, mine, other].compactMap(\.problems) { console.report(problems) }
    let merge = LineMerge(
      base: old.text.bytes, ours: mine.text.bytes, theirs: other.text.bytes, favoring: favor)
    try result.write(merge.bytes, madeOf: ours, console, holding: lock)
    console.say(
      "a version is not a stream file, so lines were merged: "
        + "\(merge.conflictCount.counted("conflict")) between '<<<<<<<' and '>>>>>>>'")
    return ExitCode.failed
  }

  /// A version of the file.
  private struct Version {
    let text: SourceText
    /// The JSON of a stream file; nil if the text is none.
    let document: JSONDocument?
    /// The value to merge; nil if the text is not a stream file.
    let value: Value?
    /// The reasons why the text is not a stream file.
    let problems: Diagnostics?

    /// - Parameter isBase: Whether an empty text counts as a stream file without members: git passes an empty file if
    ///   both sides have added the file.
    init(_ text: SourceText, _ loader: FileLoader, isBase: Bool = false) {
      self.text = text
      do throws(Diagnostics) {
        let document = try loader.document(of: text)
        _ = try document.locating { value throws(Diagnostics) in try StreamModel(json: value) }
        (self.document, value, problems) = (document, document.value, nil)
      } catch {
        let isEmpty = isBase && error.all.map(\.code) == [.emptyText]
        (document, value, problems) = (nil, isEmpty ? .map(ValueMap()) : nil, isEmpty ? nil : error)
      }
    }
  }

  /// The conflict at its place in our file, else in theirs.
  private func locate(
    _ conflict: StreamMerge.Conflict, _ ours: JSONDocument, _ theirs: JSONDocument
  ) -> Diagnostic {
    conflict.ours == nil && conflict.theirs != nil
      ? theirs.locate(conflict.diagnostic(at: conflict.theirs)) : ours.locate(conflict.diagnostic)
  }

  /// The side whose change is taken.
  enum Side: String, ExpressibleByArgument, CaseIterable, Sendable {
    case ours, theirs
  }
}

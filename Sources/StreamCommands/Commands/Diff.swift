internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// `streamrun diff A B`: prints the semantic differences between stream files.
struct Diff: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Shows the semantic differences between two stream files.",
    usage: "streamrun diff <old> <new> [<options>]",
    discussion: """
      Operators are matched by their ids, or else by their contents; the order of keys, white space and spelling are \
      ignored. For each change the output states whether the behavior stays the same, and whether the stored state of \
      operators is kept or lost. Two directories are compared file by file. The exit code is 0 without differences, 1 \
      with differences, and 2 after an error.

      Examples:
        streamrun diff old.json new.json
        streamrun diff old.json new.json --format patch
        streamrun diff old.json new.json --behavior
        streamrun diff old.json new.json --behavior --input gravity=day.ndjson --event-time value.ms
        git show HEAD:stream.json | streamrun diff - stream.json
        GIT_EXTERNAL_DIFF='streamrun diff' git diff
      """)

  @Argument(
    help: "Two files or two directories; - is standard input. The 7 or 9 arguments from git are also accepted.",
    completion: .file())
  var paths: [String] = []

  @Option(help: "Output format: text, json, patch (RFC 6902) or merge-patch (RFC 7396).")
  var format = DiffFormat.text

  @Flag(name: .shortAndLong, help: "Prints nothing and only sets the exit code.")
  var quiet = false

  @OptionGroup var behavior: BehaviorOptions
  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  /// Only two of git's arguments are names of files; the others are hashes and modes.
  var access: FileAccess {
    reading.access(naming: GitDiffArguments(paths).map { [$0.old, $0.new].compactMap(\.self) } ?? paths)
  }

  func validate() throws {
    if GitDiffArguments(paths) == nil, GitDiffArguments.unmergedPath(paths) == nil, paths.count != 2 {
      throw ValidationError("expected two files or two directories, found \(paths.count.counted("path"))")
    }
    try behavior.validate(format)
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    if let path = GitDiffArguments.unmergedPath(paths) {
      console.output.appendLine("* Unmerged path \(path)")
      return ExitCode.good
    }
    let comparison = FileComparison(
      format: format, isQuiet: quiet, usesColors: appearance.color.applies(to: .standardOutput), console)
    if let arguments = GitDiffArguments(paths) {
      comparison.show(arguments)
      return ExitCode.good
    }
    if behavior.behavior { return try BehaviorRun(behavior, comparison).compare(paths[0], paths[1]) }
    let (pairs, areOfDirectories) = try FilePairs.find(paths[0], paths[1])
    guard areOfDirectories else { return try comparison.compare(paths[0], paths[1], pairs[0]) }
    if format == .patch || format == .mergePatch {
      throw Diagnostics(
        .invalidArgument, "a patch applies to a single file; found two directories", help: "use --format json")
    }
    return comparison.compare(pairs)
  }
}

internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit

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
        streamrun diff new.json old.json --behavior --set quiet=10 --seed 7
        streamrun diff stream.json -e 'filter(value.mag > 4.5)'
        git show HEAD:stream.json | streamrun diff - stream.json
        GIT_EXTERNAL_DIFF='streamrun diff' git diff
      """)

  @Argument(
    help: "Two files or two directories; - is standard input. The 7 or 9 arguments from git are also accepted.",
    completion: .file())
  var paths: [String] = []

  @Option(
    name: .customShort("e"),
    help: ArgumentHelp(
      "Takes a stream in its short form as the new version, such as 'filter(value > 1) | count()'.",
      valueName: "one-liner"),
    completion: .custom(OneLinerCompletion.candidates))
  var oneLiner: String?

  @Option(help: "Output format: text, json, patch (RFC 6902) or merge-patch (RFC 7396).")
  var format = DiffFormat.text

  @Flag(name: .shortAndLong, help: "Prints nothing and only sets the exit code.")
  var quiet = false

  @OptionGroup var behavior: BehaviorOptions
  @OptionGroup var arguments: CompileArgumentOptions
  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var compile: CompileRequest { arguments.request }

  /// Only two of git's arguments are names of files; the others are hashes and modes.
  var memoryLimit: ByteCount { behavior.memoryLimit }
  var access: FileAccess {
    reading.access(naming: GitDiffArguments(paths).map { [$0.old, $0.new].compactMap(\.self) } ?? paths)
  }

  func validate() throws {
    if let path = paths.first, oneLiner != nil, paths.count > 1 {
      throw ValidationError("-e is the new version of '\(path)'; expected a single file, found \(paths.count)")
    }
    if oneLiner == nil, GitDiffArguments(paths) == nil, GitDiffArguments.unmergedPath(paths) == nil, paths.count != 2 {
      throw ValidationError("expected two files or two directories, found \(paths.count.counted("path"))")
    }
    if oneLiner != nil, paths.isEmpty { throw ValidationError("-e is the new version; expected the file to compare") }
    try behavior.validate(format, arguments)
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    if oneLiner == nil, let path = GitDiffArguments.unmergedPath(paths) {
      console.output.appendLine("* Unmerged path \(path)")
      return ExitCode.good
    }
    let comparison = FileComparison(
      format: format, isQuiet: quiet, usesColors: appearance.color.applies(to: .standardOutput), console)
    if let arguments = GitDiffArguments(paths) {
      comparison.show(arguments)
      return ExitCode.good
    }
    let (old, new) = (paths[0], oneLiner == nil ? paths[1] : ShortForm.file)
    if behavior.behavior {
      let arguments = try arguments.arguments(isShared: true)
      return try BehaviorRun(behavior, comparison, arguments, arguments).compare(old, new)
    }
    let (pairs, areOfDirectories) = try FilePairs.find(old, new)
    guard areOfDirectories else { return try comparison.compare(old, new, pairs[0]) }
    if format == .patch || format == .mergePatch {
      throw Diagnostics(
        .invalidArgument, "a patch applies to a single file; found two directories", help: "use --format json")
    }
    return comparison.compare(pairs)
  }
}

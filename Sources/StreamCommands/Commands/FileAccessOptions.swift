internal import ArgumentParser

/// The options of commands that read the files which stream files name.
struct FileAccessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Lets stream files name files below this directory, or this one file, too. They may name regular files below the "
        + "directory of the file that is given.", valueName: "path"))
  var allowRead: [String] = []

  @Flag(help: "Lets stream files name no files at all.")
  var noFiles = false

  func validate() throws {
    if noFiles, !allowRead.isEmpty { throw ValidationError("--no-files and --allow-read exclude each other") }
  }

  /// - Parameter paths: the files and directories that the user named.
  func access(naming paths: [String]) -> FileAccess {
    FileAccess(isAllowed: !noFiles, granted: allowRead, named: paths)
  }
}

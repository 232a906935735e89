internal import ArgumentParser
package import StreamFiles

/// The options of commands that read the files which stream files name.
package struct FileAccessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Lets stream files also refer to this file, or to files below this directory. By default they can refer to "
        + "regular files below the directory of the main file.", valueName: "path"))
  var allowRead: [String] = []

  @Flag(help: "Forbids stream files to refer to other files.")
  var noFiles = false

  package func validate() throws {
    if noFiles, !allowRead.isEmpty { throw ValidationError("--no-files and --allow-read cannot be combined") }
  }

  /// - Parameter paths: the files and directories that the user named.
  package func access(naming paths: [String]) -> FileAccess {
    FileAccess(isAllowed: !noFiles, granted: allowRead, named: paths)
  }
}

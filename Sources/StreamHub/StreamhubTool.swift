#if Sharing
internal import ArgumentParser

/// The command `streamhub`.
public enum StreamhubTool {
  /// Runs the command with the arguments of the process, and ends the process.
  public static func main() async { await Root.main() }
}

/// `streamhub`.
struct Root: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "streamhub",
    abstract: "Publishes stream files in signed repositories.",
    discussion: """
      A repository is a folder of files that any web server can serve. Its metadata follow The Update Framework (TUF) \
      1.0, so that clients accept only what its publishers have signed, and never an older version.
      """,
    subcommands: [TUFCommand.self])
}
#endif

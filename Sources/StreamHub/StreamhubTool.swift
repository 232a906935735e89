#if Sharing
internal import ArgumentParser
internal import CLibrary
internal import StreamCore
internal import StreamDriving

/// The command `streamhub`.
public enum StreamhubTool {
  /// Runs the command with the arguments of the process, and ends the process.
  public static func main() async {
    let arguments = Array(ProcessArguments.read().dropFirst())
    CommandStack.prepareThreads()
    FileDescriptor.openStandardFiles()
    Interruption.watch()
    do {
      var command = try Root.parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      guard Root.exitCode(for: error) == .validationFailure else { Root.exit(withError: error) }
      var message = Root.fullMessage(for: error) + "\n"
      if let name = Root.nearestSubcommand(to: arguments) { message += "help: did you mean 'streamhub \(name)'?\n" }
      try? FileDescriptor.standardError.write(message)
      exit(StreamDriving.ExitCode.wrong)
    }
  }
}

extension Root {
  /// The subcommand that the first argument resembles; nil if it is one, or an option.
  fileprivate static func nearestSubcommand(to arguments: [String]) -> String? {
    let names = configuration.subcommands.map { $0.configuration.commandName ?? "" }
    guard let first = arguments.first, !first.hasPrefix("-"), !names.contains(first) else {
      return nil
    }
    return nearestName(to: first, among: names)
  }
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
    version: "streamhub \(ProgramVersion.text)",
    subcommands: [
      InitCommand.self, KeysCommand.self, PublishCommand.self, PromoteCommand.self, HaltCommand.self,
      RollbackCommand.self, RenewCommand.self, ListCommand.self, LogCommand.self, ShowCommand.self, DiffCommand.self,
      PullCommand.self, RunCommand.self, ServeCommand.self, TokensCommand.self, TUFCommand.self,
    ])
}
#else
internal import CLibrary
internal import StreamDriving

/// The command `streamhub`, built without the package trait that it needs.
public enum StreamhubTool {
  /// Says how to build it, and ends the process.
  public static func main() async {
    try? FileDescriptor.standardError.write(
      "error: streamhub needs a trait: swift build --product streamhub --enable-all-traits\n")
    exit(2)
  }
}
#endif

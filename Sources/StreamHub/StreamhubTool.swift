internal import ArgumentParser
internal import CLibrary
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// The command `streamhub`.
public enum StreamhubTool {
  /// Runs the command with the arguments of the process, and ends the process.
  ///
  /// - Parameter commit: The commit from which the program is built; empty if there is none.
  public static func main(commit: String = "") async {
    ProgramVersion.declare(commit: commit)
    let arguments = Array(ProcessArguments.read().dropFirst())
    CommandStack.prepareThreads()
    FileDescriptor.openStandardFiles()
    Interruption.watch()
    do {
      var command = try Root.parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      exit(
        Root.end(
          error, advising: { OptionAdvice.namingUnknownOption(in: arguments, of: Root.self, $0) },
          help: { message in
            Root.nearestSubcommand(to: arguments).map { "did you mean '\($0)'?" }
              ?? OptionAdvice.help(for: arguments, message)
          }))
    }
  }
}

extension Root {
  /// The command that the first argument resembles, or is called elsewhere; nil if it is one, or an option.
  fileprivate static func nearestSubcommand(to arguments: [String]) -> String? {
    let names = configuration.subcommands.map { $0.configuration.commandName ?? "" }
    guard let first = arguments.first, !names.contains(first) else { return nil }
    if let command = commands[first] { return command }
    guard !first.hasPrefix("-") else { return nil }
    return nearestName(to: first, among: names).map { "streamhub \($0)" }
  }

  /// The commands by their names in other tools.
  private static let commands: [String: String] = {
    let groups = [
      ("streamhub --version", "version -v -V"), ("streamhub list", "ls list-streams search status"),
      ("streamhub publish", "push upload add release deploy"), ("streamhub pull", "fetch get download clone"),
      ("streamhub log", "history versions"), ("streamhub show", "cat describe info"),
      ("streamhub rollback", "revert undo"), ("streamhub halt", "stop pause"), ("streamhub init", "create new"),
      ("streamhub serve", "server start"), ("streamrun validate", "check validate lint verify"),
      ("streamrun test", "test"),
    ]
    return Dictionary(
      uniqueKeysWithValues: groups.flatMap { command, names in
        names.split(separator: " ").map { (String($0), command) }
      })
  }()
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
    version: "streamhub \(ProgramVersion.full)",
    subcommands: [
      InitCommand.self, KeysCommand.self, PublishCommand.self, PromoteCommand.self, HaltCommand.self,
      RollbackCommand.self, RenewCommand.self, ListCommand.self, LogCommand.self, ShowCommand.self, DiffCommand.self,
      PullCommand.self, RunCommand.self, ServeCommand.self, TokensCommand.self, TUFCommand.self,
    ])
}

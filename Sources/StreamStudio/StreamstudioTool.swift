internal import ArgumentParser
internal import CLibrary
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// The command `streamstudio`.
public enum StreamstudioTool {
  /// Runs the command with the arguments of the process, and ends the process.
  ///
  /// - Parameter commit: The commit from which the program is built; empty if there is none.
  public static func main(commit: String = "") async {
    ProgramVersion.declare(commit: commit)
    CommandStack.prepareThreads()
    FileDescriptor.openStandardFiles()
    do {
      let command = try StudioCommand.parse(Array(ProcessArguments.read().dropFirst()))
      try await command.run()
    } catch {
      exit(StudioCommand.end(error))
    }
  }
}

/// `streamstudio [DIR]`: serves the page for the stream files of a folder.
struct StudioCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "streamstudio",
    abstract: "Shows, edits, tries and steps the stream files of a folder in a browser.",
    discussion: """
      Prints a link to the page. The server listens on this machine only, and accepts only browsers that have opened \
      the link. It reads and writes files below the folder. SIGINT and SIGTERM stop it.

      Examples:
        streamstudio Streams
        streamstudio Streams --port 9000
        streamstudio --port 0
      """,
    version: "streamstudio \(ProgramVersion.full)")

  @Argument(help: "The folder of stream files.", completion: .directory)
  var folder = "."

  @Option(
    help: ArgumentHelp("The port; 0 for a free one. Default 8480, or a free one if it is taken.", valueName: "number"))
  var port: UInt16?

  @Flag(
    help: ArgumentHelp(
      "Makes a new token, which the links of all studios of this user have from then on. Older links, and open pages, stop "
        + "working."))
  var newToken = false

  @Option(help: ArgumentHelp("Maximum number of steps of a run without an event.", valueName: "steps"))
  var budget = 2_000_000

  @OptionGroup var appearance: AppearanceOptions

  func run() async throws {
    let console = Console(color: appearance.color)
    do {
      let folder = try StudioFolder(folder)
      let server = StudioServer(Studio(folder, budget: budget), AccessToken.read(isNew: newToken))
      try await server.run(port: port) { link in
        try? FileDescriptor.standardError.write("The studio is at \(link)\n")
      }
    } catch let error as Diagnostics {
      console.report(error)
      throw ArgumentParser.ExitCode(console.close(StreamDriving.ExitCode.wrong))
    }
    _ = console.close(StreamDriving.ExitCode.good)
  }
}

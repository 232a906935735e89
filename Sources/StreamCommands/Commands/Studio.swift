internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// `streamrun studio`: starts the program `streamstudio`, which is beside this one.
struct StudioCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Opens the studio: shows, edits, tries and steps streams in a browser.",
    discussion: """
      Starts the program 'streamstudio', which has to be in the folder of 'streamrun', or in the search path. \
      'streamstudio --help' lists its options.

      Examples:
        streamrun studio Streams
        streamrun studio Streams --port 9000
      """)

  @Argument(parsing: .captureForPassthrough, help: "The folder of stream files, and options of 'streamstudio'.")
  var arguments: [String] = []

  /// The defaults: the options are those of the other program.
  var appearance: AppearanceOptions { (try? AppearanceOptions.parse([])) ?? AppearanceOptions() }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    do throws(SystemError) {
      try ProgramFile.become("streamstudio", arguments)
    } catch {
      throw Diagnostics(
        .cannotRead, "'streamstudio' is neither beside this program nor in the search path",
        help: "'swift build -c release --product streamstudio' builds it")
    }
  }
}

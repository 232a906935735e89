internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// `streamrun lsp`: helps an editor with stream files.
struct LanguageServerCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Runs a language server with diagnostics, explanations and completion for stream files.",
    discussion: """
      The server uses the Language Server Protocol (3.17) over standard input and output; the editor starts it. \
      The page Editors of the documentation describes the setup for Visual Studio Code, Neovim, Helix, Emacs and Zed.

      Examples:
        streamrun lsp
      """)

  @Flag(help: "Accepted for editors that pass it; standard input and output are always used.")
  var stdio = false

  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { reading.access(naming: []) }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    guard !FileDescriptor.standardInput.isTerminal else {
      throw Diagnostics(
        .invalidArgument, "'streamrun lsp' communicates with an editor, but standard input is a terminal",
        help: "let the editor start it; the page Editors of the documentation describes its setup")
    }
    var connection = ServerConnection(input: .standardInput, output: .standardOutput, access: access)
    do throws(SystemError) {
      let code = try connection.serve()
      if let fault = connection.server.fatalFault { console.say("error \(DiagnosticCode.tooLarge.rawValue): \(fault)") }
      return code
    } catch {
      if error.isInterruption { return ExitCode.interrupted }
      // The editor has disconnected.
      if error.isClosedPipe { return ExitCode.failed }
      throw Diagnostics([error.diagnostic(reading: StandardInput.name)])
    }
  }
}

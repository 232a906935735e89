package import ArgumentParser
internal import StreamCore
package import StreamDriving

extension ParsableCommand {
  /// Prints the help or the version that the arguments ask for, or why they are wrong, and returns the exit code.
  ///
  /// - Parameters:
  ///   - log: The form of the message.
  ///   - extended: Returns a help text or a script with more.
  ///   - advising: Returns a better message about arguments.
  ///   - help: Returns a line of help for a message about arguments.
  package static func end(
    _ error: any Error, log: LogFormat = .text, extended: (String) -> String = { $0 },
    advising: (String) -> String = { $0 }, help: (String) -> String? = { _ in nil }
  ) -> Int32 {
    let code = exitCode(for: error)
    var text = fullMessage(for: error)
    let console = Console(color: .auto, log: log)
    if code == .success {
      console.output.append(raw: extended(text + "\n"))
      return console.close(StreamDriving.ExitCode.good)
    }
    let isAboutArguments = code == .validationFailure
    if isAboutArguments {
      text = advising(text)
      if let help = help(text + "\n") { text += "\nhelp: \(help)" }
    }
    if !text.isEmpty { console.sayLines(text) }
    return console.close(isAboutArguments ? StreamDriving.ExitCode.wrong : code.rawValue)
  }
}

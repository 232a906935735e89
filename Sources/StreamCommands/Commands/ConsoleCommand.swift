internal import ArgumentParser
internal import StreamCore

/// A subcommand that prints on a console and gives an exit code.
protocol ConsoleCommand: ParsableCommand {
  var appearance: AppearanceOptions { get }
  /// What stream files may name. Default: files below their directories.
  var access: FileAccess { get }

  /// Does the work. What is thrown is printed, and ends in the exit code of what is wrong.
  func perform(_ console: Console) throws(Diagnostics) -> Int32
}

extension ConsoleCommand {
  var access: FileAccess { FileAccess() }
}

/// What all commands understand.
struct AppearanceOptions: ParsableArguments {
  @Option(name: .customLong("color"), help: "Colours of messages and differences: auto, always or never.")
  var colour = ColourChoice.auto
}

/// How a command prints what is not the data themselves.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text, json
}

internal import ArgumentParser
internal import StreamCore
package import StreamDriving
internal import StreamFiles

/// A subcommand that prints on a console and returns an exit code.
protocol ConsoleCommand: ParsableCommand {
  var appearance: AppearanceOptions { get }
  /// The files that stream files may name. Default: files below their directories.
  var access: FileAccess { get }

  /// Does the work. Errors are printed and end the program with `ExitCode.wrong`.
  func perform(_ console: Console) throws(Diagnostics) -> Int32
}

extension ConsoleCommand {
  var access: FileAccess { FileAccess() }
}

/// The options of all commands.
package struct AppearanceOptions: ParsableArguments {
  @Option(name: .customLong("color"), help: "Whether to color messages and differences: auto, always or never.")
  package var color = ColorChoice.auto

  package init() {}
}

/// The format of a command's report.
package enum ReportFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text, json
}

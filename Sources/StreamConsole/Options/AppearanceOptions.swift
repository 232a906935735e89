internal import ArgumentParser
package import StreamDriving

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

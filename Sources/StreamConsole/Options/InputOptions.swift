package import ArgumentParser
package import StreamDriving
internal import StreamFiles
package import StreamKit

/// The options of every command that reads files of values.
package struct InputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Feeds an input from a file; - is standard input. The only input needs no name. The file's extension tells its "
        + "format: .ndjson, .json, .csv, .tsv or .txt; else it has one JSON value per line. A pattern in quotes, such as "
        + "--input 'logs/*.ndjson', is all files that it matches, one after another.", valueName: "[name=]path"),
    transform: NamedArgument.init(inputArgument:))
  package var input: [NamedArgument] = []

  @Option(
    help: "Format of all files that feed inputs, and of standard input: ndjson, json, csv, tsv or text.")
  package var inputFormat: FileFormat?

  @OptionGroup package var eventTime: EventTimeOptions

  package init() {}

  /// Whether one of the options is given.
  package var isGiven: Bool { !input.isEmpty || inputFormat != nil || !eventTime.request.isEmpty }

  /// Whether one of the files is standard input.
  package var readsStandardInput: Bool { input.contains { $0.text == StandardInput.argument } }
}

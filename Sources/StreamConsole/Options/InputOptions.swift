package import ArgumentParser
package import StreamDriving
internal import StreamFiles
package import StreamKit

/// The options of every command that reads files of values.
package struct InputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Feeds an input from a file; - is standard input. The only input needs no name. The file's extension tells its "
        + "format: \(FileFormat.endings); else it has JSON values, one per line or over several. "
        + "Files compressed with gzip, zstd or xz are decompressed: x.csv.gz is a table. A pattern in quotes, such as "
        + "--input 'logs/*.ndjson', is all files that it matches, one after another.", valueName: "[name=]path"),
    transform: NamedArgument.init(inputArgument:))
  package var input: [NamedArgument] = []

  @OptionGroup var formats: InputFormatOptions
  /// The format of the files.
  package var inputFormat: InputFormat { formats.inputFormat }

  @OptionGroup package var eventTime: EventTimeOptions

  package init() {}

  /// Whether one of the options is given.
  package var isGiven: Bool { !input.isEmpty || formats.isGiven || !eventTime.request.isEmpty }

  /// Whether one of the files is standard input.
  package var readsStandardInput: Bool { input.contains { $0.text == StandardInput.argument } }
}

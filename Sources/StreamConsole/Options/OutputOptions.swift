package import ArgumentParser
package import StreamDriving

/// The options for the outputs of a run.
package struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Appends the output to a file, such as --output out.csv or, of a stream with several outputs, "
        + "--output alerts=alerts.ndjson; - is standard output, and '|COMMAND' a program that reads the values. The "
        + "file's extension tells its format.",
      valueName: "[name=]path"), completion: .file())
  var output: [String] = []

  @Flag(
    exclusivity: .exclusive,
    help: ArgumentHelp(
      "Appends to the output files that exist, which is the default, without a note; or replaces their content. A run that "
        + "continues from a saved state always appends."))
  var existing: ExistingContent?

  @Option(
    help: ArgumentHelp(
      "Format of all outputs: ndjson, json, text, csv, tsv or marbles. Default: the format of a file's extension, or else "
        + "ndjson.", valueName: "format"))
  package var format: ValueFormat?

  @Option(
    help: ArgumentHelp(
      "Format of one of several outputs, such as --output-format alerts=csv.", valueName: "name=format"))
  var outputFormat: [NamedArgument] = []

  @Option(
    help: ArgumentHelp(
      "Columns of csv and tsv, such as --columns time,price; other members are left out. Default: the members of the first "
        + "100 values.", valueName: "names"))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "Renames each output file once it has this size, or at the beginning of each period, such as --rotate 100MB or "
        + "--rotate 1h: out.ndjson becomes out-20260131T180000Z.ndjson.", valueName: "size or time"))
  var rotate: RotationRule?

  @Option(
    help: ArgumentHelp(
      "Appends the values that arrive too late to this file, for a partition with \"late\": \"output\".",
      valueName: "file"), completion: .file())
  var lateOutput: String?

  package init() {}

  package func validate() throws {
    if rotate != nil, output.isEmpty, lateOutput == nil {
      throw ValidationError("--rotate is for files; write --output FILE as well")
    }
    if existing != nil, output.isEmpty, lateOutput == nil {
      throw ValidationError("--append and --overwrite are for files; write --output FILE as well")
    }
    if let columns, Set(Self.names(columns)).count != Self.names(columns).count || Self.names(columns).contains("") {
      throw ValidationError("--columns \(columns) has an empty name or one twice; expected names such as time,price")
    }
    if rotate != nil, format == .marbles {
      throw ValidationError("--rotate and --format marbles cannot be combined: a diagram shows the whole run")
    }
  }

  private static func names(_ columns: String) -> [String] {
    columns.split(separator: ",", omittingEmptySubsequences: false).map { name in
      String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The part of the request for a run.
  var request: OutputRequest {
    var request = OutputRequest()
    (request.outputs, request.formats, request.rotation, request.late) = (output, outputFormat, rotate, lateOutput)
    request.columns = columns.map(Self.names)
    request.existing = existing
    return request
  }
}

internal import ArgumentParser
internal import StreamCore
package import StreamKit

/// The options for the format of files that feed inputs.
package struct InputFormatOptions: ParsableArguments {
  @Option(
    name: .customLong("input-format"),
    help: "Format of all files that feed inputs, and of standard input: ndjson, json, csv, tsv or text.")
  var format: FileFormat?

  @Option(
    help: ArgumentHelp(
      "Place of the values in each JSON text, such as --items /results: the elements of the array there, or the value "
        + "there.", valueName: "pointer"))
  var items: String?

  @Option(
    help: ArgumentHelp(
      "Character between the fields of a table, such as --csv-delimiter ';' or --csv-delimiter tab. Default: a comma, or "
        + "the semicolon, tab or vertical bar that the first two rows show.", valueName: "character"))
  var csvDelimiter: String?

  @Option(
    help: ArgumentHelp(
      "Character around the fields of a table that contain delimiters or line breaks, such as --csv-quote \"'\"; none "
        + "for no such character. Default: a double quotation mark.", valueName: "character"))
  var csvQuote: String?

  @Option(
    help: ArgumentHelp(
      "Character before the decimals of a table's numbers, such as --csv-decimal ','. Default: a point or, if commas do "
        + "not separate the fields, either.", valueName: "character"))
  var csvDecimal: String?

  package init() {}

  /// Whether one of the options is given.
  package var isGiven: Bool {
    format != nil || items != nil || csvDelimiter != nil || csvQuote != nil || csvDecimal != nil
  }

  package func validate() throws {
    do throws(Diagnostic) {
      _ = try options
    } catch {
      throw ValidationError(error.message + (error.help.map { "; \($0)" } ?? ""))
    }
    let isTable = format == .csv || format == .tsv
    if items != nil, isTable || format == .text {
      throw ValidationError("--items is for JSON; the input format is \(format?.rawValue ?? "")")
    }
    if csvDelimiter != nil || csvQuote != nil || csvDecimal != nil, let format, !isTable {
      throw ValidationError(
        "--csv-delimiter, --csv-quote and --csv-decimal are for tables; the input format is "
          + format.rawValue)
    }
  }

  private var options: FormatOptions {
    get throws(Diagnostic) {
      var options = FormatOptions()
      options.items = try items.map { text throws(Diagnostic) in try FormatOptions.pointer(text, named: "--items") }
      options.table = try TableDialect(
        delimiter: csvDelimiter, quote: csvQuote, decimal: csvDecimal
      ) { "--csv-\($0)" }
      return options
    }
  }

  /// The format of the files.
  package var inputFormat: InputFormat {
    var input = InputFormat(format)
    // NB: `validate` has reported an error.
    input.options = (try? options) ?? FormatOptions()
    return input
  }
}

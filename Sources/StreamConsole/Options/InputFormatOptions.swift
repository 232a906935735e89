internal import ArgumentParser
internal import StreamCore
internal import StreamDriving
package import StreamKit

/// The options for the format of files that feed inputs.
package struct InputFormatOptions: ParsableArguments {
  @Option(
    name: .customLong("input-format"),
    help: ArgumentHelp(
      "Format of all files that feed inputs, and of standard input, or of those of one input, as in --input-format "
        + "orders=csv: ndjson, json, csv, tsv or text. With ndjson, each line is one value, also if it is the only one.",
      valueName: "[name=]format"))
  var formats: [InputFormatArgument] = []
  /// The format of all files.
  private var format: FileFormat? { formats.last { $0.name.isEmpty }?.format }
  private var hasTables: Bool { formats.contains { $0.format.isTable } }

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

  @Option(
    help: ArgumentHelp(
      "Types of a table's columns, such as --csv-types 'ms:int,price:double?', for inputs without a type: all fields are "
        + "strings otherwise, so that \"9\" is greater than \"100\". With a question mark, an empty field is null. infer "
        + "takes what is written as a number or a Boolean for one, and an empty field for null.", valueName: "types"))
  var csvTypes: String?

  package init() {}

  /// Whether one of the options is given.
  package var isGiven: Bool {
    !formats.isEmpty || items != nil || csvDelimiter != nil || csvQuote != nil || csvDecimal != nil
      || csvTypes != nil
  }

  package func validate() throws {
    do throws(Diagnostic) {
      _ = try options
    } catch {
      throw ValidationError(error.message + (error.help.map { "; \($0)" } ?? ""))
    }
    if items != nil, let format, format != .json, format != .ndjson, formats.count == 1 {
      throw ValidationError("--items is for JSON; the input format is \(format.rawValue)")
    }
    if csvDelimiter != nil || csvQuote != nil || csvDecimal != nil || csvTypes != nil, let format, !hasTables {
      throw ValidationError(
        "--csv-delimiter, --csv-quote, --csv-decimal and --csv-types are for tables; the input format is "
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
      if let csvTypes { options.table.types = try ColumnTypes(csvTypes, named: "--csv-types") }
      return options
    }
  }

  /// The format of the files.
  package var inputFormat: InputFormat {
    var input = InputFormat(format)
    for argument in formats where !argument.name.isEmpty { input.named[argument.name] = argument.format }
    // NB: `validate` has reported an error.
    input.options = (try? options) ?? FormatOptions()
    return input
  }
}

/// A format, or the format of one input: `csv` or `orders=csv`.
struct InputFormatArgument: ExpressibleByArgument {
  /// The name of the input; empty for all.
  let name: String
  let format: FileFormat

  static var allValueStrings: [String] { FileFormat.allCases.map(\.rawValue) }

  init?(argument: String) {
    let named = NamedArgument(argument: argument)
    guard let format = FileFormat(rawValue: named?.text ?? argument) else { return nil }
    (name, self.format) = (named?.name ?? "", format)
  }
}

internal import ArgumentParser
internal import StreamConsole
internal import StreamDriving
internal import StreamEngine
internal import StreamFiles

/// The options of `streamrun show`.
struct ShowOptions: ParsableArguments {
  @Flag(help: "Draws the connections of streams, inputs and operators instead of a run.")
  var graph = false

  @Flag(help: "Draws a separate line for every source and operator.")
  var stages = false

  @Option(help: ArgumentHelp("The test to run. Default the first one in the file.", valueName: "name"))
  var test: String?

  @OptionGroup var inputs: InputOptions

  @Option(
    help: ArgumentHelp(
      "Without --event-time, virtual time between two values of --input. Default 1.", valueName: "seconds"))
  var every: Double?

  @Option(help: ArgumentHelp("Maximum number of values on a line.", valueName: "count"))
  var limit = 30

  @Option(name: .customLong("for"), help: ArgumentHelp("Maximum stream time to draw.", valueName: "seconds"))
  var seconds: Double?

  @Option(
    help: """
      Output format: text, svg, for a run html, a page that can be scrubbed and needs no server, for a graph mermaid or \
      dot. Default text, or the extension of --output.
      """)
  var format: PictureFormat?

  @Option(help: ArgumentHelp("Width of the text in columns.", valueName: "count"))
  var width = 100

  @Flag(help: "Draws with ASCII characters only.")
  var ascii = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Writes the picture to this file: .svg, .html, .mmd, .dot or .txt.", valueName: "path"))
  var output: String?

  @OptionGroup var work: WorkOptions

  /// The format of the picture.
  var pictureFormat: PictureFormat { format ?? ending.flatMap(Self.format) ?? .text }

  /// The extension of the picture's file name, without the dot; nil if it has none.
  private var ending: String? {
    guard let name = output.map(Path.name), let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return nil
    }
    return name[name.index(after: dot)...].lowercased()
  }

  private static func format(ofEnding ending: String) -> PictureFormat? {
    switch ending {
    case "svg": .svg
    case "html", "htm": .html
    case "mmd", "mermaid": .mermaid
    case "dot", "gv": .dot
    case "txt", "text": .text
    default: nil
    }
  }

  func validate() throws {
    let isOfRun = stages || test != nil || inputs.isGiven || seconds != nil || every != nil
    if graph, isOfRun {
      throw ValidationError(
        "--graph cannot be combined with --stages, --test, --input, --input-format, --event-time, --every or --for")
    }
    if format == nil, let output, let ending, Self.format(ofEnding: ending) == nil {
      throw ValidationError(
        "'\(output)' has the unknown extension .\(ending): use .svg, .html, .mmd, .dot or .txt, or add --format")
    }
    if ascii, pictureFormat != .text {
      throw ValidationError("--ascii applies to text, not to \(pictureFormat.rawValue)")
    }
    if graph, pictureFormat == .html {
      throw ValidationError("html shows a run, not a graph: use svg, mermaid, dot or text")
    }
    if !graph, pictureFormat == .mermaid || pictureFormat == .dot {
      throw ValidationError("\(pictureFormat.rawValue) cannot show a run: add --graph, or use text or svg")
    }
    if test != nil, !inputs.input.isEmpty { throw ValidationError("--test and --input cannot be combined") }
    if inputs.eventTime.isGiven || every != nil, inputs.input.isEmpty {
      throw ValidationError("--event-time and --every need a recording: add --input")
    }
    if inputs.eventTime.isGiven, every != nil { throw ValidationError("--event-time and --every cannot be combined") }
    if let every, !(every >= 0 && every <= 1e9) {
      throw ValidationError("--every is \(every); expected 0 seconds or more")
    }
    if let seconds, !(seconds >= 0) { throw ValidationError("--for is \(seconds); expected 0 seconds or more") }
    if !(1...10_000).contains(limit) { throw ValidationError("--limit is \(limit); expected 1 to 10000") }
    if !(40...10_000).contains(width) { throw ValidationError("--width is \(width); expected 40 to 10000 columns") }
  }

  /// The latest time that is shown.
  var until: StreamTime { seconds.map(StreamTime.init(seconds:)) ?? .distantFuture }
}

/// The format of a picture.
enum PictureFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text, svg, html, mermaid, dot
}

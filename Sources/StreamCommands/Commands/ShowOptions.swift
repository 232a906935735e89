internal import ArgumentParser
internal import StreamRuntime
internal import StreamTools

/// What `streamrun show` understands beside the file.
struct ShowOptions: ParsableArguments {
  @Flag(help: "Shows how streams, inputs and operators are connected, in place of a run.")
  var graph = false

  @Flag(help: "Gives every source and operator a line of its own.")
  var stages = false

  @Option(help: ArgumentHelp("The test of the file whose run is shown. Default the first.", valueName: "name"))
  var test: String?

  @Option(
    help: ArgumentHelp(
      "Feeds an input from a file of one JSON value a line; - is standard input.", valueName: "name=path"))
  var input: [NamedArgument] = []

  @Option(
    help: ArgumentHelp(
      "The data's own clock: an expression over 'value' that gives a timestamp, or milliseconds since 1970.",
      valueName: "expression"))
  var eventTime: String?

  @Option(
    help: ArgumentHelp("Without --event-time, from one value of --input to the next. Default 1.", valueName: "seconds"))
  var every: Double?

  @Option(help: ArgumentHelp("Shows no more values than these on a line.", valueName: "count"))
  var limit = 30

  @Option(name: .customLong("for"), help: ArgumentHelp("Shows so much time of the stream.", valueName: "seconds"))
  var seconds: Double?

  @Option(help: "How it is shown: text or svg, of a graph also mermaid or dot. Default text, or what --output ends in.")
  var format: PictureFormat?

  @Option(help: ArgumentHelp("Columns of the text.", valueName: "count"))
  var width = 100

  @Flag(help: "Draws with ASCII alone.")
  var ascii = false

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Writes the picture there: .svg, .mmd, .dot or .txt.", valueName: "path"))
  var output: String?

  @OptionGroup var work: WorkOptions

  /// How the picture is made.
  var pictureFormat: PictureFormat { format ?? ending.flatMap(Self.format) ?? .text }

  /// What the name of the picture's file ends in, without the dot; nil where it has no ending.
  private var ending: String? {
    guard let name = output.map(Path.name), let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return nil
    }
    return name[name.index(after: dot)...].lowercased()
  }

  private static func format(ofEnding ending: String) -> PictureFormat? {
    switch ending {
    case "svg": .svg
    case "mmd", "mermaid": .mermaid
    case "dot", "gv": .dot
    case "txt", "text": .text
    default: nil
    }
  }

  func validate() throws {
    let isOfRun = stages || test != nil || !input.isEmpty || seconds != nil || eventTime != nil || every != nil
    if graph, isOfRun {
      throw ValidationError(
        "--graph shows no run: --stages, --test, --input, --event-time, --every and --for do not go with it")
    }
    if format == nil, let output, let ending, Self.format(ofEnding: ending) == nil {
      throw ValidationError(
        "'\(output)' ends in .\(ending), which is no picture that is drawn here: end it in .svg, .mmd, .dot or .txt, "
          + "or say with --format what it is")
    }
    if ascii, pictureFormat != .text { throw ValidationError("--ascii is for text, not for \(pictureFormat.rawValue)") }
    if !graph, pictureFormat == .mermaid || pictureFormat == .dot {
      throw ValidationError("\(pictureFormat.rawValue) has no runs: add --graph, or show text or svg")
    }
    if test != nil, !input.isEmpty { throw ValidationError("--test and --input exclude each other") }
    if eventTime != nil || every != nil, input.isEmpty {
      throw ValidationError("--event-time and --every need an input that is fed: add --input")
    }
    if eventTime != nil, every != nil { throw ValidationError("--event-time and --every exclude each other") }
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

/// How a picture is made.
enum PictureFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text, svg, mermaid, dot
}

internal import ArgumentParser
internal import StreamCore
internal import StreamKit
internal import StreamTools

/// `streamrun explain FILE`: what a stream does, in words.
struct Explain: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Tells what each operator of a stream does, keeps and costs, and what runs for it.",
    discussion: """
      Of each source and operator: what it does and what its fields say, the types of what goes in and comes out, what \
      it keeps in memory and what bounds that, and what evaluating its expressions costs. Then the compiled plan: which \
      operators run as one program, and what is subscribed to how often.

      Examples:
        streamrun explain stream.json
        streamrun explain stream.json --plan
        streamrun explain stream.json --format json
      """)

  @Argument(help: "The stream file; - is standard input.", completion: .file(extensions: ["json"]))
  var file: String

  @Flag(help: "Lists the instructions of programs, too.")
  var plan = false

  @Option(help: "How it is printed: text or json.")
  var format = ReportFormat.text

  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { reading.access(naming: []) }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let loader = console.makeLoader()
    let stream = try loader.load(file)
    let explanation = try StreamExplanation(
      stream, options: CompileOptions(loader: loader, files: loader, host: .any))
    switch format {
    case .text: console.output.appendLine(Show.visible(explanation.text(listsPrograms: plan)))
    case .json: console.output.appendLine(JSONWriter.pretty(explanation.json))
    }
    return ExitCode.good
  }
}

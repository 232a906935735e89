internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit
internal import StreamTools

/// `streamrun explain FILE`: what a stream does, in words.
struct Explain: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains the operators of a stream, their state and cost, and the compiled plan.",
    discussion: """
      For each source and operator, the output describes its effect and its fields, the types of its input and output, \
      its state in memory and the bound of that, and the cost of its expressions. The compiled plan shows which \
      operators run as one program, and the number of subscriptions.

      Examples:
        streamrun explain stream.json
        streamrun explain stream.json --plan
        streamrun explain stream.json --set quiet=10
        streamrun explain stream.json --format json
        streamrun explain -e 'removeDuplicates(value.id) | collect(10)'
      """)

  @OptionGroup var stream: StreamArgument

  @Flag(help: "Also lists the instructions of programs.")
  var plan = false

  @Option(help: "Output format: text or json.")
  var format = ReportFormat.text

  @OptionGroup var arguments: CompileArgumentOptions
  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var oneLiner: String? { stream.oneLiner }
  var compile: CompileRequest { arguments.request }
  var access: FileAccess { reading.access(naming: []) }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let loader = console.makeLoader()
    let stream = try loader.load(self.stream.file)
    let arguments = try arguments.arguments()
    let explanation = try StreamExplanation(stream, options: arguments.options(for: stream.model, loader))
    console.reportOnce(stream.remarks(loader, arguments))
    switch format {
    case .text: console.output.appendLines(explanation.text(listsPrograms: plan) + "\n")
    case .json: console.output.appendJSON(explanation.json)
    }
    return ExitCode.good
  }
}

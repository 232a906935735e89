internal import ArgumentParser
internal import StreamCore
internal import StreamKit

/// `streamrun export FILE --to swift`: the stream as code to take over.
struct Export: ConsoleCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a stream as code: Swift with Combine, or JavaScript with RxJS.",
    discussion: """
      The code does what the file does, with nothing of streamrun in it. Inputs become subjects, functions of the host \
      closures, and what time passes on is a scheduler that the code is given. Where there is no Combine, the Swift \
      code takes OpenCombine. What has no counterpart is refused, all of it at once, with its place in the file.

      Examples:
        streamrun export stream.json --to swift
        streamrun export stream.json --to rxjs -o stream.mjs
        streamrun export --to swift --list     what can be exported
      """)

  @Argument(help: "The stream file; - is standard input.", completion: .file(extensions: ["json"]))
  var file: String?

  @Option(help: "What is written: swift or rxjs.")
  var to: Language

  enum Language: String, ExpressibleByArgument, CaseIterable, Sendable {
    case swift, rxjs

    var target: ExportTarget {
      switch self {
      case .swift: .swift
      case .rxjs: .rxjs
      }
    }
  }

  @Option(name: .shortAndLong, help: ArgumentHelp("Writes the code there.", valueName: "path"))
  var output: String?

  @Flag(help: "Lists the sources and operators that can be exported.")
  var list = false

  @OptionGroup var appearance: AppearanceOptions

  func validate() throws {
    if list, file != nil { throw ValidationError("--list takes no file") }
    if !list, file == nil { throw ValidationError("name the stream file, or write --list") }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    guard let file else {
      listNames(console)
      return ExitCode.good
    }
    let loader = FileLoader()
    defer { for source in loader.sources { console.remember(source) } }
    let stream = try loader.load(file)
    let code = try StreamExporter(to.target, options: CompileOptions(loader: loader)).code(of: stream)
    try ResultFile.write(Array(code.utf8), to: output, console)
    return ExitCode.good
  }

  private func listNames(_ console: Console) {
    let names = StreamExporter.names(for: to.target)
    console.output.appendLine("sources: items of 'stream', \(names.sources.joined(separator: ", "))")
    console.output.appendLine("operators: \(names.operators.joined(separator: ", "))")
  }
}

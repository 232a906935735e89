internal import ArgumentParser
internal import StreamCore
internal import StreamDriving
internal import StreamKit
internal import StreamTools

/// `streamrun export FILE --to swift`: the stream as code to take over, or as a chart.
struct Export: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Exports a stream to Swift with Combine, JavaScript with RxJS, or a Mermaid chart.",
    discussion: """
      The code behaves like the stream and does not depend on streamrun. Inputs become subjects, functions of the host \
      become closures, and time follows a scheduler passed to the code. Without Combine, the Swift code uses \
      OpenCombine. Parts without a counterpart are reported all at once, with their locations. A Mermaid chart shows \
      any stream, including the files it refers to; most Markdown viewers display it.

      Examples:
        streamrun export stream.json --to swift
        streamrun export stream.json --to rxjs -o stream.mjs
        streamrun export stream.json --to mermaid -o stream.mmd
        streamrun export --list                list the exportable parts
      """)

  @Argument(help: "The stream file; - is standard input.", completion: .file(extensions: ["json"]))
  var file: String?

  @Option(help: "Target: swift, rxjs or mermaid. Required, except with --list.")
  var to: Language?

  enum Language: String, ExpressibleByArgument, CaseIterable, Sendable {
    case swift, rxjs, mermaid

    /// The language of code; nil for a chart.
    var target: ExportTarget? {
      switch self {
      case .swift: .swift
      case .rxjs: .rxjs
      case .mermaid: nil
      }
    }
  }

  @Option(name: .shortAndLong, help: ArgumentHelp("Writes the code to this file.", valueName: "path"))
  var output: String?

  @Flag(help: "Lists the sources and operators that can be exported.")
  var list = false

  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { reading.access(naming: []) }

  func validate() throws {
    if list, file != nil { throw ValidationError("--list does not take a file") }
    if list, let to, to.target == nil {
      throw ValidationError("--list does not apply to mermaid, which draws every source and operator")
    }
    if !list, file == nil { throw ValidationError("expected a stream file or --list") }
    if !list, to == nil { throw ValidationError("--to is missing; expected swift, rxjs or mermaid") }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    guard let file, let to else {
      let languages = to.map { [$0] } ?? Language.allCases.filter { $0.target != nil }
      for language in languages {
        // A language selected with `--to` needs no heading.
        if to == nil {
          console.output.appendLine(language == languages.first ? language.rawValue : "\n\(language.rawValue)")
        }
        if let target = language.target { listNames(for: target, console) }
      }
      return ExitCode.good
    }
    let loader = console.makeLoader()
    let stream = try loader.load(file)
    let text = try text(of: stream, in: to, CompileOptions(loader: loader, files: loader, host: .any))
    console.reportOnce(stream.remarks(loader))
    try ResultFile.write(Array(text.utf8), to: output, console)
    return ExitCode.good
  }

  private func text(
    of stream: StreamFile, in language: Language, _ options: CompileOptions
  ) throws(Diagnostics) -> String {
    if let target = language.target { return try StreamExporter(target, options: options).code(of: stream) }
    _ = try stream.compile(options)
    return StreamGraph(StreamOutline(stream, options: options)).mermaid + "\n"
  }

  private func listNames(for target: ExportTarget, _ console: Console) {
    let names = StreamExporter.names(for: target)
    console.output.appendLine("sources: items of 'stream', \(names.sources.joined(separator: ", "))")
    console.output.appendLine("operators: \(names.operators.joined(separator: ", "))")
  }
}

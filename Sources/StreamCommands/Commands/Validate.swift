internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit

/// `streamrun validate PATH...`: reports all errors in stream files.
struct Validate: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Checks stream files and reports all errors.",
    discussion: """
      Files are read and compiled, with their expressions, but not run; what their tests feed is checked. For a \
      directory, all of its stream files are checked.

      Examples:
        streamrun validate stream.json
        streamrun validate Streams --format json
        streamrun validate Streams --parameters production.json
        streamrun validate -e 'map(value * 2)'
      """)

  @OptionGroup var named: NamedStreams

  @Option(help: "Format of the errors: text, or json (an array on standard output).")
  var format = ReportFormat.text

  @OptionGroup var arguments: CompileArgumentOptions
  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var oneLiner: String? { named.oneLiner }
  var compile: CompileRequest { arguments.request }
  var access: FileAccess { reading.access(naming: named.paths) }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let (files, problems) = try named.find(console)
    var found = problems.all
    var known = Set(found)
    var wrongCount = 0
    let arguments = try arguments.arguments(isShared: files.count > 1)
    var declared: Set<String> = []
    let isComplete = NamedStreamFiles.forEach(files, console, done: "checked") { file throws(Diagnostics) in
      let loader = console.makeLoader()
      let stream = try loader.load(file)
      declared.formUnion(stream.model.parameters.names)
      var options = arguments.options(for: stream.model, loader)
      let remarks = RemarkLog()
      options.remarks = remarks
      try stream.validate(options)
      let explanation = FailureExplanation(stream: stream, loader: loader)
      found += remarks.all.map(explanation.locate).filter { known.insert($0).inserted }
    } failed: { problems in
      wrongCount += 1
      // An error in a file that several files refer to is reported once.
      found += problems.all.filter { known.insert(ReferenceNote.withoutFiles($0)).inserted }
    }
    // The parameters of a file that cannot be read are not known.
    if isComplete, wrongCount == 0 {
      do throws(Diagnostics) { try arguments.requireDeclared(by: declared) } catch { found += error.all }
    }
    print(found, on: console)
    guard isComplete else { return ExitCode.interrupted }
    if !found.contains(where: { $0.severity == .error }) {
      console.say("\(files.count.counted("file")), all valid")
    } else if files.count > 1, wrongCount > 0 {
      console.say("\(files.count.counted("file")), \(wrongCount) not valid")
    }
    return found.contains { $0.severity == .error } ? ExitCode.wrong : ExitCode.good
  }

  private func print(_ diagnostics: [Diagnostic], on console: Console) {
    switch format {
    case .text: console.report(Diagnostics(diagnostics))
    case .json:
      let printer = DiagnosticPrinter()
      console.output.appendJSON(.list(diagnostics.map(printer.json)))
    }
  }
}

internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// `streamrun bench FILE…`: how long streams take for a value.
struct Bench: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures how long streams take per value.",
    discussion: """
      Each stream runs in virtual time on values loaded into memory beforehand, so that only the stream is measured. \
      Streams are measured in turns, and medians are printed. A stream that ends before the values do is subscribed \
      to again. A stream without inputs runs from its own source; the values that the source publishes are counted.

      Examples:
        streamrun bench stream.json
        streamrun bench stream.json --input gravity=day.ndjson --operators
        streamrun bench old.json new.json --input gravity=day.ndjson --event-time value.ms
        streamrun bench stream.json --values 10000000 --format json
        streamrun bench stream.json -e 'filter(value.mag > 4.5)' --input gravity=day.ndjson --set quiet=10
      """)

  @OptionGroup var streams: StreamArguments
  @OptionGroup var options: BenchOptions
  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var files: [String] { streams.files }
  var oneLiner: String? { streams.oneLiner }
  var compile: CompileRequest { options.arguments.request }
  var memoryLimit: ByteCount { options.work.memory.memory }
  var access: FileAccess { reading.access(naming: files) }

  func validate() throws {
    try options.validate(files: files.count)
    if files.count(where: { $0 == StandardInput.argument }) > 1 {
      throw ValidationError("standard input can be used for only one file")
    }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    var subjects: [MeasuredStream] = []
    let arguments = try options.arguments.arguments(isShared: files.count > 1)
    var names: Set<String> = []
    for file in files where !Interruption.hasHappened {
      subjects += try BenchSubjects(options, arguments, console).streams(of: file, noting: &names)
    }
    if Interruption.hasHappened { return ExitCode.interrupted }
    try arguments.requireDeclared(by: names)
    do throws(MeasurementStop) {
      let figures = try Measurement(rounds: options.rounds).figures(of: subjects)
      let report = MeasurementReport(rounds: options.rounds, figures: figures)
      switch options.format {
      case .text: console.output.appendLines(report.text)
      case .json: console.output.appendJSON(report.json)
      }
      return ExitCode.good
    } catch {
      switch error {
      case .failed(let diagnostic):
        console.report(diagnostic)
        return ExitCode.failed
      case .refused(let diagnostic):
        console.report(diagnostic)
        return ExitCode.wrong
      case .interrupted: return ExitCode.interrupted
      }
    }
  }
}

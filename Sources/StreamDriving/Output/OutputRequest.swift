package import StreamCore
internal import StreamEngine
internal import StreamFiles
package import StreamKit

/// The destinations of a run's outputs, as the arguments give them.
package struct OutputRequest: Equatable {
  /// `FILE`, `NAME=FILE`, or `-` instead of the file for standard output.
  package var outputs: [String] = []
  /// The formats of named outputs.
  package var formats: [NamedArgument] = []
  /// When files are rotated; nil for never.
  package var rotation: RotationRule?
  /// The columns of tables; nil for those of the values.
  package var columns: [String]?
  /// The file for values that arrive too late, of a partitioned stream.
  package var late: String?
  /// The treatment of the content of files that exist; nil to keep it, and report that in a note.
  package var existing: ExistingContent?

  package init() {}
}

/// The treatment of the content of output files that exist. A run that continues from a saved state keeps it anyway.
package enum ExistingContent: String, CaseIterable, Sendable {
  case append, overwrite
}

/// The argument for standard output.
enum StandardOutput { static let argument = "-" }

/// The assignment of destinations to the outputs of a stream.
struct OutputAssignment {
  private let request: OutputRequest
  /// The names of the outputs; empty if there is one without a name.
  private let names: [String]
  /// The destination of each output by its name; that of the output without a name has the name nil.
  private(set) var destinations: [(name: String?, target: String)] = []

  init(_ request: OutputRequest, _ names: [String]) throws(Diagnostic) {
    (self.request, self.names) = (request, names)
    for argument in request.outputs {
      let (name, target) = try split(argument)
      guard !target.isEmpty else {
        throw Diagnostic(.invalidArgument, "--output \(argument) names no file", help: "write --output \(argument)FILE")
      }
      if destinations.contains(where: { $0.name == name }) {
        throw Diagnostic(
          .invalidArgument, "\(name.map { "the output '\($0)'" } ?? "the output") has two destinations",
          help: "give a single --output for it; 'tee' writes to several files")
      }
      if let other = destinations.first(where: { $0.target == target }), !target.utf8.starts(with: "|".utf8) {
        throw Diagnostic(
          .cannotWrite, "the outputs '\(other.name ?? "")' and '\(name ?? "")' have the same destination, '\(target)'",
          help: target == StandardOutput.argument
            ? "leave out both: values on standard output have the names of their outputs"
            : "write the two outputs to different files")
      }
      destinations.append((name, target))
    }
  }

  /// The path of the file that an argument of `--output` names; nil for standard output and programs.
  static func path(_ argument: String) -> String? {
    var target = argument
    if let named = NamedArgument(argument: argument), isName(named.name) { target = named.text }
    let isPath = !target.isEmpty && target != StandardOutput.argument && !target.utf8.starts(with: "|".utf8)
    return isPath ? target : nil
  }

  private func split(_ argument: String) throws(Diagnostic) -> (name: String?, target: String) {
    let named = NamedArgument(argument: argument).flatMap { Self.isName($0.name) ? $0 : nil }
    guard let only = names.first else {
      guard let named else { return (nil, argument) }
      throw Diagnostic(
        .invalidArgument, "there is no output '\(named.name)': the stream has one output, which has no name",
        help: "write --output \(named.text)\(named.text == "-" ? "" : ", or ./\(argument) for a file of that name")")
    }
    if let named {
      if names.contains(named.name) { return (named.name, named.text) }
      throw Diagnostic(
        .invalidArgument, "there is no output '\(named.name)'", notes: ["outputs: \(list)"],
        help: nearestName(to: named.name, among: names).map { "did you mean '\($0)'?" })
    }
    if names.count == 1 { return (only, argument) }
    throw Diagnostic(
      .invalidArgument, "--output \(argument) names no output, and the stream has \(names.count)",
      notes: ["outputs: \(list)"], help: "write --output \(only)=\(argument)")
  }

  private var list: String { names.joined(separator: ", ") }

  /// Whether a text before `=` can be meant as the name of an output.
  private static func isName(_ text: String) -> Bool {
    !text.contains { $0 == "/" || $0 == "|" || $0 == "." || $0 == " " }
  }

  /// Returns the formats of named outputs.
  func formats() throws(Diagnostic) -> [String: ValueFormat] {
    var formats: [String: ValueFormat] = [:]
    let all = ValueFormat.allCases.map(\.rawValue)
    for argument in request.formats {
      guard names.contains(argument.name) else {
        throw Diagnostic(
          .invalidArgument, "there is no output '\(argument.name)' for --output-format",
          notes: [names.isEmpty ? "the stream has one output, without a name" : "outputs: \(list)"],
          help: names.isEmpty ? "write --format \(argument.text)" : nil)
      }
      guard let format = ValueFormat(rawValue: argument.text) else {
        throw Diagnostic(
          .invalidArgument, "there is no format '\(argument.text)'", notes: ["formats: \(all.joined(separator: ", "))"],
          help: nearestName(to: argument.text, among: all).map { "did you mean '\($0)'?" })
      }
      guard formats.updateValue(format, forKey: argument.name) == nil else {
        throw Diagnostic(.invalidArgument, "the output '\(argument.name)' has two formats")
      }
    }
    return formats
  }
}

extension RunOutputs {
  /// Opens the outputs of a stream.
  ///
  /// - Parameter continuing: How the outputs use existing files. Default: they append.
  /// - Throws: A diagnostic if an argument is wrong, or a file cannot be written or is used by the run already.
  package convenience init(
    _ request: RunRequest, of model: StreamModel, _ console: Console, continuing: OutputContinuation = .append
  ) throws(Diagnostic) {
    let (output, resuming) = (request.output, continuing == .resume)
    let assignment = try OutputAssignment(output, model.outputNames)
    let formats = try assignment.formats()
    try console.usedFiles.checkOutputs(request.writtenFiles)
    var (main, named): (RunOutput?, [RunOutput]) = (nil, [])
    var standardName: String?
    for (name, target) in assignment.destinations {
      if target == StandardOutput.argument {
        standardName = name
        continue
      }
      let isProgram = target.utf8.first == UInt8(ascii: "|")
      if continuing == .replace, !isProgram { try ExistingOutput.rename(target, console) }
      let format =
        name.flatMap { formats[$0] } ?? request.format ?? (isProgram ? nil : ValueFormat(ofFile: target)) ?? .ndjson
      if output.rotation != nil, format == .marbles {
        throw Diagnostic(.invalidArgument, "'\(target)' cannot be rotated: a diagram shows the whole run")
      }
      let opened = try RunOutput(
        to: Self.sink(target, format, console, output, resuming: resuming), name: name, format: format,
        rotation: isProgram ? nil : output.rotation, resuming: resuming,
        columns: format.isTable ? output.columns : nil)
      console.output.join(opened.buffer)
      if name == nil { main = opened } else { named.append(opened) }
    }
    let standardFormat = standardName.flatMap { formats[$0] } ?? request.format ?? .ndjson
    let columns = standardFormat.isTable ? output.columns : nil
    let standard = main ?? RunOutput(console.output, name: standardName, format: standardFormat, columns: columns)
    self.init(standard, named: named)
    if output.columns != nil, !all.contains(where: \.format.isTable) {
      throw Diagnostic(
        .invalidArgument, "--columns is for tables; no output is one", help: "write --format csv, or --output FILE.csv")
    }
    self.standardName = standardName
    use(model)
    if continuing == .replace, main == nil || standardName != nil { Self.warnAboutAppending(console) }
    guard let path = output.late else { return }
    if continuing == .replace { try ExistingOutput.rename(path, console) }
    late = try Self.lateOutput(path, console, output, resuming: resuming)
  }

  /// Warns that what a former run has written to standard output stays before what this one writes.
  private static func warnAboutAppending(_ console: Console) {
    guard let status = try? FileDescriptor.standardOutput.status(), status.kind == .regular, status.size > 0,
      FileDescriptor.standardOutput.isAppending
    else { return }
    console.report(
      Diagnostic(
        .cannotWrite, "the file of standard output keeps the values of the run before", severity: .warning,
        help: "write to a file, --output FILE, which then gets another name; or empty it with '>'"))
  }

  /// Opens a destination. Without a state to continue, the content of a file is overwritten, or a note reports it.
  private static func sink(
    _ target: String, _ format: ValueFormat, _ console: Console, _ request: OutputRequest, resuming: Bool
  ) throws(Diagnostic) -> any OutputSink {
    let rotates = request.rotation != nil
    let overwrites = request.existing == .overwrite && !resuming
    if target.utf8.first == UInt8(ascii: "|") { return try ProgramSink(String(target.dropFirst()), console) }
    try CompressedSink.check(target)
    if let compression = Compression(ofFile: target) {
      if rotates {
        throw Diagnostic(
          .invalidArgument, "'\(target)' cannot be rotated: it is compressed",
          help: "rotate the plain file, and compress what was rotated")
      }
      return try CompressedSink(
        target, compression, format, console.usedFiles, overwrites: overwrites, resuming: resuming)
    }
    let file = try FileSink(target, console.usedFiles, rotates: rotates)
    if overwrites { try file.removeContent() }
    if file.bytes > 0, !resuming, request.existing == nil {
      console.say(
        "note: '\(target)' has \(ByteCount(file.bytes)), to which this run appends; --overwrite replaces them, and --append "
          + "leaves out this note")
    }
    return file
  }

  /// Opens the file for values that arrive too late: lines of JSON.
  private static func lateOutput(
    _ path: String, _ console: Console, _ request: OutputRequest, resuming: Bool
  ) throws(Diagnostic) -> RunOutput {
    if path == StandardOutput.argument {
      throw Diagnostic(
        .invalidArgument, "--late-output - would mix late values with those of the stream",
        help: "write the path of a file; /dev/stderr is standard error")
    }
    let file = try sink(path, .ndjson, console, request, resuming: resuming)
    let late = try RunOutput(to: file, name: lateName, format: .ndjson, rotation: request.rotation, resuming: resuming)
    late.hold()
    console.output.join(late.buffer)
    return late
  }
}

internal import StreamCore
internal import StreamRuntime

/// Opens the files that feed inputs.
struct InputFeeds {
  private let streamFile: String
  private let assignment: InputAssignment
  private let report: SkipReport

  init(streamFile: String, _ assignment: InputAssignment, _ report: SkipReport) {
    self.streamFile = streamFile
    self.assignment = assignment
    self.report = report
  }

  /// - Throws: why files cannot be read, all of them.
  func open(_ files: [(number: Int, path: String)]) throws(Diagnostics) -> [InputFeed] {
    var problems = Diagnostics()
    var feeds: [InputFeed] = []
    for (number, path) in files {
      do throws(Diagnostic) {
        feeds.append(try open(path, for: number))
      } catch {
        problems.append(error)
      }
    }
    try problems.throwErrors()
    return feeds
  }

  private func open(_ path: String, for number: Int) throws(Diagnostic) -> InputFeed {
    let input = assignment.pipeline.inputs[number]
    let name = input.name
    let isStandardInput = path == StandardInput.argument
    if isStandardInput, streamFile == StandardInput.argument {
      throw Diagnostic(
        .invalidArgument, "standard input cannot feed '\(name)': the stream file is read from it",
        help: "give the stream file by its path")
    }
    let file: FileDescriptor
    do throws(SystemError) {
      file = isStandardInput ? .standardInput : try FileDescriptor.open(path)
      if try file.status().kind == .directory { throw SystemError.isDirectory }
    } catch {
      throw error.diagnostic(reading: path)
    }
    return InputFeed(
      number, name: name, file: isStandardInput ? StandardInput.name : path, descriptor: file,
      type: input.type, report: report)
  }
}

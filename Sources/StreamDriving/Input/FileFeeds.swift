package import StreamCore
internal import StreamEngine
package import StreamFiles
package import StreamKit

/// Opens the files that feed inputs.
package struct FileFeeds {
  private let streamFile: String
  private let assignment: InputAssignment
  private let report: SkipReport
  private let format: InputFormat
  private let readingAhead: ReadAheadPolicy
  /// The positions from which the inputs continue, and whether a pipe brings everything again.
  private let positions: [FeedPosition]
  private let feedsAgain: Bool
  /// Whether files grow, and are read on and on.
  private let follows: Bool
  /// Whether the positions are saved, so that the content is to be recognized.
  private let savesPositions: Bool

  /// - Parameters:
  ///   - format: The format of the files. Default the format of each file's extension, or else NDJSON.
  ///   - readingAhead: Whether a file that is the only one is read ahead. Default never.
  ///   - positions: The positions from which the inputs continue. Default none: each file is read from its start.
  ///   - feedsAgain: Whether a pipe brings again what has been read of it. Default false.
  ///   - follows: Whether files grow, and are read on and on. Default false.
  ///   - savesPositions: Whether the positions are saved, so that the content is to be recognized. Default false.
  package init(
    streamFile: String, _ assignment: InputAssignment, _ report: SkipReport, format: InputFormat = InputFormat(),
    readingAhead: ReadAheadPolicy = .never, resuming positions: [FeedPosition] = [], feedsAgain: Bool = false,
    follows: Bool = false, savesPositions: Bool = false
  ) {
    self.follows = follows
    self.savesPositions = savesPositions
    self.positions = positions
    self.feedsAgain = feedsAgain
    self.format = format
    self.readingAhead = readingAhead
    self.streamFile = streamFile
    self.assignment = assignment
    self.report = report
  }

  /// Opens the files that are not open yet. Open files that are not used stay unchanged.
  ///
  /// - Parameter open: The files to keep at their current positions.
  /// - Throws: The errors for all files that cannot be read; nothing is changed.
  package func open(
    _ files: [(number: Int, path: String)], keeping open: [FileFeed] = []
  ) throws(Diagnostics) -> [FileFeed] {
    var problems = Diagnostics()
    var feeds: [FileFeed] = []
    var kept: [(feed: FileFeed, number: Int)] = []
    for (number, path) in files {
      if let feed = open.first(where: { $0.argument == Self.name(of: path) }) {
        kept.append((feed, number))
        feeds.append(feed)
        continue
      }
      do throws(Diagnostic) {
        feeds.append(try self.open(path, for: number, files.count == 1 ? readingAhead : .never))
      } catch {
        problems.append(error)
      }
    }
    problems.append(contentsOf: Diagnostics(unusedOptions(feeds)))
    try problems.throwErrors()
    for (feed, number) in kept {
      let input = assignment.pipeline.inputs[number]
      feed.assign(to: number, name: input.name, type: input.type)
    }
    return feeds
  }

  /// The errors about options for tables, or for JSON, that no file has.
  private func unusedOptions(_ feeds: [FileFeed]) -> [Diagnostic] {
    guard !feeds.isEmpty else { return [] }
    let names = assignment.pipeline.inputs.map(\.name)
    var problems = format.named.keys.filter { !names.contains($0) }.sorted().map { name in
      Diagnostic(
        .unknownInput, "there is no input '\(name)' for --input-format",
        notes: ["inputs: \(names.listed)"],
        help: nearestName(to: name, among: names).map { "did you mean '\($0)'?" })
    }
    let tables = feeds.filter(\.format.isTable)
    if tables.isEmpty, format.options.table != TableDialect() {
      problems.append(
        Diagnostic(
          .invalidArgument, "the options --csv-… are for tables; no input is one",
          help: "write --input-format csv, or feed a file whose name ends in .csv or .tsv"))
    } else if format.options.table.types != .strings, tables.allSatisfy({ !$0.isUntyped }) {
      problems.append(
        Diagnostic(
          .invalidArgument, "--csv-types is for inputs without a 'type'; the stream file declares it",
          help: "remove the option, or change the input's 'type' in the stream file"))
    }
    if format.options.items != nil, feeds.allSatisfy({ $0.format != .json && $0.format != .ndjson }) {
      problems.append(
        Diagnostic(.invalidArgument, "--items is for JSON; no input is JSON", help: "remove the option"))
    }
    return problems
  }

  private static func name(of path: String) -> String {
    path == StandardInput.argument ? StandardInput.name : path
  }

  private func open(
    _ path: String, for number: Int, _ readingAhead: ReadAheadPolicy
  ) throws(Diagnostic) -> FileFeed {
    let input = assignment.pipeline.inputs[number]
    let name = input.name
    let isStandardInput = path == StandardInput.argument
    if isStandardInput, streamFile == StandardInput.argument {
      throw Diagnostic(
        .invalidArgument, "standard input cannot feed '\(name)': the stream file is read from it",
        help: "give the path of the stream file")
    }
    if !isStandardInput, follows || Glob.isPattern(path) {
      let positions = positions.filter { $0.input == name }
      return try openSeries(path, number, name, input.type, resuming: positions)
    }
    let file: FileDescriptor
    do throws(SystemError) {
      file = isStandardInput ? .standardInput : try FileDescriptor.open(path)
      if try file.status().kind == .directory { throw SystemError.isDirectory }
    } catch {
      throw error.diagnostic(reading: path, isFed: true)
    }
    try report.usedFiles.noteInput(file, name: Self.name(of: path))
    let position = position(of: name)
    let format = try Self.format(of: file, path, format.ofInput(name))
    var start = ContentStart(savesPositions ? ContentTrace(keepsHash: true) : nil)
    if let position {
      guard position.isDone || position.format == format.rawValue else {
        throw Diagnostic(
          .snapshotMismatch,
          "the saved state has read the input '\(name)' as \(position.format), and '\(path)' is \(format.rawValue)",
          help: "write --input-format \(position.format)")
      }
      start = try position.resume(file, feedsAgain: feedsAgain)
    }
    return FileFeed(
      number, name: name, file: Self.name(of: path), descriptor: file, format: format,
      type: input.type, report: report, readingAhead: readingAhead, resuming: position, from: start,
      continuesPipe: position.map { $0.fingerprint == nil && !feedsAgain } ?? false)
  }

  /// The position in the file of an input: of a file that was followed, that of its newest part.
  private func position(of input: String) -> FeedPosition? {
    let positions = positions.filter { $0.input == input && !$0.isOfNothing && !$0.format.isEmpty }
    var position = positions.last { !$0.isDone && $0.wasRotated != true } ?? positions.last
    position?.recordCount = positions.map(\.recordCount).max() ?? 0
    return position
  }

  /// Opens the files that a pattern matches, or the files that are followed.
  private func openSeries(
    _ path: String, _ number: Int, _ name: String, _ type: CELType, resuming positions: [FeedPosition]
  ) throws(Diagnostic) -> FileFeed {
    let files = SeriesFiles(
      report: report, format: format.ofInput(name), savesPositions: savesPositions)
    let count = positions.map(\.recordCount).max() ?? 0
    if follows {
      let (file, series) = try FollowedFiles.begin(path, files, type, resuming: positions)
      return FileFeed(
        number, name: name, argument: path, file: file, series: series, type: type, report: report, count: count)
    }
    let paths = Glob.files(path)
    let positions = positions.filter { !$0.isOfNothing }
    guard !paths.isEmpty || !positions.isEmpty else {
      throw Diagnostic(
        .fileNotFound, "no file matches '\(path)'", help: "check the pattern with: ls \(path)")
    }
    let (file, series) = try FileSequence.begin(paths, files, type, resuming: positions)
    return FileFeed(
      number, name: name, argument: path, file: file, series: series, type: type, report: report, count: count,
      isDone: series.isOver)
  }

  /// The number of bytes that may precede an array.
  private static let beginning = 4096

  /// Returns the given format, or else that of a file's extension, or else NDJSON.
  static func format(
    of file: FileDescriptor, _ path: String, _ given: InputFormat
  ) throws(Diagnostic) -> FileFormat {
    let format = if let format = given.format { format } else { try Self.format(of: file, path) }
    return given.settled(format, of: path)
  }

  /// Returns the format of a file's extension, or else NDJSON. A file `.json` may also have one value per line.
  private static func format(of file: FileDescriptor, _ path: String) throws(Diagnostic) -> FileFormat {
    let format = FileFormat(ofFile: path) ?? .ndjson
    do throws(SystemError) {
      guard format == .json, try file.status().kind == .regular else { return format == .json ? .ndjson : format }
      let bytes = try file.read(atMost: beginning)
      try file.seek(to: 0)
      // The readers of lines recognize an array, too.
      if Compression(of: file) != nil { return .ndjson }
      let first = bytes.first { !" \n\r\t\u{FEFF}".utf8.contains($0) }
      return first == UInt8(ascii: "[") ? .json : .ndjson
    } catch {
      throw error.diagnostic(reading: path, isFed: true)
    }
  }
}
